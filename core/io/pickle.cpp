#include "core/io/pickle.h"

namespace keyaxis {

bool looksLikePickle(BytesView bytes)
{
    // PROTO, then the protocol; 0 and 1 have no mark and are from before NumPy.
    return bytes.size() > 2 && bytes[0] == std::byte{0x80} && bytes[1] >= std::byte{2} &&
           bytes[1] <= std::byte{5};
}

std::string pickleRefusal(const std::string& label)
{
    return label + " is a PyTorch or another pickle file, and pickles are not opened, for they can "
                   "run anything. In Python:\n"
                   "    import torch, safetensors.torch\n"
                   "    t = torch.load('FILE.pt', map_location='cpu', weights_only=True)\n"
                   "    safetensors.torch.save_file({k: v.contiguous() for k, v in t.items()}, "
                   "'FILE.safetensors')";
}

} // namespace keyaxis
