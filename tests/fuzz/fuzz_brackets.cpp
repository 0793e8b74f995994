#include "core/io/bracket_text.h"
#include "core/io/json_text.h"
#include "core/io/text_items.h"
#include "tests/fuzz/fuzzed.h"

#include <algorithm>

using namespace keyaxis;

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size)
{
    const auto text = plainText(fuzz::input(data, size));
    if (!text)
        return 0;
    static_cast<void>(looksBracketed(*text));
    const auto file = readBrackets(*text, "fuzzed");
    fuzz::checkRead(file);
    const auto isText = [](const RawTensor& tensor) { return tensor.type == ElementType::Text; };
    if (!file || std::ranges::any_of(file->tensors, isText)) // a string alone becomes metadata
        return 0;
    const auto back = writeJson(*file).and_then(
        [](const std::string& json) { return readBrackets(json, "written"); });
    fuzz::require(back && back->tensors.size() == file->tensors.size());
    for (std::size_t n = 0; n < file->tensors.size(); ++n)
        if (file->tensors[n].size() > 0) // an axis of size 0 hides those after it
            fuzz::requireSameNumbers(file->tensors[n], back->tensors[n]);
    return 0;
}
