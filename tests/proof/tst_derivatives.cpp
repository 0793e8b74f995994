#include "core/proof/influence.h"
#include "tests/proof/reference_attention.h"

#include <QTest>
#include <cmath>

using namespace keyaxis;
using namespace keyaxis::testing;

namespace {

/// Equal within 1e-4 of it; what is exactly 0 by the mathematics must be exactly 0.
void compareNorms(double found, double expected, bool mustBeZero)
{
    if (mustBeZero) {
        QCOMPARE(found, 0.0);
        return;
    }
    QVERIFY2(std::abs(found - expected) <= 1e-4 * expected + 1e-8,
             qPrintable(QStringLiteral("%1, not %2").arg(found).arg(expected)));
}

void addCases()
{
    QTest::addColumn<Axis>("axis");
    QTest::addColumn<int>("kind");
    for (const Axis axis : kAllAxes)
        for (int kind = 0; kind < 4; ++kind)
            QTest::addRow("%s axis, %s", std::string(names(axis).name).c_str(),
                          std::array{"plain", "causal with ALiBi and a low temperature",
                                     "mask, bias and a negative scale",
                                     "fewer queries than keys"}[static_cast<std::size_t>(kind)])
                << axis << kind;
}

Influence coupled(const Case& c, Coupled what)
{
    return *coupling(c.inputs, c.settings, what, 1, 1);
}

} // namespace

