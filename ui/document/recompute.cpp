#include "ui/document/recompute.h"

#include "core/parallel.h"

#include <QMetaObject>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <new>
#include <thread>

namespace keyaxis {

namespace {

/// Whether the certificate of all rows takes long enough to be in the way of a hand that moves on.
bool rowsTakeLong(const Inputs& inputs)
{
    return sizesOf(inputs).weights().size() > (1 << 18);
}

KeptMaps keptFor(const ViewSettings& view)
{
    const bool showsHeads = view.mode == ViewSettings::Mode::Heads;
    return {showsHeads, showsHeads && (view.sortsHeads || view.showsMean)};
}

/// The threads worth waking. Behind each region libgomp's threads spin for a while: over a
/// classroom document the second one took a quarter of the first picture's time from the window.
int threadsFor(const Inputs& inputs)
{
    constexpr Index kSmall = 1 << 14;
    const bool isSmall = sizesOf(inputs).weights().size() <= kSmall;
    return isSmall ? 1 : static_cast<int>(std::thread::hardware_concurrency());
}

/// Waits until the window has painted what is looked at and the hand rests: on two cores the rows
/// of all maps took half of the time of each frame while a slider moved. False on stop.
bool hasRested(const std::stop_token& stop)
{
    std::mutex mutex;
    std::condition_variable_any woken;
    std::unique_lock lock(mutex);
    woken.wait_for(lock, stop, std::chrono::milliseconds(80), [] { return false; });
    return !stop.stop_requested();
}

/// Calls `work`; running out of memory becomes a sentence, since no exception may leave a job.
template <typename Work>
auto guarded(Work work) -> decltype(work())
{
    try {
        return work();
    } catch (const std::bad_alloc&) {
        return fail(Errc::BadInput, "There is not enough memory for tensors of this size.");
    }
}

} // namespace

Recompute::Recompute(Document& document, QObject* parent)
    : QObject(parent), m_document(document), m_kept(std::make_shared<KeptAttention>())
{
    connect(&document, &Document::changed, this, &Recompute::onChanged);
    if (!document.inputs().isEmpty())
        request();
}

Recompute::~Recompute() = default;

void Recompute::onChanged(Changes changes)
{
    const ViewSettings& view = m_document.view();
    const bool looksElsewhere = view.batch != m_batch || view.head != m_head ||
                                (keptFor(view).maps && !m_keeps.maps) ||
                                (keptFor(view).heads && !m_keeps.heads) ||
                                (view.mode == ViewSettings::Mode::Layers && !m_keepsLayers);
    if (!m_document.inputs().isEmpty() &&
        (changes.testFlag(Change::Inputs) || changes.testFlag(Change::Settings) ||
         (changes.testFlag(Change::View) && looksElsewhere)))
        request();
}

void Recompute::request()
{
    const quint64 generation = ++m_generation;
    m_batch = m_document.view().batch;
    m_head = m_document.view().head;
    m_keeps = keptFor(m_document.view());
    m_keepsLayers = m_document.view().mode == ViewSettings::Mode::Layers && m_document.layers();
    if (!m_isBusy) {
        m_isBusy = true;
        Q_EMIT busyChanged(true);
    }
    m_runner.submit([this, generation, kept = m_kept, inputs = m_document.inputs(),
                     settings = m_document.settings(), b = m_batch, h = m_head, keeps = m_keeps,
                     layers = m_keepsLayers ? m_document.layers()
                                            : nullptr](const std::stop_token& stop) {
        // Holds for the calling thread only, and a first job of its own could be replaced.
        setThreadCount(threadsFor(inputs));
        const auto deliver = [this, generation](Results done, bool isLast) {
            auto results = std::make_shared<const Results>(std::move(done));
            QMetaObject::invokeMethod(
                this, [this, generation, results, isLast] { arrive(generation, results, isLast); },
                Qt::QueuedConnection);
        };
        const auto done = guarded([&]() -> Result<void> {
            auto looked = lookAt(*kept, inputs, settings, b, h, stop);
            if (!looked)
                return tl::unexpected(looked.error());
            deliver(*looked, false);
            if (rowsTakeLong(inputs) && !hasRested(stop))
                return fail(Errc::Cancelled, "The computation was replaced by a newer one.");
            if (layers)
                looked = withAllLayers(std::move(*looked), *layers, stop);
            if (!looked)
                return tl::unexpected(looked.error());
            auto judged = withAllRows(std::move(*looked), keeps, stop);
            if (!judged)
                return tl::unexpected(judged.error());
            deliver(*judged, false);
            auto moved = withProofs(std::move(*judged), stop);
            if (!moved)
                return tl::unexpected(moved.error());
            deliver(std::move(*moved), true);
            return {};
        });
        if (done || done.error().code == Errc::Cancelled)
            return; // cancelled: a newer request is on its way
        QMetaObject::invokeMethod(
            this,
            [this, generation, sentence = QString::fromStdString(done.error().message)] {
                giveUp(generation, sentence);
            },
            Qt::QueuedConnection);
    });
}

void Recompute::giveUp(quint64 generation, const QString& sentence)
{
    if (generation != m_generation)
        return;
    Q_EMIT failed(sentence);
    arrive(generation, nullptr, true);
}

void Recompute::arrive(quint64 generation, std::shared_ptr<const Results> results, bool isLast)
{
    if (generation != m_generation)
        return;
    if (results)
        m_document.setResults(std::move(results));
    if (isLast && generation == m_generation && m_isBusy) {
        m_isBusy = false;
        Q_EMIT busyChanged(false);
    }
}

} // namespace keyaxis
