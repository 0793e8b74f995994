#include "ui/paint/figure.h"

#include "ui/paint/map_painter.h"

#include <tuple>
#include <utility>

namespace keyaxis {

namespace {

constexpr double kSpace = 12; ///< between cards

std::vector<Label> featureLabels(Index n)
{
    std::vector<Label> labels;
    for (Index d = 0; d < n; ++d)
        labels.emplace_back(QString::number(d));
    return labels;
}

/// What a map of `stage` is called and, in a few words, is. Before the softmax the axis has no say.
std::pair<QString, QString> wordsOf(Stage stage, Axis axis)
{
    const QString axisTitle = QString::fromUtf8(names(axis).title.data());
    switch (stage) {
    case Stage::Scores:
        return {QStringLiteral("Scores"), QStringLiteral("query · key, the same on every axis")};
    case Stage::Scaled:
        return {QStringLiteral("Scaled"), QStringLiteral("scores × scale, the same on every axis")};
    case Stage::Biased:
        return {QStringLiteral("Biased"), QStringLiteral("scaled + bias, the same on every axis")};
    case Stage::Tempered:
        return {QStringLiteral("Tempered"), QStringLiteral("biased ÷ τ, the same on every axis")};
    case Stage::Logits:
        return {QStringLiteral("Logits"), QStringLiteral("masked: what the softmax is given")};
    case Stage::Weights:
        return {axisTitle, QString::fromStdString(axisGloss(axis))};
    case Stage::Output:
        break;
    }
    return {axisTitle, QStringLiteral("the output: weights · V")};
}

} // namespace

HeatmapValues valuesOf(const SliceStages& stages, Stage stage)
{
    const bool showsMask = stage == Stage::Weights || stage == Stage::Logits;
    return {viewOf(stages.of(stage)),
            showsMask ? viewOf(stages.before->logits) : MatrixView(nullptr, 0, 0)};
}

MapFigure makeMapFigure(const Inputs& inputs, const ScoreSettings& settings, Index b,
                        std::shared_ptr<const SliceStages> stages, Stage stage)
{
    Certificate certificate = certify(viewOf(stages->weights), viewOf(stages->before->logits));
    return makeMapFigure(inputs, settings, b, std::move(stages), stage, std::move(certificate));
}

MapFigure makeMapFigure(const Inputs& inputs, const ScoreSettings& settings, Index b,
                        std::shared_ptr<const SliceStages> stages, Stage stage,
                        Certificate certificate)
{
    const Sizes sizes = sizesOf(inputs);
    const Axis axis = settings.axis;
    MapFigure map;
    map.axis = axis;
    map.stage = stage;
    std::tie(map.title, map.gloss) = wordsOf(stage, axis);
    if (map.dependsOnAxis())
        map.shortGloss = QString::fromStdString(shortAxisGloss(axis));
    map.rowLabels = tokenLabels(inputs.queryTokens, b, sizes.Tq, 'q');
    map.colLabels = stage == Stage::Output ? featureLabels(sizes.dv)
                                           : tokenLabels(inputs.keyTokens, b, sizes.Tk, 'k');
    map.certificate = std::move(certificate);
    map.glyphs = glyphsIn(valuesOf(*stages, stage));
    map.columnSums = columnSums(viewOf(stages->weights));
    map.verdict = verdictOf(map.certificate, settings, sizes);
    map.nStacked = axis == Axis::Batch ? sizes.B : axis == Axis::Head ? sizes.H : 1;
    if (stage != Stage::Weights) {
        const Matrix& values = stages->of(stage);
        map.colors =
            ColorMap(Palette::BlueRed,
                     symmetricRange(values.data(), static_cast<std::size_t>(values.size())));
    }
    map.stages = std::move(stages);
    return map;
}

QString figureSettingsLine(const Inputs& inputs, const ScoreSettings& settings, Index b, Index h,
                           bool isOfEachAxis)
{
    const Index width = sizesOf(inputs).dk;
    const bool hasMask = inputs.mask != nullptr;
    const bool hasBias = inputs.bias != nullptr;
    const std::string line =
        isOfEachAxis
            ? "softmax over each axis · " + sharedSettingsLine(settings, width, hasMask, hasBias)
            : settingsLine(settings, width, hasMask, hasBias);
    return QString::fromStdString(line) +
           QStringLiteral(" · batch %1, head %2").arg(b + 1).arg(h + 1);
}

FigureLayout layoutFigure(const Figure& figure, QSizeF size)
{
    FigureLayout layout;
    layout.size = size;
    const double margin = figure.hasCards ? 0 : 8;
    QRectF page(QPointF(0, 0), size);
    page.adjust(margin, margin, -margin, -margin);
    if (!figure.settingsLine.isEmpty()) {
        const double height = 20;
        layout.settingsLine = {page.left() + 4, page.bottom() - height, page.width() - 8, height};
        page.setBottom(page.bottom() - height - 4);
    }
    const bool isGrid = figure.maps.size() > 1;
    const double width = isGrid ? std::floor((page.width() - kSpace) / 2) : page.width();
    const double height = isGrid ? std::floor((page.height() - kSpace) / 2) : page.height();
    for (std::size_t n = 0; n < figure.maps.size(); ++n) {
        const QRectF card(page.left() + static_cast<double>(n % 2) * (width + kSpace),
                          page.top() + static_cast<double>(n / 2) * (height + kSpace), width,
                          height);
        layout.maps.push_back(layoutMap(figure.maps[n], card, figure.hasCards));
    }
    return layout;
}

FigureHit FigureLayout::hitTest(QPointF point) const
{
    for (std::size_t n = 0; n < maps.size(); ++n)
        if (maps[n].card.contains(point))
            return {static_cast<int>(n), maps[n].header.contains(point),
                    maps[n].heatmap.cellAt(point)};
    return {};
}

void paintFigure(QPainter& painter, const Figure& figure, const FigureLayout& layout,
                 const Theme& theme)
{
    painter.save();
    for (std::size_t n = 0; n < figure.maps.size(); ++n)
        paintMap(painter, figure.maps[n], layout.maps[n], figure.hasCards, theme);
    if (!figure.settingsLine.isEmpty())
        drawLabel(painter, layout.settingsLine, Qt::AlignLeft, figure.settingsLine, uiFont(11),
                  theme.muted);
    painter.restore();
}

} // namespace keyaxis
