#include "ui/paint/label.h"

#include "ui/paint/shaped_text.h"
#include "ui/paint/theme.h"

#include <QFontMetricsF>
#include <QHash>
#include <QPainter>
#include <algorithm>
#include <optional>

namespace keyaxis {

namespace {

/// The font of a run: indices are smaller.
QFont fontOf(const Label::Run& run, const QFont& base)
{
    QFont font = base;
    if (run.place != Label::Place::Base)
        font.setPixelSize(std::max(6, base.pixelSize() * 7 / 10));
    if (run.isBold)
        font.setWeight(QFont::DemiBold);
    return font;
}

/// The sign for a space is drawn, an open box: few fonts have it, and those that do show two tiny
/// letters that are a blot at the size of a label.
constexpr QChar kSpaceSign = u'␠';

double spaceSignWidth(const QFont& font)
{
    return 0.62 * font.pixelSize();
}

double widthOf(const Label::Run& run, const QFont& base)
{
    const QFont font = fontOf(run, base);
    const qsizetype nSigns = run.text.count(kSpaceSign);
    if (nSigns == 0)
        return textWidth(run.text, font);
    QString others = run.text;
    others.remove(kSpaceSign);
    return textWidth(others, font) + static_cast<double>(nSigns) * spaceSignWidth(font);
}

void drawSpaceSign(QPainter& painter, QPointF baseline, const QFont& font, const QColor& color)
{
    const double px = font.pixelSize();
    const QRectF box(baseline.x() + 0.09 * px, baseline.y() - 0.22 * px, 0.44 * px, 0.26 * px);
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing, true);
    painter.setPen(QPen(color, std::max(1.0, 0.08 * px)));
    painter.drawPolyline(
        QPolygonF({box.topLeft(), box.bottomLeft(), box.bottomRight(), box.topRight()}));
    painter.restore();
}

/// Draws a run from `baseline` on.
void drawRun(QPainter& painter, QPointF baseline, const QString& text, const QFont& font,
             const QColor& color)
{
    const QStringList parts = text.split(kSpaceSign);
    for (qsizetype n = 0; n < parts.size(); ++n) {
        if (n > 0) {
            drawSpaceSign(painter, baseline, font, color);
            baseline.rx() += spaceSignWidth(font);
        }
        if (!parts[n].isEmpty())
            drawText(painter, baseline, parts[n], font);
        baseline.rx() += textWidth(parts[n], font);
    }
}

} // namespace

Label& Label::run(const QString& text, Place place, bool isBold)
{
    runs.push_back({text, place, isBold});
    return *this;
}

QString Label::plain() const
{
    QString text;
    for (const Run& run : runs)
        text += (run.place == Place::Super ? QStringLiteral("^")
                 : run.place == Place::Sub ? QStringLiteral("_")
                                           : QString()) +
                run.text;
    return text;
}

double Label::width(const QFont& font) const
{
    double width = 0;
    for (const Run& run : runs)
        width += widthOf(run, font);
    return width;
}

Label Label::elided(const QFont& font, double available) const
{
    if (width(font) <= available || runs.empty())
        return *this;
    Label shorter = *this;
    double others = 0;
    std::size_t longest = 0;
    for (std::size_t n = 0; n < runs.size(); ++n) {
        others += widthOf(runs[n], font);
        if (widthOf(runs[n], font) > widthOf(runs[longest], font))
            longest = n;
    }
    others -= widthOf(runs[longest], font);
    shorter.runs[longest].text =
        QFontMetricsF(fontOf(runs[longest], font))
            .elidedText(runs[longest].text, Qt::ElideRight, std::max(0.0, available - others));
    return shorter;
}

