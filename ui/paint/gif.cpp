#include "ui/paint/gif.h"

#include <QHash>
#include <gif_lib.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <limits>
#include <utility>
#include <vector>

namespace keyaxis {

namespace {

constexpr int kMostColors = 256;

/// What has changed from one frame to the next; one pixel where nothing has.
QRect changed(const QImage& before, const QImage& after)
{
    if (before.isNull())
        return after.rect();
    QRect box;
    for (int y = 0; y < after.height(); ++y) {
        const auto* a = reinterpret_cast<const QRgb*>(before.constScanLine(y));
        const auto* b = reinterpret_cast<const QRgb*>(after.constScanLine(y));
        const auto [first, ignored] = std::mismatch(b, b + after.width(), a);
        if (first == b + after.width())
            continue;
        int last = after.width() - 1;
        while (a[last] == b[last])
            --last;
        box |= QRect(QPoint(static_cast<int>(first - b), y), QPoint(last, y));
    }
    return box.isEmpty() ? QRect(0, 0, 1, 1) : box;
}

int distance(QRgb a, QRgb b)
{
    const int red = qRed(a) - qRed(b);
    const int green = qGreen(a) - qGreen(b);
    const int blue = qBlue(a) - qBlue(b);
    return red * red + green * green + blue * blue;
}

/// The colours of `box`, and which of them each colour there becomes.
struct FramePalette {
    std::vector<QRgb> colors;
    QHash<QRgb, GifByteType> indices;
};

FramePalette paletteOf(const QImage& frame, const QRect& box)
{
    QHash<QRgb, qint64> counts;
    for (int y = box.top(); y <= box.bottom(); ++y) {
        const auto* line = reinterpret_cast<const QRgb*>(frame.constScanLine(y));
        for (int x = box.left(); x <= box.right(); ++x)
            ++counts[line[x]];
    }
    std::vector<std::pair<qint64, QRgb>> byCount;
    for (auto it = counts.cbegin(); it != counts.cend(); ++it)
        byCount.emplace_back(it.value(), it.key());
    std::sort(byCount.begin(), byCount.end(), std::greater<>());

    FramePalette palette;
    for (const auto& [count, color] : byCount) {
        if (std::ssize(palette.colors) < kMostColors) {
            palette.indices[color] = static_cast<GifByteType>(palette.colors.size());
            palette.colors.push_back(color);
            continue;
        }
        const auto nearest = std::min_element(
            palette.colors.begin(), palette.colors.end(),
            [c = color](QRgb a, QRgb b) { return distance(a, c) < distance(b, c); });
        palette.indices[color] = static_cast<GifByteType>(nearest - palette.colors.begin());
    }
    return palette;
}

/// The same as the library wants it: a power of two of them.
ColorMapObject* colorMapOf(const std::vector<QRgb>& colors)
{
    std::array<GifColorType, kMostColors> entries{};
    for (std::size_t n = 0; n < colors.size(); ++n)
        entries[n] = {static_cast<GifByteType>(qRed(colors[n])),
                      static_cast<GifByteType>(qGreen(colors[n])),
                      static_cast<GifByteType>(qBlue(colors[n]))};
    return GifMakeMapObject(1 << GifBitSize(std::max(2, static_cast<int>(colors.size()))),
                            entries.data());
}

int append(GifFileType* file, const GifByteType* bytes, int n)
{
    static_cast<QByteArray*>(file->UserData)->append(reinterpret_cast<const char*>(bytes), n);
    return n;
}

} // namespace

struct GifWriter::State {
    QByteArray bytes;
    GifFileType* file = nullptr;
    QImage last;
};

GifWriter::GifWriter(QSize size) : m_state(std::make_unique<State>())
{
    constexpr int kBits = 8; // of each primary colour
    assert(std::max(size.width(), size.height()) <= std::numeric_limits<GifWord>::max());
    m_state->file = EGifOpen(&m_state->bytes, append, nullptr);
    EGifSetGifVersion(m_state->file, true);
    EGifPutScreenDesc(m_state->file, size.width(), size.height(), kBits, 0, nullptr);
    // Every viewer repeats at the wish of this one: sub-block 1, and 0 times means without end.
    const std::array<GifByteType, 3> endless{1, 0, 0};
    EGifPutExtensionLeader(m_state->file, APPLICATION_EXT_FUNC_CODE);
    EGifPutExtensionBlock(m_state->file, 11, "NETSCAPE2.0");
    EGifPutExtensionBlock(m_state->file, static_cast<int>(endless.size()), endless.data());
    EGifPutExtensionTrailer(m_state->file);
}

GifWriter::~GifWriter()
{
    if (m_state->file)
        EGifCloseFile(m_state->file, nullptr);
}

void GifWriter::add(const QImage& frame, int milliseconds)
{
    const QImage image = frame.convertToFormat(QImage::Format_RGB32);
    const QRect box = changed(m_state->last, image);
    const FramePalette palette = paletteOf(image, box);

    GraphicsControlBlock control{};
    control.DisposalMode = DISPOSE_DO_NOT;              // what does not change stays
    control.DelayTime = std::max(2, milliseconds / 10); // viewers slow a shorter one down
    control.TransparentColor = NO_TRANSPARENT_COLOR;
    std::array<GifByteType, 4> block{};
    EGifGCBToExtension(&control, block.data());
    EGifPutExtension(m_state->file, GRAPHICS_EXT_FUNC_CODE, static_cast<int>(block.size()),
                     block.data());

    ColorMapObject* colors = colorMapOf(palette.colors);
    EGifPutImageDesc(m_state->file, box.left(), box.top(), box.width(), box.height(), false,
                     colors);
    GifFreeMapObject(colors);
    std::vector<GifByteType> line(static_cast<std::size_t>(box.width()));
    for (int y = box.top(); y <= box.bottom(); ++y) {
        const auto* pixels = reinterpret_cast<const QRgb*>(image.constScanLine(y)) + box.left();
        std::transform(pixels, pixels + box.width(), line.begin(),
                       [&](QRgb color) { return palette.indices[color]; });
        EGifPutLine(m_state->file, line.data(), box.width());
    }
    m_state->last = image;
}

QByteArray GifWriter::finish()
{
    EGifCloseFile(std::exchange(m_state->file, nullptr), nullptr);
    return std::move(m_state->bytes);
}

} // namespace keyaxis
