#pragma once

#include "core/result.h"
#include "ui/paint/figure.h"

#include <QImage>
#include <filesystem>
#include <functional>

namespace keyaxis {

/// How large a picture becomes.
struct ExportOptions {
    QSizeF size{1600, 1000};          ///< pixels for PNG, points otherwise
    int dpi = 96;                     ///< PNG only: 96 means one unit of the layout is one pixel
    double scale = 1;                 ///< makes type, lines and all larger on the same page
    bool isTransparent = false;       ///< without paper
    std::vector<std::byte> session{}; ///< the bytes of NAME.keyaxis that it carries; empty: none
    bool textAsPaths = false;         ///< SVG and PDF: needs no font, but cannot be searched
};

/// Anything that can be drawn on a page.
struct Picture {
    std::function<void(QPainter&, QSizeF)> paint; ///< one unit is a point; the size is the page's
    QString description;                          ///< goes into the file
};

/// Draws `picture` and writes it by `path`'s ending: .png, .svg or .pdf; a pipe or a device without
/// an ending gets PNG. A regular file is replaced as a whole.
///
/// @errors BadValue for another ending or a picture too large for its format, before it is painted;
///         BadOutput where the file cannot be written.
Result<void> exportPicture(const Picture& picture, const Theme& theme, const ExportOptions& options,
                           const std::filesystem::path& path);

/// Whether a picture of this size can be written in the format of `ending`.
///
/// @errors BadValue, as exportPicture would say.
Result<void> checkPage(const ExportOptions& options, const QString& ending);

/// Draws `picture` with its margin on a page of `size` units.
void paintPage(QPainter& painter, const Picture& picture, const Theme& theme, QSizeF size,
               bool isTransparent);

/// A picture as pixels, on a page that `checkPage` allows for a PNG.
QImage pictureImage(const Picture& picture, const Theme& theme, const ExportOptions& options);

/// The picture of a figure of maps.
Picture pictureOf(const Figure& figure, const Theme& theme);

/// Draws and writes a figure of maps.
Result<void> exportFigure(const Figure& figure, const Theme& theme, const ExportOptions& options,
                          const std::filesystem::path& path);

} // namespace keyaxis
