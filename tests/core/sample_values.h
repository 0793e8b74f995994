#pragma once

#include "core/inputs.h"

#include <cstdint>
#include <cstring>

namespace keyaxis::testing {

/// A fixed, plain generator: numbers in [-range, range) that are the same everywhere.
class Numbers {
public:
    explicit Numbers(std::uint64_t seed) : m_state(seed * 2 + 1) {}
    float next(float range)
    {
        m_state = m_state * 6364136223846793005ULL + 1442695040888963407ULL;
        return (static_cast<float>(m_state >> 40) / 8388608.0F - 1.0F) * range;
    }

private:
    std::uint64_t m_state;
};

inline Tensor randomTensor(Shape shape, std::uint64_t seed, float range = 2.0F)
{
    Numbers numbers(seed);
    Tensor tensor(shape);
    for (Index n = 0; n < tensor.size(); ++n)
        tensor.data()[n] = numbers.next(range);
    return tensor;
}

inline Inputs randomInputs(Sizes s, std::uint64_t seed, float range = 2.0F)
{
    Inputs inputs;
    inputs.q = share(randomTensor({s.B, s.H, s.Tq, s.dk}, seed, range));
    inputs.k = share(randomTensor({s.B, s.G, s.Tk, s.dk}, seed + 1, range));
    inputs.v = share(randomTensor({s.B, s.G, s.Tk, s.dv}, seed + 2, range));
    return inputs;
}

/// Equal to the last bit, NaN and the sign of zero included.
template <typename A, typename B>
bool sameBits(const A& a, const B& b)
{
    return a.size() == b.size() &&
           (a.size() == 0 || std::memcmp(a.data(), b.data(),
                                         static_cast<std::size_t>(a.size()) * sizeof(float)) == 0);
}

} // namespace keyaxis::testing
