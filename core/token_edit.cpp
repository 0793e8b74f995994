#include "core/token_edit.h"

#include <algorithm>
#include <cassert>
#include <numeric>

namespace keyaxis {

namespace {

Order asTheyAre(Index n)
{
    Order order(static_cast<std::size_t>(n));
    std::iota(order.begin(), order.end(), Index(0));
    return order;
}

/// The place whose numbers an entry of an order has; kNew where it has none.
Index placeOf(Index entry)
{
    return entry < kNew ? copyOf(entry) : entry; // its own inverse
}

/// `tensor` with its rows and columns taken from where the orders say; 0 where they are new.
SharedTensor rearranged(const SharedTensor& tensor, const Order& rows, const Order& cols)
{
    if (!tensor)
        return nullptr;
    const Shape& old = tensor->shape();
    Tensor result = Tensor::zeros(
        {old.batch, old.heads, static_cast<Index>(rows.size()), static_cast<Index>(cols.size())});
    for (Index b = 0; b < old.batch; ++b)
        for (Index h = 0; h < old.heads; ++h)
            for (Index i = 0; i < result.shape().rows; ++i)
                for (Index j = 0; j < result.shape().cols; ++j) {
                    const Index row = placeOf(rows[static_cast<std::size_t>(i)]);
                    const Index col = placeOf(cols[static_cast<std::size_t>(j)]);
                    if (row != kNew && col != kNew)
                        result.at(b, h, i, j) = tensor->at(b, h, row, col);
                }
    return share(std::move(result));
}

SharedTensor withRows(const SharedTensor& tensor, const Order& rows)
{
    return tensor ? rearranged(tensor, rows, asTheyAre(tensor->shape().cols)) : nullptr;
}

/// The nearest entry of `order` that is not new, first in direction `step` from `at`.
Index neighbour(const Order& order, Index at, Index step)
{
    for (const Index direction : {step, -step})
        for (Index n = at; n >= 0 && n < static_cast<Index>(order.size()); n += direction)
            if (order[static_cast<std::size_t>(n)] >= 0)
                return order[static_cast<std::size_t>(n)];
    return 0;
}

/// Where the cells of a mask or bias come from: a copy of a token has its own place among the
/// others.
struct CellSource {
    Order rows;
    Order cols;
    bool isSquare; ///< rows and columns are the same tokens
    Index nOld;    ///< of these tokens, before

    using Place = std::pair<Index, Index>;

    /// The old cell that new cell (i, j) copies.
    Place of(Index i, Index j) const
    {
        const Index oldRow = std::max(kNew, rows[static_cast<std::size_t>(i)]);
        const Index oldCol = std::max(kNew, cols[static_cast<std::size_t>(j)]);
        if (oldRow != kNew && oldCol != kNew)
            return {oldRow, oldCol};
        if (isSquare && i == j)
            return {neighbour(rows, i, -1), neighbour(rows, i, -1)};
        const bool areNewAndLater = isSquare && oldRow == oldCol && i > j;
        const Index row = oldRow != kNew ? oldRow : neighbour(rows, i, areNewAndLater ? 1 : -1);
        const Index col = oldCol != kNew ? oldCol : neighbour(cols, j, areNewAndLater ? -1 : 1);
        return isSquare && row == col ? besideDiagonal(row, i > j) : Place{row, col};
    }

