#include "core/io/figure_session.h"

#include "core/io/base64.h"
#include "core/io/npz.h"

#include <algorithm>
#include <array>
#include <zlib.h>

namespace keyaxis {

namespace {

constexpr std::string_view kPngSignature = "\x89PNG\r\n\x1a\n";
constexpr std::string_view kKeyword{"keyaxis.session\0", 16};
constexpr std::string_view kTextChunk = "tEXt";
constexpr std::size_t kHeaderChunk = 25; ///< the first chunk of a PNG, IHDR, is always so long
constexpr std::size_t kLargestChunk = std::size_t{4} << 20; ///< libpng refuses files beyond 8 MB
constexpr std::string_view kMetadataBegin = "<metadata id=\"keyaxis-session\">";
constexpr std::string_view kMetadataEnd = "</metadata>";
constexpr std::string_view kSvgEnd = "</svg>";

std::uint32_t bigEndian(std::string_view bytes)
{
    std::uint32_t value = 0;
    for (const char c : bytes.substr(0, 4))
        value = value << 8 | static_cast<unsigned char>(c);
    return value;
}

std::string bigEndian(std::uint32_t value)
{
    std::string bytes;
    for (int shift = 24; shift >= 0; shift -= 8)
        bytes += static_cast<char>(value >> shift & 255U);
    return bytes;
}

std::string textChunk(std::string_view text)
{
    const std::string body = std::string(kTextChunk) + std::string(kKeyword) + std::string(text);
    const auto* data = reinterpret_cast<const Bytef*>(body.data());
    const uLong sum = crc32(0, data, static_cast<uInt>(body.size()));
    return bigEndian(static_cast<std::uint32_t>(body.size() - kTextChunk.size())) + body +
           bigEndian(static_cast<std::uint32_t>(sum));
}

/// The text of all our chunks of a PNG, in order.
std::string textOfPng(std::string_view png)
{
    constexpr std::size_t kAround = 12; // length, type and sum of a chunk
    std::string text;
    for (std::size_t at = kPngSignature.size(); at + kAround <= png.size();) {
        const std::size_t length = bigEndian(png.substr(at));
        if (length > png.size() - at - kAround)
            break;
        const std::string_view data = png.substr(at + 8, length);
        if (png.substr(at + 4, 4) == kTextChunk && data.starts_with(kKeyword))
            text += data.substr(kKeyword.size());
        at += kAround + length;
    }
    return text;
}

std::string textOfSvg(std::string_view svg)
{
    const std::size_t begin = svg.find(kMetadataBegin);
    if (begin == std::string_view::npos)
        return {};
    const std::size_t first = begin + kMetadataBegin.size();
    const std::size_t end = svg.find(kMetadataEnd, first);
    return end == std::string_view::npos ? std::string()
                                         : std::string(svg.substr(first, end - first));
}

/// A zlib stream at the beginning of `deflated`; empty where it is none, is cut, or becomes larger
/// than a file may be.
Bytes inflated(std::string_view deflated)
{
    z_stream stream{};
    if (inflateInit(&stream) != Z_OK)
        return {};
    // zlib does not write to its input.
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(deflated.data()));
    stream.avail_in = static_cast<uInt>(std::min<std::size_t>(deflated.size(), 0x7fffffff));
    Bytes bytes;
    std::array<Bytef, 1 << 16> part{};
    int state = Z_OK;
    while (state == Z_OK && bytes.size() < kLargestFile) {
        stream.next_out = part.data();
        stream.avail_out = static_cast<uInt>(part.size());
        state = inflate(&stream, Z_NO_FLUSH);
        const auto* begin = reinterpret_cast<const std::byte*>(part.data());
        bytes.insert(bytes.end(), begin, begin + (part.size() - stream.avail_out));
    }
    inflateEnd(&stream);
    return state == Z_STREAM_END ? bytes : Bytes();
}

/// The number that follows `at`, behind blanks; none where there is none.
std::optional<std::string> numberAt(std::string_view text, std::size_t at)
{
    at = text.find_first_not_of(" \r\n", at);
    const std::size_t end = text.find_first_not_of("0123456789", std::min(at, text.size()));
    if (at == std::string_view::npos || end == at)
        return std::nullopt;
    return std::string(text.substr(at, end - at));
}

/// What stream object `number` of a PDF holds; empty where it is none or damaged.
Bytes streamInPdf(std::string_view pdf, const std::string& number)
{
    constexpr std::string_view kStream = "stream";
    const std::size_t object = pdf.find("\n" + number + " 0 obj");
    const std::size_t stream = pdf.find(kStream, std::min(object, pdf.size()));
    if (object == std::string_view::npos || stream == std::string_view::npos)
        return {};
    const std::string_view dictionary = pdf.substr(object, stream - object);
    std::size_t data = stream + kStream.size();
    data += pdf.substr(data, 2) == "\r\n" ? 2 : 1;
    if (data > pdf.size() || dictionary.find("endobj") != std::string_view::npos)
        return {};
    if (dictionary.find("/FlateDecode") != std::string_view::npos)
        return inflated(pdf.substr(data));
    const BytesView plain = bytesOf(pdf.substr(data, pdf.find("endstream", data) - data));
    return {plain.begin(), plain.end()};
}

/// The first attachment of a PDF that is an archive: "/EF <</F 43 0 R>>" names its object.
Bytes archiveInPdf(std::string_view pdf)
{
    constexpr std::string_view kAttached = "/EF";
    constexpr std::string_view kFile = "/F ";
    int nLeft = 64; // so that a file made up of such names takes no time
    for (std::size_t at = pdf.find(kAttached); at != std::string_view::npos && nLeft-- > 0;
         at = pdf.find(kAttached, at + 1)) {
        const std::size_t file = pdf.substr(at, 64).find(kFile);
        if (file == std::string_view::npos)
            continue;
        const auto number = numberAt(pdf, at + file + kFile.size());
        const Bytes bytes = number ? streamInPdf(pdf, *number) : Bytes();
        if (looksLikeZip(bytes))
            return bytes;
    }
    return {};
}

} // namespace

