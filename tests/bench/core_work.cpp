#include "tests/bench/core_work.h"

#include "core/attention/attention.h"
#include "core/attention/softmax.h"
#include "core/parallel.h"
#include "tests/core/sample_values.h"

#include <cmath>
#include <cstring>

namespace keyaxis::bench {

namespace {

constexpr int kRounds = 15;

QString membersOf(Axis axis)
{
    const std::string_view members = names(axis).members;
    return QString::fromUtf8(members.data(), static_cast<qsizetype>(members.size()));
}

/// A memcpy of all bytes, an equal part for each thread.
void copyInParallel(const Tensor& from, Tensor& to)
{
    const Index nParts = threadCount();
    const Index size = nBlocksOf(from.size(), nParts);
    forEachBlock(nParts, {}, [&](Index part) {
        const Index begin = part * size;
        const Index end = std::min(from.size(), begin + size);
        std::memcpy(to.data() + begin, from.data() + begin,
                    static_cast<std::size_t>(end - begin) * sizeof(float));
    });
}

/// The exponent p of the power law c · xᵖ that fits the points best, in logarithms.
double fittedExponent(const std::vector<double>& x, const std::vector<double>& y)
{
    const auto n = static_cast<double>(x.size());
    double sx = 0, sy = 0, sxx = 0, sxy = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        const double lx = std::log(x[i]), ly = std::log(y[i]);
        sx += lx;
        sy += ly;
        sxx += lx * lx;
        sxy += lx * ly;
    }
    return (n * sxy - sx * sy) / (n * sxx - sx * sx);
}

/// A document in which one number of Q is edited again and again, as in the table of the window.
class EditedDocument {
public:
    EditedDocument(Index B, Index H, Index T)
        : m_inputs(keyaxis::testing::randomInputs({B, H, H, T, T, 64, 64}, 1))
    {
        edit();
    }

    double edit()
    {
        Tensor q = *m_inputs.q;
        q.at(0, 0, q.shape().rows / 2, 0) += 0.125F;
        m_inputs.q = share(std::move(q));
        return secondsOf([this] { (void)m_kept.slice(m_inputs, m_settings, 0, 0); });
    }

private:
    Inputs m_inputs;
    ScoreSettings m_settings;
    KeptAttention m_kept;
};

/// The exponent of the cost of an edit over `sizes`, each of which makes a document.
template <typename Make>
void addGrowth(Report& report, const QString& work, const QString& against,
               const std::vector<double>& sizes, double limit, Make make)
{
    std::vector<std::shared_ptr<EditedDocument>> documents;
    std::vector<Repetition> sides;
    for (const double size : sizes) {
        documents.push_back(make(static_cast<Index>(size)));
        sides.push_back([document = documents.back()] {
            document->edit();
            return document->edit();
        });
    }
    const std::vector<double> seconds = interleavedMedians(sides, kRounds);
    QString figures;
    for (std::size_t n = 0; n < sizes.size(); ++n)
        figures += QStringLiteral("%1: %2 ms  ").arg(sizes[n]).arg(seconds[n] * 1e3, 0, 'f', 2);
    report.add({work, against, fittedExponent(sizes, seconds), atMost(limit), figures.trimmed()});
}

} // namespace

void measureSoftmax(Report& report, Peer* peer)
{
    const Tensor logits = keyaxis::testing::randomTensor({2, 8, 1024, 1024}, 1, 4.0F);
    Tensor weights = Tensor::zeros(logits.shape());
    Tensor copied = Tensor::zeros(logits.shape());
    for (const Axis axis : kAllAxes) {
        std::vector<Repetition> sides{warmed([&] { softmaxInto(logits, axis, {}, weights); }),
                                      warmed([&] { copyInParallel(logits, copied); })};
        if (peer)
            sides.push_back(
                peer->repetition(QStringLiteral("softmax %1").arg((names(axis).torchDim + 4) % 4)));
        const std::vector<double> seconds = interleavedMedians(sides, kRounds);
        const QString work =
            QStringLiteral("softmax over %1, [2, 8, 1024, 1024]").arg(membersOf(axis));
        report.add({work, QStringLiteral("a parallel copy of the same bytes"),
                    seconds[0] / seconds[1], atMost(1.5),
                    millisecondsText(seconds[0], seconds[1])});
        if (peer && seconds[2] > 0)
            report.add({work, QStringLiteral("PyTorch, softmax(dim, out=)"),
                        seconds[2] / seconds[0], atLeast(axis == Axis::Query ? 2 : 1),
                        millisecondsText(seconds[0], seconds[2])});
    }
}

void measureAttention(Report& report, Peer& peer)
{
    const Inputs inputs = keyaxis::testing::randomInputs({2, 8, 8, 1024, 1024, 64, 64}, 1);
    ScoreSettings settings;
    settings.causal = true;
    const std::vector<double> seconds =
        interleavedMedians({warmed([&] { (void)attend(inputs, settings); }),
                            peer.repetition(QStringLiteral("attention"))},
                           kRounds);
    if (seconds[1] > 0)
        report.add({QStringLiteral("attention over keys, causal, [2, 8, 1024, 64]"),
                    peer.has(QStringLiteral("fast_blas"))
                        ? QStringLiteral("PyTorch, five eager calls")
                        : QStringLiteral("PyTorch, five calls on reference BLAS"),
                    seconds[1] / seconds[0], atLeast(3), millisecondsText(seconds[0], seconds[1])});
}

void measureGrowth(Report& report)
{
    // Above 2 by what leaves the caches on the way; a cost of T² log T would still be told apart
    // from T³, and B · H · T² shows in the second line alone.
    addGrowth(report, QStringLiteral("editing one number, [2, 8, T, 64]"),
              QStringLiteral("T = 256 … 2048: exponent of T"), {256, 512, 1024, 2048}, 2.25,
              [](Index T) { return std::make_shared<EditedDocument>(2, 8, T); });
    addGrowth(report, QStringLiteral("editing one number, [1, N, 512, 64]"),
              QStringLiteral("N = 1 … 64 heads: exponent of N"), {1, 4, 16, 64}, 0.25,
              [](Index N) { return std::make_shared<EditedDocument>(1, N, 512); });
}

} // namespace keyaxis::bench
