#include "ui/paint/influence_figure.h"

#include "ui/paint/hatching.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <QImage>
#include <algorithm>
#include <cmath>

namespace keyaxis {

namespace {

constexpr double kGap = 14; ///< between maps
constexpr double kTallest = 96;
constexpr double kTitle = 20;
constexpr double kSmallestCell = 4; ///< smaller ones become one image

QString tr(const char* text)
{
    return QCoreApplication::translate("Influence", text);
}

enum class Kind { Zero, Moves, Undefined, Leaks };

Kind kindOf(const InfluenceMap& map, Index row, Index column)
{
    const float norm = map.influence.norms(row, column);
    if (std::isnan(norm))
        return Kind::Undefined;
    if (norm == 0.0F)
        return Kind::Zero;
    return map.isLeak(row, column) ? Kind::Leaks : Kind::Moves;
}

/// The largest finite norm, for the intensities.
double largestNorm(const Matrix& norms)
{
    double largest = 0;
    for (Index n = 0; n < norms.size(); ++n)
        if (std::isfinite(norms.data()[n]))
            largest = std::max(largest, double(norms.data()[n]));
    return largest;
}

QColor colorOf(Kind kind, double part, const Theme& theme)
{
    switch (kind) {
    case Kind::Zero:
        return theme.hairline;
    case Kind::Undefined:
        return theme.tint(theme.invalid);
    case Kind::Moves:
        return mixed(theme.valid, theme.panel, 0.35 + 0.65 * std::sqrt(part));
    case Kind::Leaks:
        break;
    }
    return mixed(theme.invalid, theme.panel, 0.45 + 0.55 * std::sqrt(part));
}

void paintCell(QPainter& painter, const QRectF& box, Kind kind, double part, const Theme& theme)
{
    painter.setPen(Qt::NoPen);
    painter.setBrush(colorOf(kind, part, theme));
    painter.drawRoundedRect(box, 1.5, 1.5);
    if (kind == Kind::Undefined)
        paintHatching(painter, box, mixed(theme.invalid, theme.panel, 0.6), 4);
    if (kind == Kind::Leaks && box.width() > 6) {
        painter.setBrush(theme.panel);
        const double dot = std::clamp(box.width() / 8, 1.0, 3.0);
        painter.drawEllipse(box.center(), dot, dot);
    }
}

/// Many cells: a pixel shows the most serious of those that it covers, so no leak is lost.
void paintMany(QPainter& painter, const InfluenceMap& map, const QRectF& box, double largest,
               const Theme& theme)
{
    const Matrix& norms = map.influence.norms;
    // On whole device pixels, or the nearest-neighbour image would skip some of its own.
    const QTransform& toDevice = painter.deviceTransform();
    const QRect pixels = toDevice.mapRect(box).toAlignedRect();
    const auto width = std::min<Index>(norms.cols(), pixels.width());
    const auto height = std::min<Index>(norms.rows(), pixels.height());
    QImage image(static_cast<int>(width), static_cast<int>(height), QImage::Format_RGB32);
    for (Index y = 0; y < height; ++y)
        for (Index x = 0; x < width; ++x) {
            Kind kind = Kind::Zero;
            float norm = 0;
            for (Index i = y * norms.rows() / height; i < (y + 1) * norms.rows() / height; ++i)
                for (Index j = x * norms.cols() / width; j < (x + 1) * norms.cols() / width; ++j) {
                    kind = std::max(kind, kindOf(map, i, j));
                    norm = std::max(norm, norms(i, j));
                }
            image.setPixelColor(static_cast<int>(x), static_cast<int>(y),
                                colorOf(kind, std::min(1.0, norm / largest), theme));
        }
    painter.setRenderHint(QPainter::SmoothPixmapTransform, false);
    painter.drawImage(toDevice.inverted().mapRect(QRectF(pixels)), image);
}

void paintMap(QPainter& painter, const InfluenceMap& map, const QRectF& box, const Theme& theme)
{
    const Matrix& norms = map.influence.norms;
    const double largest = std::max(1e-300, largestNorm(norms));
    const double cellWidth = box.width() / static_cast<double>(norms.cols());
    const double cellHeight = box.height() / static_cast<double>(norms.rows());
    if (std::min(cellWidth, cellHeight) < kSmallestCell) {
        paintMany(painter, map, box, largest, theme);
        return;
    }
    const double gap = std::min(cellWidth, cellHeight) > 8 ? 1.5 : 0.75;
    for (Index i = 0; i < norms.rows(); ++i)
        for (Index j = 0; j < norms.cols(); ++j)
            paintCell(painter,
                      {box.left() + static_cast<double>(j) * cellWidth,
                       box.top() + static_cast<double>(i) * cellHeight, cellWidth - gap,
                       cellHeight - gap},
                      kindOf(map, i, j), norms(i, j) / largest, theme);
}

QString legend()
{
    return tr("Column: what is nudged. Row: what moves. Grey: exactly 0.");
}

} // namespace

QString InfluenceMap::title() const
{
    switch (nudged) {
    case Nudged::Token:
        return tr("tokens");
    case Nudged::QueryToken:
        return tr("query tokens");
    case Nudged::KeyToken:
        return tr("key tokens");
    case Nudged::QueryVector:
        return tr("queries");
    case Nudged::Example:
        return tr("examples");
    case Nudged::Head:
        break;
    }
    return tr("heads");
}

bool InfluenceMap::isLeak(Index row, Index column) const
{
    const Index moves = influence.rows[static_cast<std::size_t>(row)];
    const Index isNudged = influence.columns[static_cast<std::size_t>(column)];
    switch (nudged) {
    case Nudged::Token:
        return isNudged > moves + offset;
    case Nudged::QueryToken:
    case Nudged::KeyToken:
        return false; // across two sequences there is no future
    case Nudged::QueryVector:
    case Nudged::Example:
    case Nudged::Head:
        break;
    }
    return isNudged != moves;
}

QString InfluenceMap::words(Index row, Index column) const
{
    const QString moving = rowNames[static_cast<std::size_t>(row)].plain();
    const QString pushed = columnNames[static_cast<std::size_t>(column)].plain();
    const float norm = influence.norms(row, column);
    if (std::isnan(norm))
        return tr("What %2 does to %1 is undefined.").arg(moving, pushed);
    if (norm == 0.0F)
        return tr("%1 does not move when %2 is nudged: exactly 0.").arg(moving, pushed);
    const QString text = tr("%1 moves when %2 is nudged; norm of the derivative %3.")
                             .arg(moving, pushed, QString::number(double(norm), 'g', 3));
    if (!isLeak(row, column))
        return text;
    return text + QLatin1Char(' ') +
           (nudged == Nudged::Token ? tr("That is a later token.")
                                    : tr("On the key axis the two are independent."));
}

double influenceHeight(const InfluenceFigure& figure, double width)
{
    const QFontMetricsF metrics(uiFont(12));
    const double words =
        metrics.boundingRect({0, 0, width, 1000}, Qt::TextWordWrap, figure.sentence).height() +
        metrics.boundingRect({0, 0, width, 1000}, Qt::TextWordWrap, legend()).height() + 4;
    const auto n = static_cast<double>(std::max<std::size_t>(1, figure.maps.size()));
    return std::min(kTallest, (width - (n - 1) * kGap) / n) + kTitle + 6 + words;
}

InfluenceLayout layoutInfluence(const InfluenceFigure& figure, QSizeF size)
{
    InfluenceLayout layout;
    const auto n = static_cast<double>(std::max<std::size_t>(1, figure.maps.size()));
    const double room = (size.width() - (n - 1) * kGap) / n;
    const double side = std::min(kTallest, room);
    for (std::size_t m = 0; m < figure.maps.size(); ++m) {
        const Matrix& norms = figure.maps[m].influence.norms;
        const auto rows = static_cast<double>(std::max<Index>(1, norms.rows()));
        const auto cols = static_cast<double>(std::max<Index>(1, norms.cols()));
        // Few cells make a small square of large cells, not one huge block.
        const double cell = std::min({side / rows, side / cols, 24.0});
        const double left = static_cast<double>(m) * (room + kGap) + (room - cell * cols) / 2;
        layout.boxes.emplace_back(left, side - cell * rows, cell * cols, cell * rows);
    }
    const double top = side + kTitle + 6;
    layout.words = {0, top, size.width(), std::max(0.0, size.height() - top)};
    return layout;
}

std::optional<InfluenceHit> hitInfluence(const InfluenceFigure& figure,
                                         const InfluenceLayout& layout, QPointF point)
{
    for (std::size_t m = 0; m < figure.maps.size(); ++m) {
        const QRectF& box = layout.boxes[m];
        const Matrix& norms = figure.maps[m].influence.norms;
        if (norms.size() == 0 || !box.contains(point))
            continue;
        const auto at = [](double part, Index n) {
            return std::clamp<Index>(static_cast<Index>(part * static_cast<double>(n)), 0, n - 1);
        };
        return InfluenceHit{m, at((point.y() - box.top()) / box.height(), norms.rows()),
                            at((point.x() - box.left()) / box.width(), norms.cols())};
    }
    return std::nullopt;
}

void paintInfluence(QPainter& painter, const InfluenceFigure& figure, const InfluenceLayout& layout,
                    const Theme& theme)
{
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    bool leaks = false;
    for (std::size_t m = 0; m < figure.maps.size(); ++m) {
        const InfluenceMap& map = figure.maps[m];
        const Matrix& norms = map.influence.norms;
        if (norms.size() == 0)
            continue;
        const QRectF& box = layout.boxes[m];
        paintMap(painter, map, box, theme);
        for (Index i = 0; i < norms.rows() && !leaks; ++i)
            for (Index j = 0; j < norms.cols() && !leaks; ++j)
                leaks = kindOf(map, i, j) == Kind::Leaks;
        const double width = layout.words.width() / static_cast<double>(figure.maps.size());
        const QFont font = uiFont(11);
        drawLabel(painter, {box.center().x() - width / 2, box.bottom() + 3, width, kTitle - 3},
                  Qt::AlignHCenter, Label(map.title()).elided(font, width - 2), font, theme.muted);
    }
    constexpr int kFlags = Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap;
    painter.setFont(uiFont(12));
    painter.setPen(leaks ? theme.invalid : theme.ink);
    QRectF used;
    painter.drawText(layout.words, kFlags, figure.sentence, &used);
    painter.setPen(theme.muted);
    painter.drawText(layout.words.adjusted(0, used.height() + 4, 0, 0), kFlags, legend());
    painter.restore();
}

} // namespace keyaxis