    /// A token's use of itself says nothing about others: what a later (or an earlier) query may do
    /// stands beside the diagonal.
    Place besideDiagonal(Index t, bool isLaterQuery) const
    {
        const bool hasNext = t + 1 < nOld;
        if (!hasNext && t == 0)
            return {t, t};
        if (isLaterQuery)
            return hasNext ? Place{t + 1, t} : Place{t, t - 1};
        return hasNext ? Place{t, t + 1} : Place{t - 1, t};
    }
};

/// A mask or a bias with rows and columns rearranged; broadcast axes stay so.
SharedTensor withCells(const SharedTensor& tensor, const Order& rows, const Order& cols,
                       bool isSquare)
{
    if (!tensor)
        return nullptr;
    const Shape& old = tensor->shape();
    const bool sharesRows = old.rows == 1;
    const bool sharesCols = old.cols == 1;
    const CellSource source{sharesRows ? Order{0} : rows, sharesCols ? Order{0} : cols,
                            isSquare && !sharesRows && !sharesCols, old.cols};
    Tensor result({old.batch, old.heads, static_cast<Index>(source.rows.size()),
                   static_cast<Index>(source.cols.size())});
    for (Index b = 0; b < old.batch; ++b)
        for (Index h = 0; h < old.heads; ++h)
            for (Index i = 0; i < result.shape().rows; ++i)
                for (Index j = 0; j < result.shape().cols; ++j) {
                    const auto [row, col] = source.of(i, j);
                    result.at(b, h, i, j) = tensor->at(b, h, row, col);
                }
    return share(std::move(result));
}

TokenNames withNames(const TokenNames& names, const Order& order, char fallback)
{
    TokenNames result(names.size());
    for (std::size_t b = 0; b < names.size(); ++b)
        for (const Index old : order)
            if (!names[b].empty())
                result[b].push_back(
                    old == kNew ? "new"
                                : tokenName(names, static_cast<Index>(b), placeOf(old), fallback));
    return result;
}

TokenNames withName(TokenNames names, Index b, Index t, Index n, const std::string& name,
                    char fallback)
{
    const auto example = static_cast<std::size_t>(b);
    if (names.size() <= example)
        names.resize(example + 1);
    for (Index at = static_cast<Index>(names[example].size()); at < n; ++at)
        names[example].push_back(fallback + std::to_string(at));
    names[example][static_cast<std::size_t>(t)] = name;
    return names;
}

} // namespace

Order inserting(Index n, Index at, Index count)
{
    Order order = asTheyAre(n);
    order.insert(order.begin() + at, static_cast<std::size_t>(count), kNew);
    return order;
}

Order duplicating(Index n, Index first, Index count)
{
    Order order = asTheyAre(n);
    for (Index m = 0; m < count; ++m)
        order.insert(order.begin() + first + count + m, copyOf(first + m));
    return order;
}

Order removing(Index n, Index first, Index count)
{
    Order order = asTheyAre(n);
    order.erase(order.begin() + first, order.begin() + first + count);
    return order;
}

Order moving(Index n, Index first, Index count, Index to)
{
    Order order = removing(n, first, count);
    for (Index m = 0; m < count; ++m)
        order.insert(order.begin() + to + m, first + m);
    return order;
}

Inputs withTokens(const Inputs& inputs, TokenSide side, const Order& order)
{
    const Sizes sizes = sizesOf(inputs);
    const Order rows = side == TokenSide::Key ? asTheyAre(sizes.Tq) : order;
    const Order cols = side == TokenSide::Query ? asTheyAre(sizes.Tk) : order;
    assert(!cols.empty());
    Inputs result = inputs;
    if (side != TokenSide::Key) {
        result.q = withRows(inputs.q, rows);
        result.queryTokens = withNames(inputs.queryTokens, rows, 'q');
    }
    if (side != TokenSide::Query) {
        result.k = withRows(inputs.k, cols);
        result.v = withRows(inputs.v, cols);
        result.keyTokens = withNames(inputs.keyTokens, cols, 'k');
    }
    result.scores = rearranged(inputs.scores, rows, cols);
    result.weights = rearranged(inputs.weights, rows, cols);
    const bool isSquare = side == TokenSide::Both;
    result.mask = withCells(inputs.mask, rows, cols, isSquare);
    result.bias = withCells(inputs.bias, rows, cols, isSquare);
    return result;
}

Inputs withFeatures(const Inputs& inputs, Features features, const Order& order)
{
    assert(!order.empty());
    const auto withCols = [&](const SharedTensor& tensor) {
        return tensor ? rearranged(tensor, asTheyAre(tensor->shape().rows), order) : nullptr;
    };
    Inputs result = inputs;
    if (features == Features::Values) {
        result.v = withCols(inputs.v);
    } else {
        result.q = withCols(inputs.q);
        result.k = withCols(inputs.k);
    }
    return result;
}

Inputs withTokenNamed(const Inputs& inputs, TokenSide side, Index b, Index t,
                      const std::string& name)
{
    const Sizes sizes = sizesOf(inputs);
    Inputs result = inputs;
    if (side != TokenSide::Key)
        result.queryTokens = withName(inputs.queryTokens, b, t, sizes.Tq, name, 'q');
    if (side != TokenSide::Query)
        result.keyTokens = withName(inputs.keyTokens, b, t, sizes.Tk, name, 'k');
    return result;
}

} // namespace keyaxis