std::optional<FigureFormat> figureFormat(BytesView bytes)
{
    std::string_view text = textOf(bytes.first(std::min<std::size_t>(bytes.size(), 1024)));
    if (text.starts_with(kPngSignature))
        return FigureFormat::Png;
    if (text.starts_with("%PDF-"))
        return FigureFormat::Pdf;
    text.remove_prefix(std::min(text.find('<'), text.size()));
    const bool isXml = text.starts_with("<?xml") || text.starts_with("<svg");
    return isXml && text.find("<svg") != std::string_view::npos ? std::optional(FigureFormat::Svg)
                                                                : std::nullopt;
}

Result<Bytes> sessionInFigure(BytesView figure, const std::string& label)
{
    const std::string_view text = textOf(figure);
    const auto format = figureFormat(figure);
    const std::string encoded = format == FigureFormat::Png   ? textOfPng(text)
                                : format == FigureFormat::Svg ? textOfSvg(text)
                                                              : std::string();
    const Bytes session =
        format == FigureFormat::Pdf ? archiveInPdf(text) : fromBase64(encoded).value_or(Bytes());
    if (session.empty() && !encoded.empty())
        return fail(Errc::BadInput, label + " carries a Keyaxis session that is damaged.");
    if (session.empty())
        return fail(Errc::BadInput, label +
                                        " is a picture and carries no Keyaxis session; only a "
                                        "figure that was exported with its data can be opened.");
    return session;
}

Bytes figureWithSession(BytesView figure, BytesView session)
{
    const std::string encoded = toBase64(session);
    const bool isPng = figureFormat(figure) == FigureFormat::Png;
    const std::string_view text = textOf(figure);
    std::string inserted;
    if (isPng)
        for (std::size_t at = 0; at < encoded.size(); at += kLargestChunk)
            inserted += textChunk(std::string_view(encoded).substr(at, kLargestChunk));
    else
        inserted = std::string(kMetadataBegin) + encoded + std::string(kMetadataEnd) + "\n";
    const std::size_t at =
        std::min(isPng ? kPngSignature.size() + kHeaderChunk : text.rfind(kSvgEnd), text.size());
    const std::string whole =
        std::string(text.substr(0, at)) + inserted + std::string(text.substr(at));
    const BytesView bytes = bytesOf(whole);
    return {bytes.begin(), bytes.end()};
}

} // namespace keyaxis
