#include "ui/widgets/slice_tray.h"

#include "ui/paint/color_map.h"
#include "ui/widgets/fitted_number.h"

#include <QPainter>
#include <algorithm>
#include <cmath>
#include <numeric>

namespace keyaxis {

namespace {

constexpr int kMostLines = 12;
constexpr double kLineHeight = 20;
constexpr double kHeadHeight = 20;
constexpr double kNameWidth = 62;
constexpr double kLogitWidth = 46;
constexpr double kShareWidth = 36;
constexpr double kValueWidth = 50; ///< the number behind a bar
constexpr double kValueGap = 6;

/// The members that are written out: the allowed ones, or the largest shares among very many.
std::vector<Index> shownMembers(const OneSlice& slice)
{
    std::vector<Index> members;
    for (Index m = 0; m < static_cast<Index>(slice.logits.size()); ++m)
        if (slice.isAllowed(m))
            members.push_back(m);
    if (members.size() <= kMostLines)
        return members;
    const auto weight = [&](Index m) {
        // The pointed-at member is always among them.
        return m == slice.at ? 2.0F : slice.weights[static_cast<std::size_t>(m)];
    };
    std::stable_sort(members.begin(), members.end(),
                     [&](Index a, Index b) { return weight(a) > weight(b); });
    members.resize(kMostLines - 1);
    std::sort(members.begin(), members.end());
    return members;
}

/// `value` with as many of its digits as `width` has room for. What is not 0 never becomes 0.00.
QString numberFor(double value, const QFont& font, double width)
{
    const bool vanishes = value != 0 && std::abs(value) < 0.005;
    return fittedNumber(vanishes ? powerText(value, 3) : shortNumber(value), value, font, width);
}

/// e^s, also where no double holds it.
QString exponentialText(double logit, const QFont& font, double width)
{
    const double value = std::exp(logit);
    if (std::isfinite(logit) && std::isinf(value))
        return QStringLiteral("> 1e99");
    if (std::isfinite(logit) && value == 0)
        return QStringLiteral("< 1e-99");
    return numberFor(value, font, width);
}

QString shareText(double share)
{
    if (share != 0 && std::abs(share) < 0.005)
        return share > 0 ? QStringLiteral("<.01") : QStringLiteral("-.00");
    return QString::number(share, 'f', 2);
}

} // namespace

SliceTray::SliceTray(QWidget* parent) : QWidget(parent)
{
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void SliceTray::setTheme(const Theme& theme)
{
    m_theme = theme;
    update();
}

void SliceTray::clear()
{
    m_lines.clear();
    m_message.clear();
    updateGeometry();
    update();
}

void SliceTray::show(const std::shared_ptr<const ShownResults>& shown, const OneSlice& slice)
{
    clear();
    m_axis = slice.axis;
    m_isGiven = slice.isGiven;
    m_hasExponentials = slice.temperature > 0 && !m_isGiven;
    if (slice.nAllowed() == 0) {
        m_message = tr("Nothing is allowed in this slice: 0/0.");
        return;
    }
    const auto at = [](const std::vector<float>& values, Index m) {
        return double(values[static_cast<std::size_t>(m)]);
    };
    const double largest = *std::max_element(slice.logits.begin(), slice.logits.end());
    m_total = std::accumulate(slice.weights.begin(), slice.weights.end(), 0.0);
    if (!std::isfinite(m_total)) {
        m_message = m_isGiven
                        ? tr("A weight of this slice is NaN or infinite: it has no sum.")
                        : tr("A logit of this slice is NaN or +∞, so every share of it is NaN.");
        return;
    }
    const QFont bold = uiFont(12, QFont::Bold); // the widest that a line is written in
    double rest = m_total;
    double largestWeight = 0;
    for (const float weight : slice.weights)
        largestWeight = std::max(largestWeight, std::abs(double(weight)));
    const std::vector<Index> members = shownMembers(slice);
    for (const Index m : members) {
        const double logit = at(slice.logits, m);
        const double share = at(slice.weights, m);
        if (m_isGiven) // nothing stands before it
            m_lines.push_back({memberName(*shown, slice, m),
                               {},
                               {},
                               largestWeight > 0 ? std::abs(share) / largestWeight : 0,
                               share,
                               m == slice.at});
        else
            m_lines.push_back({memberName(*shown, slice, m), numberFor(logit, bold, kLogitWidth),
                               exponentialText(logit, uiFont(11), kValueWidth - kValueGap),
                               std::exp(logit - largest), share, m == slice.at});
        rest -= share;
    }
    const Index nOthers = slice.nAllowed() - static_cast<Index>(members.size());
    if (nOthers > 0)
        m_lines.push_back({Label(tr("%1 others").arg(nOthers)),
                           {},
                           {},
                           0,
                           m_isGiven ? rest : std::max(0.0, rest),
                           false,
                           true});
    setAccessibleName(sliceTitle(*shown, slice).plain());
    updateGeometry();
}

QSize SliceTray::sizeHint() const
{
    const double nLines = m_message.isEmpty() ? static_cast<double>(m_lines.size()) + 1.3 : 1.5;
    return {300, static_cast<int>(kHeadHeight + kLineHeight * nLines)};
}

double SliceTray::barsLeft() const
{
    return kNameWidth + kLogitWidth + 10;
}
double SliceTray::barsRight() const
{
    return width() - kShareWidth;
}
bool SliceTray::hasRoomForValues() const
{
    return barsRight() - barsLeft() > 2.2 * kValueWidth;
}

void SliceTray::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    if (!m_message.isEmpty()) {
        painter.setPen(m_theme.invalid);
        painter.setFont(uiFont(13));
        painter.drawText(rect(), Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap, m_message);
        return;
    }
    if (m_lines.empty())
        return;
    const QFont font = uiFont(11);
    if (!m_isGiven)
        drawLabel(painter, {kNameWidth, 0, kLogitWidth, kHeadHeight}, Qt::AlignRight,
                  Label(QStringLiteral("s")), font, m_theme.muted);
    if (m_hasExponentials)
        drawLabel(painter, {barsLeft(), 0, 60, kHeadHeight}, Qt::AlignLeft,
                  Label(QStringLiteral("e")).super(QStringLiteral("s")), font, m_theme.muted);
    drawLabel(painter, {barsRight(), 0, kShareWidth, kHeadHeight}, Qt::AlignRight,
              Label(m_hasExponentials ? QStringLiteral("÷ Σ")
                    : m_isGiven       ? QStringLiteral("w")
                                      : tr("share")),
              font, m_theme.muted);
    double top = kHeadHeight;
    for (const Line& line : m_lines) {
        paintLine(painter, line, top);
        top += kLineHeight;
    }
    paintShares(painter, top + 3);
}

void SliceTray::paintLine(QPainter& painter, const Line& line, double top) const
{
    const QFont font = uiFont(12, line.isAt ? QFont::Bold : QFont::Normal);
    const QColor color = line.isRest ? m_theme.muted : m_theme.ink;
    drawLabel(painter, {0, top, kNameWidth, kLineHeight}, Qt::AlignLeft,
              line.name.elided(font, kNameWidth), font, color);
    drawLabel(painter, {kNameWidth, top, kLogitWidth, kLineHeight}, Qt::AlignRight,
              Label(line.logit), font, color);
    drawLabel(painter, {barsRight(), top, kShareWidth, kLineHeight}, Qt::AlignRight,
              Label(shareText(line.share)), uiFont(12, QFont::DemiBold), color);
    if (!hasBars() || line.isRest)
        return;
    const double behind = hasRoomForValues() ? kValueWidth : 10;
    const double length = std::max(1.5, line.barLength * (barsRight() - barsLeft() - behind));
    painter.setPen(Qt::NoPen);
    const bool isNegative = line.share < 0; // a loaded one: no softmax makes it
    painter.setBrush(mixed(isNegative ? m_theme.invalid : m_theme.axisColor(m_axis), m_theme.panel,
                           line.isAt ? 1.0 : 0.65));
    painter.drawRoundedRect(QRectF(barsLeft(), top + 4, length, kLineHeight - 8), 2, 2);
    if (!hasRoomForValues())
        return;
    drawLabel(painter, {barsLeft() + length + kValueGap, top, kValueWidth, kLineHeight},
              Qt::AlignLeft, Label(line.exponential), uiFont(11), m_theme.muted);
}

/// The shares one after another, each in its colour on the maps.
void SliceTray::paintShares(QPainter& painter, double top) const
{
    drawLabel(painter, {0, top, kNameWidth + kLogitWidth, kLineHeight}, Qt::AlignRight,
              Label(m_isGiven ? tr("sum") : tr("shares")), uiFont(11), m_theme.muted);
    const ColorMap colors(Palette::Viridis, {});
    const double width = barsRight() - barsLeft() - 10;
    double positive = 0;
    for (const Line& line : m_lines)
        positive += std::max(0.0, line.share);
    double left = barsLeft();
    for (const Line& line : m_lines) {
        const double part = m_total > 0 ? width * std::max(0.0, line.share) / positive : 0;
        // A hairline of the panel between neighbours, unless that is all there is of one.
        const QRectF box(left, top + 4, part > 2 ? part - 1 : part, kLineHeight - 8);
        painter.fillRect(box, line.isRest ? m_theme.hairline
                                          : colors.color(static_cast<float>(line.share)));
        left += part;
    }
    drawLabel(painter, {barsRight(), top, kShareWidth, kLineHeight}, Qt::AlignRight,
              Label(QString::number(m_total, 'f', 2)), uiFont(12, QFont::Bold), m_theme.ink);
}

} // namespace keyaxis
