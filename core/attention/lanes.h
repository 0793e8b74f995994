#pragma once

#include "core/tensor.h"

#include <array>
#include <bit>
#include <cstdint>
#include <limits>

#if defined(__SSE2__)
#include <immintrin.h>
#endif

/// Sixteen floats at a time, as the compiler's own vectors: the same instructions for every element
/// wherever it stands, so a value has the same bits in a full block and in a tail. Eigen's packet
/// loops end in scalar code with another exp, and its vectorised exp stops at e^-88: a masked entry
/// (-inf) would come out as 3e-39 instead of 0, and weights below 1e-38 would all be equal.
namespace keyaxis::lanes {

inline constexpr Index kWidth = 16;
inline constexpr float kInfinity = std::numeric_limits<float>::infinity();

using Floats = float __attribute__((vector_size(64)));
using Ints = std::int32_t __attribute__((vector_size(64)));
using HalfFloats = float __attribute__((vector_size(32)));
using Doubles = double __attribute__((vector_size(64)));

inline Floats all(float value)
{
    return value - Floats{};
}

inline Floats load(const float* from)
{
    Floats values;
    __builtin_memcpy(&values, from, sizeof values);
    return values;
}

inline void store(float* to, Floats values)
{
    __builtin_memcpy(to, &values, sizeof values);
}

/// The first `n` floats; the others are `fill`.
inline Floats loadPart(const float* from, Index n, float fill)
{
    Floats values = all(fill);
    __builtin_memcpy(&values, from, static_cast<std::size_t>(n) * sizeof(float));
    return values;
}

inline void storePart(float* to, Floats values, Index n)
{
    __builtin_memcpy(to, &values, static_cast<std::size_t>(n) * sizeof(float));
}

/// Whether `storePast` may write to `to`.
inline bool isStreamable(const float* to)
{
    return reinterpret_cast<std::uintptr_t>(to) % 64 == 0;
}

/// A store that does not first read the cache line: for results much larger than the cache.
/// A plain store moves each line twice; memcpy avoids that for large blocks as well.
inline void storePast(float* to, Floats values)
{
#if defined(__AVX512F__)
    _mm512_stream_ps(to, std::bit_cast<__m512>(values));
#elif defined(__AVX__)
    const auto halves = std::bit_cast<std::array<__m256, 2>>(values);
    _mm256_stream_ps(to, halves[0]);
    _mm256_stream_ps(to + 8, halves[1]);
#elif defined(__SSE2__)
    const auto quarters = std::bit_cast<std::array<__m128, 4>>(values);
    for (Index i = 0; i < 4; ++i)
        _mm_stream_ps(to + 4 * i, quarters[static_cast<std::size_t>(i)]);
#else
    store(to, values);
#endif
}

/// Makes what `storePast` wrote visible to other threads; once per block.
inline void finishStores()
{
#if defined(__SSE2__)
    _mm_sfence();
#endif
}

/// The larger of each pair, `b` where one of them is NaN. One instruction on x86.
inline Floats larger(Floats a, Floats b)
{
    return a > b ? a : b;
}

/// All bits set where a value is finite: inf - inf and NaN - NaN are NaN.
inline Ints finite(Floats values)
{
    return values - values == Floats{};
}

inline bool areAll(Ints conditions)
{
    const auto words = std::bit_cast<std::array<std::uint64_t, 8>>(conditions);
    std::uint64_t all = ~std::uint64_t{0};
    for (const std::uint64_t word : words)
        all &= word;
    return all == ~std::uint64_t{0};
}

inline float largestOf(Floats values)
{
    float largest = values[0];
    for (int i = 1; i < kWidth; ++i)
        largest = values[i] > largest ? values[i] : largest;
    return largest;
}

/// e^x for x <= 0 within 1.5 ulp, subnormal results included; e^-inf = +0, NaN stays NaN.
///
/// @source  x = n ln 2 + r, |r| <= ln 2 / 2, ln 2 in two parts (Cody, Waite); the polynomial is
///          that of Cephes' expf.
inline Floats exp(Floats x)
{
    // Below e^-104 everything rounds to 0.
    x = larger(all(-104.0F), x);
    // Adding 1.5 * 2^23 leaves the nearest integer in the low bits of the float.
    const Floats shift = all(12582912.0F);
    const Floats shifted = x * 1.44269504088896341F + shift;
    const Floats n = shifted - shift;
    Floats r = x - n * 0.693359375F;
    r = r + n * 2.12194440e-4F;

    Floats p = all(1.9875691500e-4F);
    p = p * r + 1.3981999507e-3F;
    p = p * r + 8.3334519073e-3F;
    p = p * r + 4.1665795894e-2F;
    p = p * r + 1.6666665459e-1F;
    p = p * r + 5.0000001201e-1F;
    p = p * (r * r) + r + 1.0F;

#if defined(__AVX512F__)
    return std::bit_cast<Floats>(
        _mm512_maskz_scalef_ps(-1, std::bit_cast<__m512>(p), std::bit_cast<__m512>(n)));
#else
    // 2^n in two factors: n reaches -150, below the smallest normal exponent. Only the last
    // product can round.
    const Ints whole = std::bit_cast<Ints>(shifted) - std::bit_cast<Ints>(shift);
    const Ints half = whole >> 1;
    const Ints first = (half + 127) << 23;
    const Ints second = (whole - half + 127) << 23;
    return p * std::bit_cast<Floats>(first) * std::bit_cast<Floats>(second);
#endif
}

/// Sixteen running sums in float64, so that the sum of a million weights is as good as that of ten.
struct Sums {
    Doubles low{};
    Doubles high{};

    void add(Floats values)
    {
        const auto halves = std::bit_cast<std::array<HalfFloats, 2>>(values);
        low += __builtin_convertvector(halves[0], Doubles);
        high += __builtin_convertvector(halves[1], Doubles);
    }

    /// 1 / sum of each lane, in float32.
    Floats inverses() const
    {
        const std::array halves{__builtin_convertvector(low, HalfFloats),
                                __builtin_convertvector(high, HalfFloats)};
        return 1.0F / std::bit_cast<Floats>(halves);
    }

    /// All sixteen added, always in the same order.
    double total() const
    {
        const Doubles both = low + high;
        return ((both[0] + both[4]) + (both[2] + both[6])) +
               ((both[1] + both[5]) + (both[3] + both[7]));
    }
};

} // namespace keyaxis::lanes
