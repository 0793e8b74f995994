#include "core/io/npz.h"
#include "tests/fuzz/fuzzed.h"

using namespace keyaxis;

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size)
{
    fuzz::checkRead(readNpz(fuzz::input(data, size), "fuzzed"));
    return 0;
}
