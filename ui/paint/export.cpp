#include "ui/paint/export.h"

#include "core/io/figure_session.h"

#include <QBuffer>
#include <QFontMetricsF>
#include <QImage>
#include <QPageLayout>
#include <QPainterPath>
#include <QPdfWriter>
#include <QRegularExpression>
#include <QSvgGenerator>
#include <QSvgRenderer>
#include <algorithm>

namespace keyaxis {

namespace {

constexpr double kMostPixels = 200e6; // 800 MB while it is painted
constexpr double kMostPoints = 14400; // the largest page that PDF readers open
constexpr double kMostUnits = 32767;  // what viewers of SVG still lay out
constexpr int kPdfDpi = 1200;

tl::unexpected<Error> tooLarge(const QSizeF& size, const char* unit, const QString& limit)
{
    return fail(Errc::BadValue, QStringLiteral("A picture of %1 × %2 %3 is too large; %4.")
                                    .arg(size.width())
                                    .arg(size.height())
                                    .arg(QLatin1String(unit), limit)
                                    .toStdString());
}

/// @param points       the page in points of the layout, before `options.scale`.
/// @param deviceUnits  of the device for each of them.
void paint(QPaintDevice& device, const Picture& picture, const Theme& theme,
           const ExportOptions& options, QSizeF points, double deviceUnits)
{
    QPainter painter(&device);
    painter.setRenderHint(QPainter::LosslessImageRendering, true); // a PDF gets JPEG cells without
    const double scale = deviceUnits * options.scale;
    painter.scale(scale, scale);
    paintPage(painter, picture, theme, points / options.scale, options.isTransparent);
}

QByteArray png(const Picture& picture, const Theme& theme, const ExportOptions& options)
{
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    pictureImage(picture, theme, options).save(&buffer, "PNG");
    return bytes;
}

QByteArray svg(const Picture& picture, const Theme& theme, const ExportOptions& options);

QByteArray pdf(const Picture& picture, const Theme& theme, const ExportOptions& options)
{
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    {
        QPdfWriter writer(&buffer);
        writer.setCreator(QStringLiteral("Keyaxis"));
        writer.setTitle(picture.description);
        writer.setResolution(kPdfDpi);
        if (!options.session.empty())
            writer.addFileAttachment(
                QLatin1String(kAttachedSession),
                QByteArray(reinterpret_cast<const char*>(options.session.data()),
                           static_cast<qsizetype>(options.session.size())),
                QStringLiteral("application/zip"));
        writer.setPageLayout(
            QPageLayout(QPageSize(options.size, QPageSize::Point, {}, QPageSize::ExactMatch),
                        QPageLayout::Portrait, QMarginsF()));
        constexpr double kUnits = kPdfDpi / 72.0;
        if (options.textAsPaths) { // Qt's PDF writer knows fonts only; the SVG has the outlines
            QSvgRenderer outlines(svg(picture, theme, options));
            QPainter painter(&writer);
            painter.setRenderHint(QPainter::LosslessImageRendering, true);
            outlines.render(&painter, QRectF(QPointF(0, 0), options.size * kUnits));
        } else {
            paint(writer, picture, theme, options, options.size, kUnits);
        }
    }
    return bytes;
}

/// `path` in the words of SVG.
QString pathData(const QPainterPath& path)
{
    QString data;
    const auto point = [&](const QPainterPath::Element& at) {
        data += QString::number(at.x, 'g', 7) + QLatin1Char(' ') + QString::number(at.y, 'g', 7) +
                QLatin1Char(' ');
    };
    for (int n = 0; n < path.elementCount(); ++n) {
        const QPainterPath::Element& at = path.elementAt(n);
        data += at.isMoveTo()                             ? QStringLiteral("M")
                : at.isLineTo()                           ? QStringLiteral("L")
                : at.type == QPainterPath::CurveToElement ? QStringLiteral("C")
                                                          : QString();
        point(at);
    }
    return data;
}

/// A text of the file as outlines.
QString outlineOf(const QRegularExpressionMatch& element, const QString& text, const QFont& font)
{
    static const QRegularExpression fill(QStringLiteral("fill=\"([^\"]*)\""));
    static const QRegularExpression x(QStringLiteral(" x=\"([^\"]*)\""));
    static const QRegularExpression y(QStringLiteral(" y=\"([^\"]*)\""));
    const QString tag = element.captured(1);
    QPainterPath path;
    path.addText(QPointF(x.match(tag).captured(1).toDouble(), y.match(tag).captured(1).toDouble()),
                 font, text);
    return QStringLiteral("<path fill=\"%1\" stroke=\"none\" fill-rule=\"nonzero\" d=\"%2\"/>")
        .arg(fill.match(tag).captured(1), pathData(path));
}

/// Tells viewers that lack the font how wide each text is, so that none runs into its neighbour;
/// or makes outlines of all text.
QByteArray withTexts(const QByteArray& bytes, bool asPaths)
{
    static const QRegularExpression element(QLatin1String(
        R"re((<text [^>]*font-size="(\d+)" font-weight="(\d+)"[^>]*)>([^<]*)</text>)re"));
    const QString svg = QString::fromUtf8(bytes);
    QString result;
    qsizetype end = 0;
    for (auto matches = element.globalMatch(svg); matches.hasNext();) {
        const QRegularExpressionMatch match = matches.next();
        QString text = match.captured(4);
        text.replace(QLatin1String("&lt;"), QLatin1String("<"))
            .replace(QLatin1String("&gt;"), QLatin1String(">"))
            .replace(QLatin1String("&quot;"), QLatin1String("\""))
            .replace(QLatin1String("&amp;"), QLatin1String("&"));
        const QFont font = uiFont(match.captured(2).toInt(),
                                  static_cast<QFont::Weight>(match.captured(3).toInt()));
        result += QStringView(svg).mid(end, match.capturedStart() - end);
        end = match.capturedEnd();
        if (asPaths) {
            result += outlineOf(match, text, font);
            continue;
        }
        result += match.captured(1) +
                  QStringLiteral(" textLength=\"%1\" lengthAdjust=\"spacingAndGlyphs\">")
                      .arg(QFontMetricsF(font).horizontalAdvance(text)) +
                  match.captured(4) + QStringLiteral("</text>");
    }
    result += QStringView(svg).mid(end);
    return result.toUtf8();
}

QByteArray svg(const Picture& picture, const Theme& theme, const ExportOptions& options)
{
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    QSvgGenerator generator;
    generator.setOutputDevice(&buffer);
    generator.setResolution(72);
    generator.setSize(options.size.toSize());
    generator.setViewBox(QRectF(QPointF(0, 0), options.size));
    generator.setTitle(QStringLiteral("Keyaxis"));
    generator.setDescription(picture.description);
    paint(generator, picture, theme, options, options.size, 1.0);
    // Qt cannot say these. Only cells are rectangles: without the first, viewers blend the edges of
    // neighbours; curves stay smooth. A reader without the font takes one like it.
    bytes.replace("<rect ", "<rect shape-rendering=\"crispEdges\" ");
    bytes.replace(
        "font-family=\"Keyaxis Sans\"",
        "font-family=\"Keyaxis Sans, Inter, Arial, Liberation Sans, Helvetica, sans-serif\"");
    return withTexts(bytes, options.textAsPaths);
}

} // namespace

Result<void> checkPage(const ExportOptions& options, const QString& ending)
{
    const QSizeF size = options.size;
    if (size.width() < 50 || size.height() < 50)
        return fail(Errc::BadValue, "A picture needs at least 50 × 50.");
    if (options.dpi < 1 || options.dpi > 9600)
        return fail(Errc::BadValue, "A resolution of " + std::to_string(options.dpi) +
                                        " dpi is not between 1 and 9600.");
    const double longest = std::max(size.width(), size.height());
    if (ending == QLatin1String(".png")) {
        if (size.width() * size.height() > kMostPixels || longest > kMostUnits)
            return tooLarge(size, "pixels", QStringLiteral("200 million pixels are the limit"));
    } else if (ending == QLatin1String(".pdf")) {
        if (longest > kMostPoints)
            return tooLarge(size, "points", QStringLiteral("a PDF page has at most 14400"));
    } else if (ending == QLatin1String(".svg")) {
        if (longest > kMostUnits)
            return tooLarge(size, "points", QStringLiteral("an SVG has at most 32767"));
    } else {
        return fail(Errc::BadValue, "'" + ending.toStdString() +
                                        "' is not a picture format that is written; .png, .svg and "
                                        ".pdf are.");
    }
    return {};
}

void paintPage(QPainter& painter, const Picture& picture, const Theme& theme, QSizeF size,
               bool isTransparent)
{
    if (!isTransparent)
        painter.fillRect(QRectF(QPointF(0, 0), size), theme.paper);
    constexpr double kMargin = 12;
    painter.save();
    painter.translate(kMargin, kMargin);
    picture.paint(painter, {size.width() - 2 * kMargin, size.height() - 2 * kMargin});
    painter.restore();
}

QImage pictureImage(const Picture& picture, const Theme& theme, const ExportOptions& options)
{
    QImage image(options.size.toSize(),
                 options.isTransparent ? QImage::Format_ARGB32 : QImage::Format_RGB32);
    image.fill(Qt::transparent);
    image.setText(QStringLiteral("Description"), picture.description);
    image.setDotsPerMeterX(qRound(options.dpi / 0.0254));
    image.setDotsPerMeterY(qRound(options.dpi / 0.0254));
    paint(image, picture, theme, options, options.size * 96.0 / options.dpi, options.dpi / 96.0);
    return image;
}

Picture pictureOf(const Figure& figure, const Theme& theme)
{
    return {[figure, theme](QPainter& painter, QSizeF size) {
                paintFigure(painter, figure, layoutFigure(figure, size), theme);
            },
            figure.settingsLine};
}

Result<void> exportPicture(const Picture& picture, const Theme& theme, const ExportOptions& options,
                           const std::filesystem::path& path)
{
    const QString ending = QString::fromStdString(path.extension().string()).toLower();
    std::error_code error;
    const auto status = std::filesystem::status(path, error);
    const bool isStream = ending.isEmpty() && std::filesystem::exists(status) &&
                          !std::filesystem::is_regular_file(status);
    const QString format = isStream ? QStringLiteral(".png") : ending;
    if (const auto fits = checkPage(options, format); !fits)
        return fits;
    const bool isPdf = format == QLatin1String(".pdf");
    const QByteArray drawn = format == QLatin1String(".png") ? png(picture, theme, options)
                             : isPdf                         ? pdf(picture, theme, options)
                                                             : svg(picture, theme, options);
    const BytesView bytes =
        std::as_bytes(std::span(drawn.constData(), static_cast<std::size_t>(drawn.size())));
    if (options.session.empty() || isPdf) // a PDF has it attached
        return writeBytes(path, bytes);
    return writeBytes(path, figureWithSession(bytes, options.session));
}

Result<void> exportFigure(const Figure& figure, const Theme& theme, const ExportOptions& options,
                          const std::filesystem::path& path)
{
    return exportPicture(pictureOf(figure, theme), theme, options, path);
}

} // namespace keyaxis
