#include "core/io/safetensors.h"
#include "tests/fuzz/fuzzed.h"

using namespace keyaxis;

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size)
{
    const auto file = readSafetensors(fuzz::input(data, size), "fuzzed");
    fuzz::checkRead(file);
    if (!file)
        return 0;
    const auto back = writeSafetensors(*file).and_then(
        [](const Bytes& bytes) { return readSafetensors(bytes, "written"); });
    fuzz::require(back && back->tensors.size() == file->tensors.size());
    fuzz::require(back->metadata == file->metadata);
    for (const RawTensor& tensor : file->tensors)
        fuzz::requireSameNumbers(tensor, *back->find(tensor.name));
    return 0;
}
