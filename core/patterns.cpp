#include "core/patterns.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

namespace keyaxis {

namespace {

/// Normal numbers by Box and Muller over the splitmix64 generator: the standard library's
/// distributions differ between implementations, a seed must not.
class Normal {
public:
    explicit Normal(std::uint64_t seed) : m_state(seed) {}

    float next()
    {
        const double u = 1.0 - uniform(); // (0, 1]
        const double v = uniform();
        return static_cast<float>(std::sqrt(-2.0 * std::log(u)) *
                                  std::cos(2.0 * std::numbers::pi * v));
    }

private:
    double uniform()
    {
        m_state += 0x9E3779B97F4A7C15ULL;
        std::uint64_t z = m_state;
        z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9ULL;
        z = (z ^ z >> 27) * 0x94D049BB133111EBULL;
        return static_cast<double>((z ^ z >> 31) >> 11) * 0x1p-53;
    }

    std::uint64_t m_state;
};

Tensor normal(const Shape& shape, std::uint64_t seed)
{
    Normal numbers(seed);
    Tensor tensor(shape);
    for (Index n = 0; n < tensor.size(); ++n)
        tensor.data()[n] = numbers.next();
    return tensor;
}

/// Row t of every slice is `scale` times the unit vector `place(t)`, modulo the width.
template <typename Place>
Tensor unitRows(const Shape& shape, float scale, Place place)
{
    Tensor tensor = Tensor::zeros(shape);
    for (Index b = 0; b < shape.batch; ++b)
        for (Index h = 0; h < shape.heads; ++h)
            for (Index t = 0; t < shape.rows; ++t)
                tensor.at(b, h, t, place(t) % shape.cols) = scale;
    return tensor;
}

/// Row t of every slice is `scale` times the point `place(t)` of `nPoints` spread over a circle.
template <typename Place>
Tensor circleRows(const Shape& shape, double scale, Index nPoints, Place place)
{
    Tensor tensor = Tensor::zeros(shape);
    for (Index b = 0; b < shape.batch; ++b)
        for (Index h = 0; h < shape.heads; ++h)
            for (Index t = 0; t < shape.rows; ++t) {
                const double angle = 2.0 * std::numbers::pi * static_cast<double>(place(t)) /
                                     static_cast<double>(nPoints);
                tensor.at(b, h, t, 0) = static_cast<float>(scale * std::cos(angle));
                tensor.at(b, h, t, 1) = static_cast<float>(scale * std::sin(angle));
            }
    return tensor;
}

std::uint64_t hashOf(std::string_view word) // FNV-1a
{
    std::uint64_t hash = 0xCBF29CE484222325ULL;
    for (const char c : word)
        hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3ULL;
    return hash;
}

Tensor embedded(const Shape& shape, const std::vector<std::string>& words, std::uint64_t seed)
{
    Tensor tensor(shape);
    for (Index b = 0; b < shape.batch; ++b)
        for (Index h = 0; h < shape.heads; ++h)
            for (Index t = 0; t < shape.rows; ++t) {
                Normal numbers(hashOf(words[static_cast<std::size_t>(t)]) ^
                               (seed + static_cast<std::uint64_t>(b * shape.heads + h)) *
                                   0x9E3779B97F4A7C15ULL);
                for (Index d = 0; d < shape.cols; ++d)
                    tensor.at(b, h, t, d) = numbers.next();
            }
    return tensor;
}

SharedTensor cut(const SharedTensor& from, const Shape& shape)
{
    if (from && from->shape() == shape)
        return from;
    Tensor to = Tensor::zeros(shape);
    if (from) {
        const Shape& old = from->shape();
        const Index rows = std::min(old.rows, shape.rows);
        const Index cols = std::min(old.cols, shape.cols);
        for (Index b = 0; b < std::min(old.batch, shape.batch); ++b)
            for (Index h = 0; h < std::min(old.heads, shape.heads); ++h)
                to.slice(b, h).topLeftCorner(rows, cols) =
                    from->slice(b, h).topLeftCorner(rows, cols);
    }
    return share(std::move(to));
}

/// Names for other sizes; a name that is gone is counted ("q3").
TokenNames cutNames(const TokenNames& names, Index nBatch, Index nTokens, char letter)
{
    if (names.empty())
        return {};
    TokenNames result(static_cast<std::size_t>(nBatch));
    for (Index b = 0; b < nBatch; ++b)
        for (Index t = 0; t < nTokens; ++t)
            result[static_cast<std::size_t>(b)].push_back(tokenName(names, b, t, letter));
    return result;
}

/// After the scale by 1/√dk the wanted logit is 6 above the others: nine tenths of the weight among
/// forty keys.
float loudness(Index dk)
{
    return 6.0F * std::sqrt(static_cast<float>(dk));
}

/// Query i points at key i - 1. Keys are unit vectors while there are enough of them; more keys
/// than features stand on a circle, where the next neighbour's score must fall behind by as much.
void pointAtPrevious(Inputs& inputs)
{
    const Shape q = inputs.q->shape();
    const Shape k = inputs.k->shape();
    const float loud = loudness(q.cols);
    const auto own = [](Index t) { return t; };
    const auto previous = [&](Index t) { return std::clamp<Index>(t - 1, 0, k.rows - 1); };
    if (k.rows <= k.cols || k.cols == 1) {
        inputs.q = share(unitRows(q, loud, previous));
        inputs.k = share(unitRows(k, 1.0F, own));
        return;
    }
    const double gap = 1.0 - std::cos(2.0 * std::numbers::pi / static_cast<double>(k.rows));
    inputs.q = share(circleRows(q, static_cast<double>(loud) / gap, k.rows, previous));
    inputs.k = share(circleRows(k, 1.0, k.rows, own));
}

} // namespace

Inputs filled(const Inputs& inputs, Pattern pattern, std::uint64_t seed)
{
    const Shape q = inputs.q->shape();
    const Shape k = inputs.k->shape();
    const Shape v = inputs.v ? inputs.v->shape() : k;
    Inputs result = inputs;
    const float loud = loudness(q.cols);
    const auto own = [](Index t) { return t; };
    switch (pattern) {
    case Pattern::Random:
        result.q = share(normal(q, seed));
        result.k = share(normal(k, seed + 1));
        result.v = share(normal(v, seed + 2));
        break;
    case Pattern::OneHot:
        result.q = share(unitRows(q, loud, own));
        result.k = share(unitRows(k, 1.0F, own));
        result.v = share(unitRows(v, 1.0F, own));
        break;
    case Pattern::Uniform:
        result.q = share(Tensor::zeros(q));
        result.k = share(Tensor::zeros(k));
        break;
    case Pattern::PreviousToken:
        pointAtPrevious(result);
        break;
    }
    return result;
}

Inputs withOnesAsValues(const Inputs& inputs)
{
    Inputs result = inputs;
    const Sizes sizes = sizesOf(inputs);
    const Index width = inputs.v ? sizes.dv : std::max<Index>(1, sizes.dk);
    result.v = share(Tensor::filled({sizes.B, sizes.G, sizes.Tk, width}, 1.0F));
    return result;
}

Inputs withIdentityAsValues(const Inputs& inputs)
{
    Inputs result = inputs;
    const Sizes sizes = sizesOf(inputs);
    result.v =
        share(unitRows({sizes.B, sizes.G, sizes.Tk, sizes.Tk}, 1.0F, [](Index t) { return t; }));
    return result;
}

std::vector<std::string> wordsOf(std::string_view sentence)
{
    std::vector<std::string> words;
    std::string word;
    const auto flush = [&] {
        if (!word.empty())
            words.push_back(std::exchange(word, {}));
    };
    for (const char c : sentence) {
        if (c == ' ' || c == '\t' || c == '\n' || c == '\r') {
            flush();
        } else if (c == '.' || c == ',' || c == '!' || c == '?' || c == ';' || c == ':') {
            flush();
            words.emplace_back(1, c);
        } else {
            word += c;
        }
    }
    flush();
    return words;
}

Inputs ofSentence(const Inputs& inputs, std::string_view sentence, std::uint64_t seed)
{
    const std::vector<std::string> words = wordsOf(sentence);
    if (words.empty())
        return inputs;
    Sizes sizes = sizesOf(inputs);
    sizes.Tq = sizes.Tk = static_cast<Index>(words.size());
    sizes.dv = std::max<Index>(1, sizes.dv);
    Inputs result;
    result.q = share(embedded({sizes.B, sizes.H, sizes.Tq, sizes.dk}, words, seed));
    result.k = share(embedded({sizes.B, sizes.G, sizes.Tk, sizes.dk}, words, seed + 1000));
    result.v = share(embedded({sizes.B, sizes.G, sizes.Tk, sizes.dv}, words, seed + 2000));
    result.queryTokens = result.keyTokens = TokenNames(static_cast<std::size_t>(sizes.B), words);
    for (const std::string& word : words)
        result.name += (result.name.empty() ? "" : " ") + word;
    return result;
}

Inputs resized(const Inputs& inputs, const Sizes& sizes)
{
    Inputs result = inputs;
    result.q = cut(inputs.q, {sizes.B, sizes.H, sizes.Tq, sizes.dk});
    result.k = cut(inputs.k, {sizes.B, sizes.G, sizes.Tk, sizes.dk});
    result.v = sizes.dv == 0 ? nullptr : cut(inputs.v, {sizes.B, sizes.G, sizes.Tk, sizes.dv});
    result.queryTokens = cutNames(inputs.queryTokens, sizes.B, sizes.Tq, 'q');
    result.keyTokens = cutNames(inputs.keyTokens, sizes.B, sizes.Tk, 'k');
    // A mask or bias of the old sizes fits nothing; where it still broadcasts it stays.
    const auto fits = [&](const SharedTensor& tensor) {
        Inputs probe = result;
        probe.mask = tensor;
        probe.bias.reset();
        return validated(probe).has_value();
    };
    if (inputs.mask && !fits(inputs.mask))
        result.mask.reset();
    if (inputs.bias && !fits(inputs.bias))
        result.bias.reset();
    return result;
}

} // namespace keyaxis