void drawLabel(QPainter& painter, const QRectF& box, Qt::Alignment alignment, const Label& label,
               const QFont& font, const QColor& color)
{
    const double fullWidth = label.width(font);
    const bool isCut = fullWidth > box.width();
    const Label cut = isCut ? label.elided(font, box.width()) : Label();
    const Label& shown = isCut ? cut : label;
    const double width = isCut ? cut.width(font) : fullWidth;
    const QFontMetricsF metrics(font);
    double x = box.left();
    if (alignment & Qt::AlignRight)
        x = box.right() - width;
    else if (alignment & Qt::AlignHCenter)
        x = box.center().x() - width / 2;
    // Capitals sit in the middle of the box, as the eye expects of a line beside a cell.
    double baseline = box.center().y() + metrics.capHeight() / 2;
    if (alignment & Qt::AlignTop)
        baseline = box.top() + metrics.ascent();
    else if (alignment & Qt::AlignBottom)
        baseline = box.bottom() - metrics.descent();
    painter.setPen(color);
    for (const Label::Run& run : shown.runs) {
        const double shift = run.place == Label::Place::Super ? -0.38 * font.pixelSize()
                             : run.place == Label::Place::Sub ? 0.18 * font.pixelSize()
                                                              : 0.0;
        drawRun(painter, {x, baseline + shift}, run.text, fontOf(run, font), color);
        if (&run != &shown.runs.back())
            x += widthOf(run, font);
    }
}

QString visibleToken(const std::string& token)
{
    if (token.empty())
        return QStringLiteral("∅");
    QString text;
    for (const QChar c : QString::fromStdString(token)) {
        if (c == u' ' || c == u'\u00A0')
            text += u'␠';
        else if (c == u'\n')
            text += u'⏎';
        else if (c == u'\t')
            text += u'⇥';
        else if (c == u'\r')
            text += u'␍';
        else if (!c.isPrint() && !c.isSurrogate())
            text += QStringLiteral("U+%1").arg(int(c.unicode()), 4, 16, QLatin1Char('0')).toUpper();
        else
            text += c;
    }
    return text;
}

QString drawable(const QString& text)
{
    QString result;
    std::optional<QFontMetrics> metrics; // most texts never need it
    for (const char32_t c : text.toUcs4()) {
        const QString sign = QString::fromUcs4(&c, 1);
        constexpr char32_t kLastOfLatin = 0x24F; // the bundled font has all of them
        if (c > kLastOfLatin && !metrics)
            metrics.emplace(uiFont(13));
        if (c <= kLastOfLatin || c == kSpaceSign.unicode() || metrics->inFontUcs4(c))
            result += sign;
        else
            result +=
                QStringLiteral("U+%1").arg(static_cast<uint>(c), 4, 16, QLatin1Char('0')).toUpper();
    }
    return result;
}

namespace {

Labels newTokenLabels(const TokenNames& names, Index b, Index n, char fallback)
{
    std::vector<QString> texts;
    QHash<QString, int> counts;
    for (Index t = 0; t < n; ++t) {
        texts.push_back(drawable(visibleToken(tokenName(names, b, t, fallback))));
        ++counts[texts.back()];
    }
    std::vector<Label> labels;
    for (std::size_t t = 0; t < texts.size(); ++t) {
        labels.emplace_back(texts[t]);
        if (counts[texts[t]] > 1)
            labels.back().sub(QString::number(t));
    }
    return labels;
}

} // namespace

Labels tokenLabels(const TokenNames& names, Index b, Index n, char fallback)
{
    struct Kept {
        TokenNames names;
        Index b = 0;
        Index n = 0;
        char fallback = 0;
        Labels labels;
    };
    constexpr std::size_t kMostKept = 4; // queries and keys, of two documents
    thread_local std::vector<Kept> kept;
    const auto known = std::ranges::find_if(kept, [&](const Kept& of) {
        return of.b == b && of.n == n && of.fallback == fallback && of.names == names;
    });
    if (known != kept.end())
        return known->labels;
    if (kept.size() == kMostKept)
        kept.erase(kept.begin());
    kept.push_back({names, b, n, fallback, newTokenLabels(names, b, n, fallback)});
    return kept.back().labels;
}

} // namespace keyaxis
