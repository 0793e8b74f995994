#include "core/proof/influence.h"

#include "core/attention/attention.h"
#include "core/parallel.h"
#include "core/proof/derivatives.h"
#include "core/proof/influence_words.h"

#include <algorithm>
#include <cmath>

namespace keyaxis {

namespace {

using Slice = Derivatives::Slice;

constexpr double kLargestWork = 5e9; ///< multiplications: about half a second
constexpr Index kLargestMap = 2048;  ///< rows of a map
constexpr Index kMostItems = 64;     ///< examples or heads of a map

tl::unexpected<Error> cancelled()
{
    return fail(Errc::Cancelled, "The computation was replaced by a newer one.");
}

/// At most `limit` (but two) of `n` indices, evenly spread, both ends among them.
std::vector<Index> spread(Index n, double limit)
{
    const double most = std::clamp(limit, 2.0, double{kLargestMap});
    const Index nKept = std::min(n, static_cast<Index>(most));
    std::vector<Index> indices;
    for (Index k = 0; k < nKept; ++k)
        indices.push_back(nKept == 1 ? 0 : k * (n - 1) / (nKept - 1));
    return indices;
}

/// Multiplications for the derivative of one output by one query vector.
double workOfPair(const Sizes& sizes)
{
    return sizes.dk > 0 ? OuterSums::cost(sizes.Tk, sizes.dk, sizes.dv) : double(sizes.Tk);
}

/// The same where it has to be made as a matrix.
double workOfRow(const Sizes& sizes)
{
    return double(sizes.Tk) * double(std::max<Index>(1, sizes.dk)) * double(sizes.dv);
}

/// The queries of a map of one slice that can be shown in time.
std::vector<Index> shownQueries(const Sizes& sizes, Axis axis, double workInRow)
{
    return spread(sizes.Tq, axis == Axis::Query ? std::sqrt(kLargestWork / workOfPair(sizes))
                                                : kLargestWork / workInRow);
}

Influence emptyMap(std::vector<Index> rows, std::vector<Index> columns)
{
    Influence map;
    map.norms = Matrix::Zero(static_cast<Index>(rows.size()), static_cast<Index>(columns.size()));
    map.rows = std::move(rows);
    map.columns = std::move(columns);
    return map;
}

/// The weights that coupling and light cones of (b, h) need: its own ones.
Result<void> addOwn(Derivatives& derivatives, const Inputs& inputs, const ScoreSettings& settings,
                    Index b, Index h, const std::stop_token& stop)
{
    const auto slice = attendSlice(inputs, settings, b, h, stop);
    if (!slice)
        return tl::unexpected(slice.error());
    derivatives.add(b, h, viewOf(slice->weights));
    return {};
}

Result<void> addAll(Derivatives& derivatives, const Inputs& inputs, const ScoreSettings& settings,
                    const std::vector<std::pair<Index, Index>>& slices, const std::stop_token& stop)
{
    const auto all = attend(inputs, settings, {.output = false}, stop);
    if (!all)
        return tl::unexpected(all.error());
    for (const auto& [b, h] : slices)
        derivatives.add(b, h, all->weights.slice(b, h));
    return {};
}

Result<void> requireValues(const Inputs& inputs)
{
    if (!inputs.v)
        return fail(Errc::BadValue, "Without V there is no output that could move.");
    return {};
}

Result<Influence> coupledQueries(const Derivatives& derivatives, const std::stop_token& stop)
{
    const Slice& s = derivatives.slices().front();
    const Sizes& sizes = derivatives.sizes();
    const Axis axis = derivatives.axis();
    const std::vector<Index> shown = shownQueries(sizes, axis, workOfRow(sizes));
    const auto n = static_cast<Index>(shown.size());
    Influence map = emptyMap(shown, shown);
    map.isSampled = n < sizes.Tq;
    const OuterSums sums = Derivatives::sums(s, s, axis == Axis::Query ? n * n : n);
    const bool finished = forEachBlock(n, stop, [&](Index r) {
        const Index i = shown[static_cast<std::size_t>(r)];
        const auto set = [&](Index c, double norm) {
            map.norms(r, c) = static_cast<float>(derivatives.scaled(norm));
        };
        if (axis == Axis::Key) {
            set(r, Derivatives::alongKeys(s, i));
        } else if (axis == Axis::Query) {
            const Eigen::VectorXd norms = sums.norms(Derivatives::coefficients(s, i, s, shown));
            for (Index c = 0; c < n; ++c)
                set(c, norms[c]);
        } else {
            set(r, sums.norms(Derivatives::coefficients(s, i, s, {i}))[0]);
        }
    });
    if (!finished)
        return cancelled();
    return map;
}

/// Sum over `queries` of the squares of the norms of ∂o_i/∂q, the outputs of `s` by the query
/// vectors of `other`.
double squaresBetween(const Slice& s, const Slice& other, Axis axis,
                      const std::vector<Index>& queries)
{
    const auto n = static_cast<Index>(queries.size());
    double squares = 0.0;
    if (axis == Axis::Key) {
        for (const Index i : queries)
            squares += std::pow(Derivatives::alongKeys(s, i), 2);
        return squares;
    }
    const OuterSums sums = Derivatives::sums(s, other, axis == Axis::Query ? n * n : n);
    for (const Index i : queries)
        squares += sums.norms(Derivatives::coefficients(
                                  s, i, other, axis == Axis::Query ? queries : std::vector{i}))
                       .squaredNorm();
    return squares;
}

/// Examples or heads, whose slices are those of `derivatives`; `shown` are their indices.
Result<Influence> coupledItems(const Derivatives& derivatives, const std::vector<Index>& shown,
                               bool areCoupled, const std::stop_token& stop)
{
    const Sizes& sizes = derivatives.sizes();
    const Axis axis = derivatives.axis();
    const auto n = static_cast<Index>(shown.size());
    const double nPairs = areCoupled ? double(n * n) : double(n);
    const double work = kLargestWork / nPairs;
    const std::vector<Index> queries =
        spread(sizes.Tq,
               axis == Axis::Query ? std::sqrt(work / workOfPair(sizes)) : work / workOfRow(sizes));
    Influence map = emptyMap(shown, shown);
    map.isSampled = static_cast<Index>(queries.size()) < sizes.Tq;
    const bool finished = forEachBlock(n * n, stop, [&](Index pair) {
        const Index r = pair / n;
        const Index c = pair % n;
        if (r != c && !areCoupled)
            return;
        const double squares =
            squaresBetween(derivatives.slices()[static_cast<std::size_t>(r)],
                           derivatives.slices()[static_cast<std::size_t>(c)], axis, queries);
        map.norms(r, c) = static_cast<float>(derivatives.scaled(std::sqrt(squares)));
    });
    if (!finished)
        return cancelled();
    return map;
}

/// The derivative of one output by each token, part by part.
class TokenRow {
public:
    TokenRow(const Derivatives& derivatives, MovedToken moved, const std::vector<Index>& columns)
        : m_derivatives(derivatives),
          m_slices(derivatives.slices()),
          m_moved(moved),
          m_columns(columns)
    {
        const Sizes& sizes = derivatives.sizes();
        const Slice& own = m_slices.front();
        if (derivatives.axis() == Axis::Query)
            m_meanQueries = own.weights.transpose() * own.queries;
        if (derivatives.axis() != Axis::Key && moved != MovedToken::Key)
            for (const Slice& other : m_slices)
                m_sums.push_back(Derivatives::sums(
                    own, other, derivatives.axis() == Axis::Query ? sizes.Tq * sizes.Tq : 1));
    }

