#include "core/io/session_text.h"
#include "tests/fuzz/fuzzed.h"

using namespace keyaxis;

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size)
{
    const std::string text(textOf(fuzz::input(data, size)));
    const auto state = parseSession(text, "fuzzed");
    if (state)
        fuzz::require(parseSession(sessionText(*state), "written") == *state);
    else
        fuzz::require(!state.error().message.empty());
    return 0;
}
