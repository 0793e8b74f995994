#include "core/inputs.h"

#include <array>

namespace keyaxis {

namespace {

std::string text(const Shape& shape)
{
    return "[" + std::to_string(shape.batch) + ", " + std::to_string(shape.heads) + ", " +
           std::to_string(shape.rows) + ", " + std::to_string(shape.cols) + "]";
}

bool broadcasts(const Shape& from, const Shape& to)
{
    const auto fits = [](Index size, Index full) { return size == 1 || size == full; };
    return fits(from.batch, to.batch) && fits(from.heads, to.heads) && fits(from.rows, to.rows) &&
           fits(from.cols, to.cols);
}

/// What does not fit about V beside given scores or weights, or nothing.
std::string misfitBeside(const char* name, const Shape& given, const Shape* v)
{
    if (given.batch < 1 || given.heads < 1 || given.cols < 1)
        return std::string(name) + " " + text(given) +
               " needs at least one batch item, one head and one key";
    if (v == nullptr)
        return {};
    if (v->batch != given.batch || v->rows != given.cols)
        return "v " + text(*v) + " must have the batch items and keys of " + name + " " +
               text(given);
    if (v->heads < 1 || given.heads % v->heads != 0)
        return std::string(name) + " has " + std::to_string(given.heads) + " heads and v has " +
               std::to_string(v->heads) +
               "; the number of heads must be a multiple of the number of value heads";
    return v->cols < 1 ? "v " + text(*v) + " needs at least one feature" : std::string();
}

/// The first thing about the shapes of q, k and v that does not fit, or nothing.
std::string misfit(const Shape& q, const Shape& k, const Shape* v)
{
    if (q.batch < 1 || q.heads < 1 || q.cols < 1)
        return "q " + text(q) + " needs at least one batch item, one head and one feature";
    if (k.heads < 1 || k.rows < 1)
        return "k " + text(k) + " needs at least one head and one key";
    if (q.batch != k.batch)
        return "q has " + std::to_string(q.batch) + " batch items and k has " +
               std::to_string(k.batch);
    if (q.cols != k.cols)
        return "q is " + std::to_string(q.cols) + " wide and k is " + std::to_string(k.cols) +
               " wide; their dot product needs the same width";
    if (q.heads % k.heads != 0)
        return "q has " + std::to_string(q.heads) + " heads and k has " + std::to_string(k.heads) +
               "; the number of query heads must be a multiple of the number of key heads";
    if (v == nullptr)
        return {};
    if (v->batch != k.batch || v->heads != k.heads || v->rows != k.rows)
        return "v " + text(*v) + " must have the batch items, heads and keys of k " + text(k);
    if (v->cols < 1)
        return "v " + text(*v) + " needs at least one feature";
    return {};
}

} // namespace

Sizes sizesOf(const Inputs& inputs)
{
    if (const SharedTensor& given = inputs.given()) {
        const Shape& s = given->shape();
        const Shape v = inputs.v ? inputs.v->shape() : Shape{0, s.heads, 0, 0};
        return {s.batch, s.heads, v.heads, s.rows, s.cols, 0, v.cols};
    }
    if (!inputs.q || !inputs.k)
        return {};
    const Shape& q = inputs.q->shape();
    const Shape& k = inputs.k->shape();
    return {
        q.batch, q.heads, k.heads, q.rows, k.rows, q.cols, inputs.v ? inputs.v->shape().cols : 0};
}

Result<Inputs> validated(Inputs inputs)
{
    const Shape* v = inputs.v ? &inputs.v->shape() : nullptr;
    const SharedTensor& given = inputs.given();
    if (given && (inputs.q || inputs.k || (inputs.scores && inputs.weights)))
        return fail(Errc::BadInput, "scores, weights, or q and k are needed, and one of them only");
    if (!given && (!inputs.q || !inputs.k))
        return fail(Errc::BadInput, std::string(inputs.q ? "k" : "q") + " is missing");
    std::string problem =
        given ? misfitBeside(inputs.weights ? "weights" : "scores", given->shape(), v)
              : misfit(inputs.q->shape(), inputs.k->shape(), v);
    if (!problem.empty())
        return fail(Errc::BadInput, std::move(problem));

    const Shape weights = sizesOf(inputs).weights();
    for (const auto& [name, tensor] :
         {std::pair{"mask", &inputs.mask}, std::pair{"bias", &inputs.bias}}) {
        if (*tensor && !broadcasts((*tensor)->shape(), weights))
            return fail(Errc::BadInput, std::string(name) + " " + text((*tensor)->shape()) +
                                            " does not broadcast to the scores " + text(weights));
    }
    return inputs;
}

bool isSelfAttention(const Inputs& inputs)
{
    const Sizes sizes = sizesOf(inputs);
    return sizes.Tq == sizes.Tk && (inputs.queryTokens == inputs.keyTokens ||
                                    inputs.queryTokens.empty() || inputs.keyTokens.empty());
}

std::string tokenName(const TokenNames& names, Index b, Index t, char fallback)
{
    const auto batch = static_cast<std::size_t>(b);
    const auto token = static_cast<std::size_t>(t);
    if (batch < names.size() && token < names[batch].size())
        return names[batch][token];
    return fallback + std::to_string(t);
}

} // namespace keyaxis