    /// Norms for output i, [columns].
    Eigen::VectorXd norms(Index i) const
    {
        Eigen::VectorXd squares = Eigen::VectorXd::Zero(static_cast<Index>(m_columns.size()));
        if (m_moved != MovedToken::Key)
            addByQueries(i, squares);
        if (m_moved != MovedToken::Query)
            addByKeysAndValues(i, squares);
        return squares.cwiseSqrt();
    }

private:
    void addByQueries(Index i, Eigen::VectorXd& squares) const
    {
        const Slice& own = m_slices.front();
        const auto add = [&](std::size_t c, double norm) {
            squares[static_cast<Index>(c)] += std::pow(m_derivatives.scaled(norm), 2);
        };
        if (m_derivatives.axis() == Axis::Query) {
            const Eigen::VectorXd norms =
                m_sums.front().norms(Derivatives::coefficients(own, i, own, m_columns));
            for (std::size_t c = 0; c < m_columns.size(); ++c)
                add(c, norms[static_cast<Index>(c)]);
            return;
        }
        const auto place = std::ranges::find(m_columns, i);
        if (place == m_columns.end())
            return;
        const auto c = static_cast<std::size_t>(place - m_columns.begin());
        if (m_derivatives.axis() == Axis::Key) {
            add(c, Derivatives::alongKeys(own, i));
            return;
        }
        // On the head axis the other heads' queries of this token sit in the same denominators.
        for (std::size_t n = 0; n < m_slices.size(); ++n)
            add(c, m_sums[n].norms(Derivatives::coefficients(own, i, m_slices[n], {i}))[0]);
    }

    void addByKeysAndValues(Index i, Eigen::VectorXd& squares) const
    {
        const Slice& own = m_slices.front();
        const RowsOfDoubles weights = own.weights.row(i);
        const Eigen::RowVectorXd output = weights * own.values->rows;
        const bool isOdd =
            std::ranges::any_of(own.values->odd, [&](Index j) { return weights(0, j) != 0.0; });
        for (std::size_t c = 0; c < m_columns.size(); ++c) {
            const Index t = m_columns[c];
            const double w = weights(0, t);
            if (w == 0.0)
                continue; // masked, or too small to move anything
            const Eigen::RowVectorXd value = own.values->rows.row(t);
            double norm = w * byKeys(i, t);
            norm *= m_derivatives.axis() == Axis::Key ? (value - output).norm() : value.norm();
            if (isOdd)
                norm = std::nan("");
            squares[static_cast<Index>(c)] +=
                std::pow(m_derivatives.scaled(norm), 2) + w * w * double(value.size());
        }
    }

