#include "core/attention/slice_softmax.h"

#include "core/attention/lanes.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <type_traits>

namespace keyaxis {

namespace {

using lanes::Floats;
using lanes::kInfinity;
using lanes::kWidth;

/// Vectors side by side in a strip. Measured on 1024 rows of 4 KB and on 2 rows of 32 MB: 4 is the
/// fastest; 8 does not fit the registers, 2 leaves them empty.
constexpr Index kGroups = 4;

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

/// What an exponential needs of τ. The largest logit is subtracted before the division, so finite
/// logits never give NaN, however small τ is.
struct Plain {
    Floats operator()(Floats z, Floats largest) const { return lanes::exp(z - largest); }
};

struct Tempered {
    float temperature;
    Floats operator()(Floats z, Floats largest) const
    {
        return lanes::exp((z - largest) / temperature);
    }
};

/// The limit τ → 0: the largest logits share the weight; NaN stays NaN.
struct ArgMax {
    Floats operator()(Floats z, Floats largest) const
    {
        const Floats zero{};
        const Floats others = z == z ? zero : z;
        return z == largest ? zero + 1.0F : others;
    }
};

template <typename Use>
void withExponential(float temperature, Use use)
{
    if (temperature == 0.0F)
        use(ArgMax{});
    else if (temperature == 1.0F)
        use(Plain{});
    else
        use(Tempered{temperature});
}

/// A slice that has no softmax: empty, or with NaN or +inf among its allowed entries.
/// Entry n is at n * stride. Returns whether the slice is empty.
bool fillUndefined(const float* logits, float* weights, Index n, Index stride, EmptySlice empty)
{
    const auto isMasked = [&](Index i) { return logits[i * stride] == -kInfinity; };
    bool isEmpty = true;
    for (Index i = 0; i < n && isEmpty; ++i)
        isEmpty = isMasked(i);
    const float ofMasked = isEmpty && empty == EmptySlice::Nan ? kNan : 0.0F;
    for (Index i = 0; i < n; ++i)
        weights[i * stride] = isMasked(i) ? ofMasked : kNan;
    return isEmpty;
}

/// Fills those of `width` interleaved slices that have no softmax. Under a causal mask half of all
/// slices along the batch or the heads are such, so they go by whole vectors as well.
void repairUndefined(const float* logits, float* weights, Index length, Index stride, Index width,
                     EmptySlice empty)
{
    const Floats zero{};
    const Floats nan = lanes::all(kNan);
    const Floats ofEmpty = empty == EmptySlice::Nan ? nan : zero;
    const auto repair = [&](auto load, auto store) {
        Floats largest = lanes::all(-kInfinity);
        lanes::Ints hasNan{};
        for (Index n = 0; n < length; ++n) {
            const Floats z = load(logits, n);
            hasNan |= z != z;
            largest = lanes::larger(z, largest);
        }
        const lanes::Ints isDefined = lanes::finite(largest) & ~hasNan;
        if (lanes::areAll(isDefined))
            return;
        const Floats ofMasked = ((largest == -kInfinity) & ~hasNan) ? ofEmpty : zero;
        for (Index n = 0; n < length; ++n) {
            const Floats z = load(logits, n);
            const Floats undefined = z == -kInfinity ? ofMasked : nan;
            store(n, isDefined ? load(weights, n) : undefined);
        }
    };
    Index at = 0;
    for (; at + kWidth <= width; at += kWidth)
        repair([&](const float* from, Index n) { return lanes::load(from + n * stride + at); },
               [&](Index n, Floats w) { lanes::store(weights + n * stride + at, w); });
    if (const Index present = width - at; present > 0)
        repair([&](const float* from,
                   Index n) { return lanes::loadPart(from + n * stride + at, present, 0.0F); },
               [&](Index n, Floats w) { lanes::storePart(weights + n * stride + at, w, present); });
}

} // namespace

bool SliceSoftmax::row(const float* logits, float* weights, Index n,
                       std::vector<float>& scratch) const
{
    const bool streams = m_streaming && n % kWidth == 0 && lanes::isStreamable(weights);
    bool isEmpty = false;
    withExponential(m_options.temperature, [&](auto exponential) {
        isEmpty = streams ? rowBy<true>(logits, weights, n, scratch, exponential)
                          : rowBy<false>(logits, weights, n, scratch, exponential);
    });
    return isEmpty;
}

template <bool Streaming, typename Exponential>
bool SliceSoftmax::rowBy(const float* logits, float* weights, Index n, std::vector<float>& scratch,
                         Exponential exponential) const
{
    // Blocks of two vectors from the slice's beginning, the last one filled up with masked entries:
    // so an entry is summed in the same way however long the slice is.
    constexpr Index kBlock = 2 * kWidth;
    const Index whole = n / kBlock * kBlock;
    assert(static_cast<Index>(scratch.size()) >= whole + kBlock);
    float* exps = scratch.data();
    const auto part = [&](Index j) {
        return lanes::loadPart(logits + j, std::clamp<Index>(n - j, 0, kWidth), -kInfinity);
    };

    Floats largest0 = lanes::all(-kInfinity);
    Floats largest1 = largest0;
    for (Index j = 0; j < whole; j += kBlock) {
        largest0 = lanes::larger(lanes::load(logits + j), largest0);
        largest1 = lanes::larger(lanes::load(logits + j + kWidth), largest1);
    }
    if (whole < n) {
        largest0 = lanes::larger(part(whole), largest0);
        largest1 = lanes::larger(part(whole + kWidth), largest1);
    }
    const float largest = lanes::largestOf(lanes::larger(largest0, largest1));

    // Two exponentials are added in float32 before they join the float64 sum: one more rounding of
    // 1 u in the denominator for half of the conversions. The next row is on its way into the cache
    // meanwhile.
    lanes::Sums sums;
    const Floats shift = lanes::all(largest);
    for (Index j = 0; j < n; j += kBlock) {
        const bool isWhole = j < whole;
        const Floats e0 = exponential(isWhole ? lanes::load(logits + j) : part(j), shift);
        const Floats e1 =
            exponential(isWhole ? lanes::load(logits + j + kWidth) : part(j + kWidth), shift);
        lanes::store(exps + j, e0);
        lanes::store(exps + j + kWidth, e1);
        sums.add(e0 + e1);
        __builtin_prefetch(logits + n + j);
        __builtin_prefetch(logits + n + j + kWidth);
    }
    const double denominator = sums.total();
    if (!std::isfinite(largest) || std::isnan(denominator))
        return fillUndefined(logits, weights, n, 1, m_options.empty);

    const auto inverse = static_cast<float>(1.0 / denominator);
    for (Index j = 0; j < n; j += kWidth) {
        const Floats w = lanes::load(exps + j) * inverse;
        if constexpr (Streaming)
            lanes::storePast(weights + j, w);
        else if (j + kWidth <= n)
            lanes::store(weights + j, w);
        else
            lanes::storePart(weights + j, w, n - j);
    }
    return false;
}

std::vector<float> SliceSoftmax::stripScratch(Index length)
{
    // At least a page, so that two threads' scratch never shares a cache line (1.6 times slower).
    return std::vector<float>(
        static_cast<std::size_t>(std::max<Index>(1024, length * kGroups * kWidth)));
}

void SliceSoftmax::strip(const float* logits, float* weights, Index length, Index stride,
                         Index width, std::vector<float>& scratch) const
{
    // Slices do not mix, so how many are done together changes no bit of them.
    withExponential(m_options.temperature, [&](auto exponential) {
        Index at = shortStrip(logits, weights, length, stride, width, exponential);
        for (; at + kGroups * kWidth <= width; at += kGroups * kWidth)
            groupsBy<kGroups>(logits + at, weights + at, length, stride, kGroups * kWidth, scratch,
                              exponential);
        for (; at < width; at += kWidth)
            groupsBy<1>(logits + at, weights + at, length, stride, std::min(kWidth, width - at),
                        scratch, exponential);
    });
}

/// Examples and heads are few: their slices fit the registers, whole vectors at a time (1.4 times
/// faster than the general way on two examples, 1.6 on eight heads). Returns how
/// many slices are done; the rest is for the general way, which gives the same bits.
template <typename Exponential>
Index SliceSoftmax::shortStrip(const float* logits, float* weights, Index length, Index stride,
                               Index width, Exponential exponential) const
{
    const auto whole = [&](auto n) {
        return shortStripOf<n>(logits, weights, stride, width / kWidth, exponential) * kWidth;
    };
    switch (length) {
    case 2:
        return whole(std::integral_constant<Index, 2>{});
    case 3:
        return whole(std::integral_constant<Index, 3>{});
    case 4:
        return whole(std::integral_constant<Index, 4>{});
    case 6:
        return whole(std::integral_constant<Index, 6>{});
    case 8:
        return whole(std::integral_constant<Index, 8>{});
    default:
        return 0;
    }
}

template <Index Length, typename Exponential>
Index SliceSoftmax::shortStripOf(const float* logits, float* weights, Index stride, Index nVectors,
                                 Exponential exponential) const
{
    const bool streams = m_streaming && stride % kWidth == 0 && lanes::isStreamable(weights);
    lanes::Ints defined = ~lanes::Ints{};
    for (Index v = 0; v < nVectors; ++v) {
        std::array<Floats, Length> z;
        Floats largest = lanes::all(-kInfinity);
        for (std::size_t n = 0; n < Length; ++n) {
            z[n] = lanes::load(logits + static_cast<Index>(n) * stride + v * kWidth);
            largest = lanes::larger(z[n], largest);
        }
        lanes::Sums sum;
        std::array<Floats, (Length + 3) / 4 * 4> e{};
        for (std::size_t n = 0; n < Length; ++n)
            e[n] = exponential(z[n], largest);
        for (std::size_t n = 0; n < e.size(); n += 4)
            sum.add((e[n] + e[n + 1]) + (e[n + 2] + e[n + 3]));
        const Floats inverse = sum.inverses();
        for (std::size_t n = 0; n < Length; ++n) {
            float* to = weights + static_cast<Index>(n) * stride + v * kWidth;
            if (streams)
                lanes::storePast(to, e[n] * inverse);
            else
                lanes::store(to, e[n] * inverse);
        }
        defined &= lanes::finite(largest) & lanes::finite(inverse);
    }
    if (!lanes::areAll(defined))
        repairUndefined(logits, weights, Length, stride, nVectors * kWidth, m_options.empty);
    return nVectors;
}

template <Index Groups, typename Exponential>
void SliceSoftmax::groupsBy(const float* logits, float* weights, Index length, Index stride,
                            Index width, std::vector<float>& scratch, Exponential exponential) const
{
    constexpr Index kRow = Groups * kWidth;
    const bool isWhole = width == kRow;
    assert(static_cast<Index>(scratch.size()) >= length * kRow);
    float* exps = scratch.data();

    // The rows lie a whole row of the tensor apart; they are gathered once.
    std::array<Floats, Groups> largest;
    largest.fill(lanes::all(-kInfinity));
    for (Index n = 0; n < length; ++n) {
        const float* from = logits + n * stride;
        for (Index g = 0; g < Groups; ++g) {
            const Floats z =
                isWhole ? lanes::load(from + g * kWidth) : lanes::loadPart(from, width, -kInfinity);
            lanes::store(exps + n * kRow + g * kWidth, z);
            auto& most = largest[static_cast<std::size_t>(g)];
            most = lanes::larger(z, most);
        }
    }

    // Up to four exponentials are added in float32 (at most 2 u) before they join the float64 sum.
    // The next strip is on its way into the cache meanwhile.
    std::array<lanes::Sums, Groups> sums;
    const auto exponentials = [&](Index first, auto nRows) {
        for (Index g = 0; g < Groups; ++g) {
            const auto group = static_cast<std::size_t>(g);
            std::array<Floats, 4> e{};
            for (Index n = 0; n < nRows; ++n) {
                float* at = exps + (first + n) * kRow + g * kWidth;
                e[static_cast<std::size_t>(n)] = exponential(lanes::load(at), largest[group]);
                lanes::store(at, e[static_cast<std::size_t>(n)]);
                __builtin_prefetch(logits + (first + n) * stride + kRow + g * kWidth);
            }
            sums[group].add((e[0] + e[1]) + (e[2] + e[3]));
        }
    };
    Index first = 0;
    for (; first + 4 <= length; first += 4)
        exponentials(first, std::integral_constant<Index, 4>{});
    switch (length - first) {
    case 3:
        exponentials(first, std::integral_constant<Index, 3>{});
        break;
    case 2:
        exponentials(first, std::integral_constant<Index, 2>{});
        break;
    case 1:
        exponentials(first, std::integral_constant<Index, 1>{});
        break;
    default:
        break;
    }

    std::array<Floats, Groups> inverses;
    lanes::Ints defined = ~lanes::Ints{};
    for (std::size_t g = 0; g < Groups; ++g) {
        inverses[g] = sums[g].inverses();
        defined &= lanes::finite(largest[g]) & lanes::finite(inverses[g]);
    }

    const bool streams =
        m_streaming && isWhole && stride % kWidth == 0 && lanes::isStreamable(weights);
    for (Index n = 0; n < length; ++n) {
        for (Index g = 0; g < Groups; ++g) {
            float* to = weights + n * stride + g * kWidth;
            const Floats w =
                lanes::load(exps + n * kRow + g * kWidth) * inverses[static_cast<std::size_t>(g)];
            if (streams)
                lanes::storePast(to, w);
            else if (isWhole)
                lanes::store(to, w);
            else
                lanes::storePart(to, w, width);
        }
    }
    if (!lanes::areAll(defined))
        repairUndefined(logits, weights, length, stride, width, m_options.empty);
}

} // namespace keyaxis
