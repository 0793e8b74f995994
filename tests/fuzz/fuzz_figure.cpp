#include "core/io/figure_session.h"
#include "tests/fuzz/fuzzed.h"

using namespace keyaxis;

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size)
{
    const BytesView bytes = fuzz::input(data, size);
    if (!figureFormat(bytes))
        return 0;
    const auto session = sessionInFigure(bytes, "fuzzed");
    if (session)
        fuzz::checkRead(readNpz(*session, "fuzzed"));
    else
        fuzz::require(!session.error().message.empty());
    return 0;
}