    /// ‖∂w_it/∂k_t‖ / w_it before `scaled`; on the key axis ‖∂z_it/∂k_t‖.
    double byKeys(Index i, Index t) const
    {
        const Slice& own = m_slices.front();
        switch (m_derivatives.axis()) {
        case Axis::Key:
            return own.queries.row(i).norm();
        case Axis::Query:
            return (own.queries.row(i) - m_meanQueries.row(t)).norm();
        case Axis::Batch:
            return (1.0 - own.weights(i, t)) * own.queries.row(i).norm();
        case Axis::Head:
            break;
        }
        // Heads of one group share their keys, so their parts add up before they are measured.
        const Sizes& sizes = m_derivatives.sizes();
        RowsOfDoubles byGroup = RowsOfDoubles::Zero(sizes.G, sizes.dk);
        for (const Slice& other : m_slices) {
            const double delta = other.h == own.h ? 1.0 : 0.0;
            byGroup.row(sizes.groupOf(other.h)) +=
                (delta - other.weights(i, t)) * other.queries.row(i);
        }
        return byGroup.norm();
    }

    const Derivatives& m_derivatives;
    const std::vector<Slice>& m_slices; ///< the looked-at one first
    MovedToken m_moved;
    const std::vector<Index>& m_columns;
    RowsOfDoubles m_meanQueries;   ///< [Tk, dk]: Σ_i w_ij q_i; query axis only
    std::vector<OuterSums> m_sums; ///< by slice; not on the key axis
};

} // namespace

Result<Influence> coupling(const Inputs& inputs, const ScoreSettings& settings, Coupled what,
                           Index b, Index h, std::stop_token stop)
{
    if (const auto usable = requireValues(inputs); !usable)
        return tl::unexpected(usable.error());
    Derivatives derivatives(inputs, settings);
    const Sizes& sizes = derivatives.sizes();
    const bool areExamples = what == Coupled::Examples;
    const Index nItems = areExamples ? sizes.B : sizes.H;
    const std::vector<Index> items = spread(nItems, double{kMostItems});
    std::vector<std::pair<Index, Index>> slices;
    for (const Index item : items)
        slices.emplace_back(areExamples ? item : b, areExamples ? h : item);
    const bool areQueries = what == Coupled::Queries;
    if (const auto added = areQueries ? addOwn(derivatives, inputs, settings, b, h, stop)
                                      : addAll(derivatives, inputs, settings, slices, stop);
        !added)
        return tl::unexpected(added.error());

    const Axis like = areExamples ? Axis::Batch : Axis::Head;
    Result<Influence> map = areQueries
                                ? coupledQueries(derivatives, stop)
                                : coupledItems(derivatives, items, settings.axis == like, stop);
    if (!map)
        return map;
    map->isSampled = map->isSampled || (!areQueries && static_cast<Index>(items.size()) < nItems);
    map->sentence = couplingSentence(*map, settings, what);
    return map;
}

Result<Influence> tokenInfluence(const Inputs& inputs, const ScoreSettings& settings,
                                 MovedToken moved, Index b, Index h, std::stop_token stop)
{
    if (const auto usable = requireValues(inputs); !usable)
        return tl::unexpected(usable.error());
    Derivatives derivatives(inputs, settings);
    const Sizes& sizes = derivatives.sizes();
    if (moved == MovedToken::Whole && sizes.Tq != sizes.Tk)
        return fail(Errc::BadValue, "A token is query and key at once only where there are as many "
                                    "queries as keys, but there are " +
                                        std::to_string(sizes.Tq) + " and " +
                                        std::to_string(sizes.Tk) + ".");
    const bool needsHeads = settings.axis == Axis::Head;
    std::vector<std::pair<Index, Index>> slices{{b, h}};
    for (Index other = 0; needsHeads && other < sizes.H; ++other)
        if (other != h)
            slices.emplace_back(b, other);
    if (const auto added = needsHeads ? addAll(derivatives, inputs, settings, slices, stop)
                                      : addOwn(derivatives, inputs, settings, b, h, stop);
        !added)
        return tl::unexpected(added.error());

    const std::vector<Index> rows =
        shownQueries(sizes, settings.axis, workOfRow(sizes) * double(slices.size()));
    const std::vector<Index> columns =
        moved == MovedToken::Key ? spread(sizes.Tk, double{kLargestMap}) : rows;
    Influence map = emptyMap(rows, columns);
    map.isSampled = static_cast<Index>(rows.size()) < sizes.Tq ||
                    (moved == MovedToken::Key && static_cast<Index>(columns.size()) < sizes.Tk);
    const TokenRow tokenRow(derivatives, moved, columns);
    if (!forEachBlock(map.norms.rows(), stop, [&](Index r) {
            map.norms.row(r) = tokenRow.norms(rows[static_cast<std::size_t>(r)]).cast<float>();
        }))
        return cancelled();
    map.sentence =
        lightConeSentence(map, inputs, settings, moved, derivatives.slices().front().weights);
    return map;
}

} // namespace keyaxis
