#include "core/attention/attention.h"
#include "ui/paint/morph.h"
#include "ui/paint/value_plane.h"

#include <QGuiApplication>
#include <QImage>
#include <QRegularExpression>
#include <QTest>
#include <cmath>

using namespace keyaxis;

namespace {

/// Three tokens in one head whose value rows are the corners of a triangle.
Inputs triangle()
{
    Tensor q({1, 1, 3, 1});
    Tensor k({1, 1, 3, 1});
    Tensor v({1, 1, 3, 2});
    const std::array<float, 3> queries{0.3F, -1.0F, 2.0F};
    const std::array<float, 3> keys{1.0F, 0.5F, -0.7F};
    const std::array<float, 6> values{1, 1, 4, 1, 1, 5};
    std::copy(queries.begin(), queries.end(), q.data());
    std::copy(keys.begin(), keys.end(), k.data());
    std::copy(values.begin(), values.end(), v.data());
    Inputs inputs;
    inputs.q = share(q);
    inputs.k = share(k);
    inputs.v = share(v);
    inputs.keyTokens = {{"a", "b", "c"}};
    inputs.queryTokens = inputs.keyTokens;
    return inputs;
}

ValuePlaneFigure planeOf(const Inputs& inputs, const ScoreSettings& settings, Index query)
{
    const auto slice = attendSlice(inputs, settings, 0, 0);
    const Certificate certificate = certify(viewOf(slice->weights), viewOf(slice->before->logits));
    return makeValuePlane(inputs, settings, 0, 0, *slice, certificate, query,
                          principalPlane(inputs.v->slice(0, 0)));
}

} // namespace

