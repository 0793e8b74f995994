#include "core/io/delimited_text.h"
#include "core/io/text_items.h"
#include "tests/fuzz/fuzzed.h"

using namespace keyaxis;

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size)
{
    const auto text = plainText(fuzz::input(data, size));
    if (!text)
        return 0;
    const bool isTable = looksDelimited(*text);
    const auto file = readDelimited(*text, "fuzzed");
    fuzz::checkRead(file);
    if (!isTable || !file)
        return 0;
    const auto back = readDelimited(writeCsv(file->tensors.front()), "written", {',', '.'});
    fuzz::require(back.has_value());
    fuzz::requireSameNumbers(file->tensors.front(), back->tensors.front());
    return 0;
}
