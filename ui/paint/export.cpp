#include "ui/paint/export.h"

#include "core/io/file_bytes.h"

#include <QBuffer>
#include <QFontMetricsF>
#include <QImage>
#include <QPageLayout>
#include <QPdfWriter>
#include <QRegularExpression>
#include <QSvgGenerator>

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

void paint(QPaintDevice& device, const Picture& picture, const Theme& theme, QSizeF size,
           double unitsPerPoint)
{
    QPainter painter(&device);
    painter.setRenderHint(QPainter::LosslessImageRendering, true); // a PDF gets JPEG cells without
    painter.scale(unitsPerPoint, unitsPerPoint);
    painter.fillRect(QRectF(QPointF(0, 0), size), theme.paper);
    constexpr double kMargin = 12;
    painter.translate(kMargin, kMargin);
    picture.paint(painter, {size.width() - 2 * kMargin, size.height() - 2 * kMargin});
}

Result<QByteArray> png(const Picture& picture, const Theme& theme, const ExportOptions& options)
{
    const QSize pixels = options.size.toSize();
    if (options.size.width() * options.size.height() > kMostPixels || pixels.width() > 32767 ||
        pixels.height() > 32767)
        return tooLarge(options.size, "pixels", QStringLiteral("200 million pixels are the limit"));
    QImage image(pixels, QImage::Format_RGB32);
    if (image.isNull())
        return tooLarge(options.size, "pixels", QStringLiteral("there is not enough memory"));
    const double scale = options.dpi / 96.0;
    image.setText(QStringLiteral("Description"), picture.description);
    image.setDotsPerMeterX(qRound(options.dpi / 0.0254));
    image.setDotsPerMeterY(qRound(options.dpi / 0.0254));
    paint(image, picture, theme, options.size / scale, scale);
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    image.save(&buffer, "PNG");
    return bytes;
}

Result<QByteArray> pdf(const Picture& picture, const Theme& theme, const ExportOptions& options)
{
    if (options.size.width() > kMostPoints || options.size.height() > kMostPoints)
        return tooLarge(options.size, "points", QStringLiteral("a PDF page has at most 14400"));
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    {
        QPdfWriter writer(&buffer);
        writer.setCreator(QStringLiteral("Keyaxis"));
        writer.setTitle(picture.description);
        writer.setResolution(kPdfDpi);
        writer.setPageLayout(
            QPageLayout(QPageSize(options.size, QPageSize::Point, {}, QPageSize::ExactMatch),
                        QPageLayout::Portrait, QMarginsF()));
        paint(writer, picture, theme, options.size, kPdfDpi / 72.0);
    }
    return bytes;
}

/// Tells viewers that lack the font how wide each text is, so that none runs into its neighbour.
QByteArray withTextLengths(const QByteArray& bytes)
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
        result += match.captured(1) +
                  QStringLiteral(" textLength=\"%1\" lengthAdjust=\"spacingAndGlyphs\">")
                      .arg(QFontMetricsF(font).horizontalAdvance(text)) +
                  match.captured(4) + QStringLiteral("</text>");
        end = match.capturedEnd();
    }
    result += QStringView(svg).mid(end);
    return result.toUtf8();
}

Result<QByteArray> svg(const Picture& picture, const Theme& theme, const ExportOptions& options)
{
    if (options.size.width() > kMostUnits || options.size.height() > kMostUnits)
        return tooLarge(options.size, "points", QStringLiteral("an SVG has at most 32767"));
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
    paint(generator, picture, theme, options.size, 1.0);
    // Qt cannot say these. Only cells are rectangles: without the first, viewers blend the edges of
    // neighbours; curves stay smooth. A reader without the font takes one like it.
    bytes.replace("<rect ", "<rect shape-rendering=\"crispEdges\" ");
    bytes.replace(
        "font-family=\"Keyaxis Sans\"",
        "font-family=\"Keyaxis Sans, Inter, Arial, Liberation Sans, Helvetica, sans-serif\"");
    return withTextLengths(bytes);
}

} // namespace

Result<void> exportPicture(const Picture& picture, const Theme& theme, const ExportOptions& options,
                           const std::filesystem::path& path)
{
    const QString ending = QString::fromStdString(path.extension().string()).toLower();
    if (options.size.width() < 50 || options.size.height() < 50)
        return fail(Errc::BadValue, "A picture needs at least 50 × 50.");
    if (options.dpi < 1 || options.dpi > 9600)
        return fail(Errc::BadValue, "A resolution of " + std::to_string(options.dpi) +
                                        " dpi is not between 1 and 9600.");
    std::error_code error;
    const auto status = std::filesystem::status(path, error);
    const bool isStream = ending.isEmpty() && std::filesystem::exists(status) &&
                          !std::filesystem::is_regular_file(status);
    Result<QByteArray> bytes;
    if (ending == QLatin1String(".png") || isStream)
        bytes = png(picture, theme, options);
    else if (ending == QLatin1String(".pdf"))
        bytes = pdf(picture, theme, options);
    else if (ending == QLatin1String(".svg"))
        bytes = svg(picture, theme, options);
    else
        return fail(Errc::BadValue, "'" + ending.toStdString() +
                                        "' is not a picture format that is written; .png, .svg and "
                                        ".pdf are.");
    if (!bytes)
        return tl::unexpected(bytes.error());
    return writeBytes(path, std::as_bytes(std::span(bytes->constData(),
                                                    static_cast<std::size_t>(bytes->size()))));
}

Result<void> exportFigure(const Figure& figure, const Theme& theme, const ExportOptions& options,
                          const std::filesystem::path& path)
{
    const auto paintOn = [&](QPainter& painter, QSizeF size) {
        paintFigure(painter, figure, layoutFigure(figure, size), theme);
    };
    return exportPicture({paintOn, figure.settingsLine}, theme, options, path);
}

} // namespace keyaxis