class TestValuePlane : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { registerFonts(); }
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void pointsLeaveTheHullLast()
    {
        ScoreSettings over;
        over.axis = Axis::Query;
        const ValuePlaneFigure from = planeOf(triangle(), {}, 1);
        const ValuePlaneFigure to = planeOf(triangle(), over, 1);
        QVERIFY(canMorph(from, to));
        QVERIFY(!canMorph(from, planeOf(triangle(), over, 2)));
        QVERIFY((to.outputs[1] - from.outputs[1]).norm() > 0.1);
        // Cells have recoloured, points have not begun.
        const ValuePlaneFigure early = morphed(from, to, 0.66);
        QCOMPARE(early.weights, to.weights);
        QCOMPARE(early.outputs[1], from.outputs[1]);
        QVERIFY(early.isValid == from.isValid && !early.mixture);
        QCOMPARE(early.sentence, from.sentence);
        const ValuePlaneFigure late = morphed(from, to, 0.85);
        QVERIFY((late.outputs[1] - (from.outputs[1] + to.outputs[1]) / 2).norm() < 1e-9);
        const ValuePlaneFigure end = morphed(from, to, 1);
        QCOMPARE(end.outputs[1], to.outputs[1]);
        QCOMPARE(end.sentence, to.sentence);
        QCOMPARE(end.mixture.has_value(), to.mixture.has_value());
    }

    void theScaleChangesWithThePoints()
    {
        ScoreSettings over;
        over.axis = Axis::Query;
        const QSizeF size(320, 340);
        const ValuePlaneLayout from = layoutValuePlane(planeOf(triangle(), {}, 1), size);
        const ValuePlaneLayout to = layoutValuePlane(planeOf(triangle(), over, 1), size);
        QVERIFY(from.scale != to.scale);
        QCOMPARE(morphed(from, to, 0.66).scale, from.scale);
        const PlanePoint corner(3, 1);
        QVERIFY(from.box != to.box);
        QVERIFY(QLineF(morphed(from, to, 0.66).at(corner), from.at(corner)).length() < 1e-9);
        QCOMPARE(morphed(from, to, 1).scale, to.scale);
        QCOMPARE(morphed(from, to, 1).middle, to.middle);
    }

    void whatComesOutOfNothingComesLast()
    {
        const ValuePlaneFigure figure = planeOf(triangle(), {}, 1);
        QCOMPARE(appearing(figure, 0.66).visible, 0.0);
        QCOMPARE(appearing(figure, 1).visible, 1.0);
        QImage image(320, 340, QImage::Format_RGB32);
        image.fill(Qt::white);
        QPainter painter(&image);
        paintValuePlane(painter, appearing(figure, 0.5), layoutValuePlane(figure, image.size()),
                        Theme::light());
        painter.end();
        QImage white = image;
        white.fill(Qt::white);
        QCOMPARE(image, white);
    }

    void inAWidePictureTheWordsStandBesideTheField()
    {
        const ValuePlaneFigure figure = planeOf(triangle(), {}, 1);
        const ValuePlaneLayout wide = layoutValuePlane(figure, {500, 200});
        QCOMPARE(wide.box.height(), 200.0);
        QVERIFY(wide.words.left() > wide.box.right());
        for (const PlaneLegend& item : wide.legend)
            QVERIFY(item.box.left() > wide.box.right() && item.box.bottom() <= wide.words.top());
        QVERIFY(layoutValuePlane(figure, {320, 340}).words.top() > 200);
    }

    void onTheKeyAxisTheOutputIsAnAverageAndThereIsNoMixture()
    {
        const ValuePlaneFigure figure = planeOf(triangle(), {}, 1);
        QVERIFY(!figure.mixture);
        QVERIFY(!figure.isOutside);
        QVERIFY(figure.note.isEmpty()); // two features: no projection
        QVERIFY2(figure.sentence.contains(QStringLiteral("3 value rows")),
                 qPrintable(figure.sentence));
        PlanePoint average = PlanePoint::Zero();
        for (std::size_t j = 0; j < 3; ++j)
            average += double(figure.weights[j]) * figure.values[j];
        QVERIFY((average - figure.outputs[1]).norm() < 1e-6);
    }

    void onTheQueryAxisTheOutputIsTheMixtureTimesTheSumOfTheWeights()
    {
        ScoreSettings settings;
        settings.axis = Axis::Query;
        settings.causal = true;
        for (Index query = 0; query < 3; ++query) {
            const ValuePlaneFigure figure = planeOf(triangle(), settings, query);
            QVERIFY(figure.mixture);
            const PlanePoint scaled = figure.mixture->mass * figure.mixture->at;
            QVERIFY((scaled - figure.outputs[std::size_t(query)]).norm() < 1e-5);
            QVERIFY(figure.isOutside);
            // Two features: the plane sees all of the witness, and no value row gets as far.
            QVERIFY(figure.witness && std::abs(figure.witness->norm() - 1) < 1e-9);
            const double reach = figure.witness->dot(figure.outputs[std::size_t(query)]);
            for (std::size_t j = 0; j < 3; ++j)
                QVERIFY(!figure.isAllowed[j] || reach > figure.witness->dot(figure.values[j]));
            QVERIFY(figure.sentence.contains(QStringLiteral("outside the hull")));
        }
        QCOMPARE(planeOf(triangle(), settings, 0).isAllowed,
                 (std::vector<bool>{true, false, false}));
    }

    void undefinedWeightsHaveNoPointAndSaySo()
    {
        ScoreSettings settings;
        settings.axis = Axis::Batch;
        settings.causal = true;
        const ValuePlaneFigure figure = planeOf(triangle(), settings, 0);
        QVERIFY(!figure.outputs[0].allFinite());
        QVERIFY(figure.sentence.contains(QStringLiteral("not a point")));
        QImage image(320, 340, QImage::Format_RGB32);
        QPainter painter(&image);
        paintValuePlane(painter, figure, layoutValuePlane(figure, image.size()), Theme::light());
    }

    void moreThanTwoFeaturesAreLabelledAsAProjection()
    {
        Inputs inputs = triangle();
        Tensor v({1, 1, 3, 3});
        for (Index n = 0; n < v.size(); ++n)
            v.data()[n] = std::sin(float(3 * n));
        inputs.v = share(v);
        const ValuePlaneFigure figure = planeOf(inputs, {}, 0);
        QVERIFY(figure.note.contains(QStringLiteral("projection")));
    }

    void withoutValuesThereIsNothing()
    {
        Inputs inputs = triangle();
        inputs.v = nullptr;
        const auto slice = attendSlice(inputs, {}, 0, 0);
        const Certificate certificate = certify(viewOf(slice->weights));
        QVERIFY(makeValuePlane(inputs, {}, 0, 0, *slice, certificate, 0, {}).isEmpty());
    }

    void pointsAreFoundWhereTheyAreDrawnAndBothDirectionsHaveOneScale()
    {
        const ValuePlaneFigure figure = planeOf(triangle(), {}, 2);
        const ValuePlaneLayout layout = layoutValuePlane(figure, {320, 340});
        for (std::size_t j = 0; j < 3; ++j) {
            const QPointF at = layout.at(figure.values[j]);
            QVERIFY(layout.box.contains(at));
            QCOMPARE(layout.hitTest(figure, at), (PlaneHit{PlaneHit::Kind::Value, Index(j)}));
            QVERIFY((layout.from(at) - figure.values[j]).norm() < 1e-9);
        }
        const QPointF ab = layout.at(figure.values[1]) - layout.at(figure.values[0]);
        const QPointF ac = layout.at(figure.values[2]) - layout.at(figure.values[0]);
        QVERIFY(std::abs(std::hypot(ab.x(), ab.y()) / 3 - std::hypot(ac.x(), ac.y()) / 4) < 1e-9);
        QVERIFY(ac.y() < 0); // up is more
        QCOMPARE(layout.hitTest(figure, layout.box.topLeft() + QPointF(2, 2)).kind,
                 PlaneHit::Kind::Nothing);
    }

    void theLegendIsWholeAtAnyWidth()
    {
        ScoreSettings settings;
        settings.axis = Axis::Query;
        settings.causal = true;
        const ValuePlaneFigure figure = planeOf(triangle(), settings, 0);
        for (const double width : {180.0, 206.0, 334.0, 560.0}) {
            const QSizeF size(width, valuePlaneHeight(figure, width));
            const ValuePlaneLayout layout = layoutValuePlane(figure, size);
            QCOMPARE(layout.legend.size(), std::size_t(5)); // with the mixture and the witness
            for (std::size_t n = 0; n < layout.legend.size(); ++n) {
                const PlaneLegend& item = layout.legend[n];
                QVERIFY(item.box.right() <= width && item.box.bottom() <= layout.words.top());
                QVERIFY(item.box.width() >= item.text.width(uiFont(kLegendPx)) + kLegendSign);
                for (std::size_t m = 0; m < n; ++m)
                    QVERIFY(!item.box.intersects(layout.legend[m].box));
            }
        }
    }

    void theLineOfAWeightIsThereAndAsThickAsTheWeight()
    {
        Inputs inputs = triangle(); // all weight on one key, by its logits
        Tensor k({1, 1, 3, 1});
        k.data()[0] = 0;
        k.data()[1] = 90;
        k.data()[2] = 0;
        inputs.k = share(k);
        ScoreSettings settings;
        settings.axis = Axis::Query; // each query gets a share of b's 1
        const ValuePlaneFigure figure = planeOf(inputs, settings, 2);
        QVERIFY(figure.weights[1] > 0.99F);
        const ValuePlaneLayout layout = layoutValuePlane(figure, {320, 340});
        QImage image(320, 340, QImage::Format_RGB32);
        image.fill(Qt::white);
        QPainter painter(&image);
        paintValuePlane(painter, figure, layout, Theme::light());
        painter.end();
        const QPointF from = layout.at(figure.values[1]);
        const QPointF to = layout.at(figure.outputs[2]);
        const QPointF middle = (from + to) / 2;
        const QPointF across = QPointF(-(to - from).y(), (to - from).x()) /
                               std::hypot((to - from).x(), (to - from).y());
        const auto isTinted = [&](QPointF p) {
            const QColor color = image.pixelColor(p.toPoint());
            return color.blue() > color.green() + 20; // violet, the query axis
        };
        QVERIFY(isTinted(middle + 4 * across));
        QVERIFY(!isTinted(middle + 12 * across));
    }
};

QTEST_MAIN(TestValuePlane)
#include "tst_value_plane.moc"
