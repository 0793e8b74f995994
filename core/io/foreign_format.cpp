#include "core/io/foreign_format.h"

#include "core/io/ascii.h"

#include <array>

namespace keyaxis {

namespace {

struct Foreign {
    std::string_view start;
    std::string_view what;
};

using namespace std::string_view_literals;

constexpr std::array kForeign{
    Foreign{"version https://git-lfs."sv,
            "is a pointer of Git LFS and not the file itself; git lfs pull fetches that"sv},
    Foreign{"\x1f\x8b"sv, "is compressed by gzip; unpack it first (gunzip)"sv},
    Foreign{"\x28\xb5\x2f\xfd"sv, "is compressed by Zstandard; unpack it first (unzstd)"sv},
    Foreign{"\xfd\x37zXZ\0"sv, "is compressed by xz; unpack it first (unxz)"sv},
    Foreign{"BZh"sv, "is compressed by bzip2; unpack it first (bunzip2)"sv},
    Foreign{"\x89HDF\r\n\x1a\n"sv, "is an HDF5 file; save its arrays with numpy.savez"sv},
    Foreign{
        "MATLAB 5.0 MAT-file"sv,
        "is a MATLAB file; read it with scipy.io.loadmat and save its arrays with numpy.savez"sv},
    Foreign{"PAR1"sv, "is a Parquet file; save its table as .csv"sv},
    Foreign{"GGUF"sv,
            "is a GGUF model, which holds no activations; dump q, k and v while it runs"sv},
    Foreign{"\xd0\xcf\x11\xe0"sv,
            "is an Office document; save its table as .csv or copy its cells"sv},
    Foreign{"<!doctype html"sv, "is a web page; perhaps a download went wrong"sv},
    Foreign{"<html"sv, "is a web page; perhaps a download went wrong"sv},
};

} // namespace

std::string foreignFormat(BytesView bytes)
{
    constexpr std::size_t kLongest = 32;
    const std::string_view text = textOf(bytes.first(std::min(bytes.size(), kLongest)));
    const std::string lower = lowerAscii(std::string(text));
    for (const Foreign& foreign : kForeign)
        if (text.starts_with(foreign.start) || lower.starts_with(foreign.start))
            return std::string(foreign.what);
    return {};
}

} // namespace keyaxis
