#include "tests/bench/paint_work.h"

#include "tests/bench/interleaved.h"
#include "tests/bench/window_work.h"
#include "tests/core/sample_values.h"
#include "ui/paint/compositions.h"

#include <QImage>
#include <QPainter>

namespace keyaxis::bench {

namespace {

/// The four axes of one causal head of `nTokens` tokens.
Figure fourAxes(Index nTokens)
{
    SliceSource source;
    source.inputs = keyaxis::testing::randomInputs({1, 1, 1, nTokens, nTokens, 64, 64}, 1);
    source.settings.causal = true;
    for (const Axis axis : kAllAxes) {
        ScoreSettings settings = source.settings;
        settings.axis = axis;
        source.axes[static_cast<std::size_t>(axis)] =
            std::make_shared<const SliceStages>(attendSlice(source.inputs, settings, 0, 0).value());
    }
    return compareFigure(source);
}

/// Lays `figure` out and paints it, as a window does for a frame.
Repetition frameOf(const Figure& figure)
{
    return warmed([&figure] {
        QImage image(mapsSize(), QImage::Format_ARGB32_Premultiplied);
        QPainter painter(&image);
        paintFigure(painter, figure, layoutFigure(figure, mapsSize()), Theme::light());
    });
}

} // namespace

void measurePainting(Report& report)
{
    const Figure small = fourAxes(512);
    const Figure large = fourAxes(2048);
    Figure panned = large; // half of the cells, the edge within one
    panned.window = CellWindow{300.5, 411.25, 1024, 1024};
    const std::vector<double> seconds =
        interleavedMedians({frameOf(small), frameOf(large), frameOf(panned)}, 21);
    report.add({QStringLiteral("paint four maps of 2,048 tokens"),
                QStringLiteral("four of 512 on the same pixels"), seconds[1] / seconds[0],
                atMost(1.3), millisecondsText(seconds[1], seconds[0])});
    constexpr double kFrame = 1.0 / 60;
    report.add({QStringLiteral("paint a frame of a drag, four maps of 2,048 tokens"),
                QStringLiteral("one frame at 60 Hz"), seconds[2] / kFrame, atMost(1),
                millisecondsText(seconds[2], kFrame)});
}

} // namespace keyaxis::bench
