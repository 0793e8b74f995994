#include "core/io/npy.h"
#include "tests/fuzz/fuzzed.h"

using namespace keyaxis;

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size)
{
    std::vector<std::string> notes;
    const auto tensor = readNpy(fuzz::input(data, size), "fuzzed", notes, ElementType::BF16);
    fuzz::checkRead(tensor.map([](const RawTensor& raw) { return TensorFile{{raw}, {}, {}}; }));
    if (!tensor || tensor->type == ElementType::Text)
        return 0;
    const auto back = readNpy(writeNpy(*tensor), "written", notes);
    fuzz::require(back.has_value());
    fuzz::requireSameNumbers(*tensor, *back);
    return 0;
}