/// Influence is a derivative: it is held against finite differences in float64.
class TestDerivatives : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void queriesMoveEachOtherAsFiniteDifferencesSay_data() { addCases(); }
    void queriesMoveEachOtherAsFiniteDifferencesSay()
    {
        QFETCH(Axis, axis);
        QFETCH(int, kind);
        const Case c = caseOf(axis, kind);
        Reference reference(c.inputs, c.settings);
        const Influence map = coupled(c, Coupled::Queries);
        QVERIFY(!map.isSampled);
        for (Index i = 0; i < map.norms.rows(); ++i)
            for (Index n = 0; n < map.norms.cols(); ++n)
                compareNorms(double{map.norms(i, n)},
                             std::sqrt(squaredByDifferences(reference, reference.q,
                                                            places(c.inputs.q->shape(), 1, {1}, n),
                                                            1, 1, i)),
                             i != n && axis != Axis::Query);
    }

    void examplesMoveEachOtherAsFiniteDifferencesSay_data() { addCases(); }
    void examplesMoveEachOtherAsFiniteDifferencesSay()
    {
        QFETCH(Axis, axis);
        QFETCH(int, kind);
        const Case c = caseOf(axis, kind);
        Reference reference(c.inputs, c.settings);
        const Sizes sizes = sizesOf(c.inputs);
        const Influence map = coupled(c, Coupled::Examples);
        QCOMPARE(map.norms.rows(), sizes.B);
        for (Index r = 0; r < sizes.B; ++r)
            for (Index n = 0; n < sizes.B; ++n) {
                double squares = 0.0;
                for (Index i = 0; i < sizes.Tq; ++i)
                    for (Index m = 0; m < sizes.Tq; ++m)
                        squares +=
                            squaredByDifferences(reference, reference.q,
                                                 places(c.inputs.q->shape(), n, {1}, m), r, 1, i);
                compareNorms(double{map.norms(r, n)}, std::sqrt(squares),
                             r != n && axis != Axis::Batch);
            }
    }

    void headsMoveEachOtherAsFiniteDifferencesSay_data() { addCases(); }
    void headsMoveEachOtherAsFiniteDifferencesSay()
    {
        QFETCH(Axis, axis);
        QFETCH(int, kind);
        const Case c = caseOf(axis, kind);
        Reference reference(c.inputs, c.settings);
        const Sizes sizes = sizesOf(c.inputs);
        const Influence map = coupled(c, Coupled::Heads);
        QCOMPARE(map.norms.rows(), sizes.H);
        for (Index r = 0; r < sizes.H; ++r)
            for (Index n = 0; n < sizes.H; ++n) {
                double squares = 0.0;
                for (Index i = 0; i < sizes.Tq; ++i)
                    for (Index m = 0; m < sizes.Tq; ++m)
                        squares +=
                            squaredByDifferences(reference, reference.q,
                                                 places(c.inputs.q->shape(), 1, {n}, m), 1, r, i);
                compareNorms(double{map.norms(r, n)}, std::sqrt(squares),
                             r != n && axis != Axis::Head);
            }
    }

    /// Scores are what queries S would make of keys that are the unit vectors.
    void scoresMoveOutputsAsSuchQueriesWould_data() { addCases(); }
    void scoresMoveOutputsAsSuchQueriesWould()
    {
        QFETCH(Axis, axis);
        QFETCH(int, kind);
        Case c = caseOf(axis, kind);
        const Sizes sizes = sizesOf(c.inputs);
        c.settings.scale = -0.7;
        Case given = c;
        given.inputs.scores = share(randomTensor(sizes.weights(), 5));
        given.inputs.q = given.inputs.k = nullptr;
        c.inputs.q = given.inputs.scores;
        Tensor unit = Tensor::zeros({sizes.B, sizes.G, sizes.Tk, sizes.Tk});
        for (Index b = 0; b < sizes.B; ++b)
            for (Index g = 0; g < sizes.G; ++g)
                for (Index t = 0; t < sizes.Tk; ++t)
                    unit.at(b, g, t, t) = 1.0F;
        c.inputs.k = share(unit);
        for (const Coupled what : {Coupled::Queries, Coupled::Examples, Coupled::Heads}) {
            const Influence expected = coupled(c, what);
            const Influence map = coupled(given, what);
            QCOMPARE(map.rows, expected.rows);
            QCOMPARE(map.sentence, expected.sentence);
            for (Index n = 0; n < map.norms.size(); ++n)
                compareNorms(double{map.norms.data()[n]}, double{expected.norms.data()[n]}, false);
        }
    }

    void tokensMoveOutputsAsFiniteDifferencesSay_data() { addCases(); }
    void tokensMoveOutputsAsFiniteDifferencesSay()
    {
        QFETCH(Axis, axis);
        QFETCH(int, kind);
        const Case c = caseOf(axis, kind);
        Reference reference(c.inputs, c.settings);
        const Sizes sizes = sizesOf(c.inputs);
        const auto squaresBy = [&](std::vector<double>& numbers, const Tensor& tensor, Index t,
                                   Index i) {
            return squaredByDifferences(reference, numbers,
                                        places(tensor.shape(), 1, all(tensor.shape().heads), t), 1,
                                        1, i);
        };
        for (const MovedToken moved : {MovedToken::Whole, MovedToken::Query, MovedToken::Key}) {
            const auto map = tokenInfluence(c.inputs, c.settings, moved, 1, 1);
            if (moved == MovedToken::Whole && sizes.Tq != sizes.Tk) {
                QCOMPARE(map.error().code, Errc::BadValue);
                continue;
            }
            QCOMPARE(map->norms.cols(), moved == MovedToken::Key ? sizes.Tk : sizes.Tq);
            for (Index i = 0; i < map->norms.rows(); ++i)
                for (Index t = 0; t < map->norms.cols(); ++t) {
                    double squares = 0.0;
                    if (moved != MovedToken::Key)
                        squares += squaresBy(reference.q, *c.inputs.q, t, i);
                    if (moved != MovedToken::Query)
                        squares += squaresBy(reference.k, *c.inputs.k, t, i) +
                                   squaresBy(reference.v, *c.inputs.v, t, i);
                    compareNorms(double{map->norms(i, t)}, std::sqrt(squares), squares == 0.0);
                }
        }
    }
};

QTEST_APPLESS_MAIN(TestDerivatives)
#include "tst_derivatives.moc"
