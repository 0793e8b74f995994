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
    return label + " is a PyTorch or another pickle file; pickles are not opened. In Python: t = "
                   "torch.load(path, weights_only=True), then "
                   "safetensors.torch.save_file(t, 'tensors.safetensors').";
}

} // namespace keyaxis
