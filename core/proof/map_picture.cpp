#include "core/proof/map_picture.h"

#include "core/attention/masked.h"
#include "core/attention/weight_bands.h"
#include "core/parallel.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace keyaxis {

namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

/// Bands of the first pass.
constexpr Index kSampled = 32;

/// Parts of the picture that threads take.
constexpr Index kParts = 64;

/// Which block of a picture cell n falls into.
Index blockOf(Index n, Index nBlocks, Index nCells)
{
    // The inverse of `pictureBlockBegin`: the last block that begins at or before n.
    return ((n + 1) * nBlocks - 1) / nCells;
}

/// Joins what is known of a row from two of its parts.
void join(RowCertificate& row, const RowCertificate& part, bool isFirst)
{
    row.sum += part.sum;
    row.smallest = isFirst || part.smallest < row.smallest || std::isnan(part.smallest)
                       ? part.smallest
                       : row.smallest;
    row.nNonFinite += part.nNonFinite;
}

/// A picture in the making.
class Painting {
public:
    Painting(const Sizes& sizes, Index nRows, Index nCols)
        : m_sizes(sizes),
          m_most(Matrix::Constant(nRows, nCols, -kInfinity)),
          m_rows(static_cast<std::size_t>(sizes.Tq)),
          m_hasRow(static_cast<std::size_t>(sizes.Tq)),
          m_isRowSeen(static_cast<std::size_t>(nRows)),
          m_isColSeen(static_cast<std::size_t>(nCols))
    {
    }

    void add(const WeightBand& band)
    {
        addCertificates(band);
        const Index firstRow = blockOf(band.firstRow, m_most.rows(), m_sizes.Tq);
        const Index lastRow =
            blockOf(band.firstRow + band.weights.rows() - 1, m_most.rows(), m_sizes.Tq);
        const Index firstCol = blockOf(band.firstCol, m_most.cols(), m_sizes.Tk);
        const Index lastCol =
            blockOf(band.firstCol + band.weights.cols() - 1, m_most.cols(), m_sizes.Tk);
        std::fill(m_isRowSeen.begin() + firstRow, m_isRowSeen.begin() + lastRow + 1, true);
        std::fill(m_isColSeen.begin() + firstCol, m_isColSeen.begin() + lastCol + 1, true);

        // A part is a rectangle of the picture, so no two threads write to the same cell of it.
        const bool isTall = band.weights.rows() > band.weights.cols();
        const Index first = isTall ? firstRow : firstCol;
        const Index nLines = (isTall ? lastRow : lastCol) + 1 - first;
        const Index nParts = std::min(kParts, nLines);
        forEachBlock(nParts, {}, [&](Index part) {
            const Index begin = first + part * nLines / nParts;
            const Index end = first + (part + 1) * nLines / nParts;
            if (isTall)
                addPart(band, begin, end, firstCol, lastCol + 1);
            else
                addPart(band, firstRow, lastRow + 1, begin, end);
        });
    }

    /// What there is; lines that were not looked at are like their neighbours.
    MapPicture picture(Index nDone, Index nBands) const
    {
        MapPicture picture{m_most, {}, nDone, nBands};
        if (picture.isComplete())
            picture.certificate = certificateOf(m_rows);
        for (Index y = 1; y < m_most.rows(); ++y)
            if (!m_isRowSeen[static_cast<std::size_t>(y)])
                picture.most.row(y) = picture.most.row(y - 1);
        for (Index x = 1; x < m_most.cols(); ++x)
            if (!m_isColSeen[static_cast<std::size_t>(x)])
                picture.most.col(x) = picture.most.col(x - 1);
        return picture;
    }

private:
    void addCertificates(const WeightBand& band)
    {
        const Certificate parts =
            certify(MatrixView(band.weights.data(), band.weights.rows(), band.weights.cols()));
        for (std::size_t r = 0; r < parts.rows.size(); ++r) {
            const std::size_t i = static_cast<std::size_t>(band.firstRow) + r;
            join(m_rows[i], parts.rows[r], !m_hasRow[i]);
            m_hasRow[i] = true;
        }
    }

    /// The cells of the band that fall into the picture's rows [row, endRow), columns [col,
    /// endCol).
    void addPart(const WeightBand& band, Index row, Index endRow, Index col, Index endCol)
    {
        const Index nRows = m_most.rows();
        const Index nCols = m_most.cols();
        const Index endOfBand = band.firstCol + band.weights.cols();
        for (Index y = row; y < endRow; ++y) {
            const Index top = std::max(band.firstRow, pictureBlockBegin(y, nRows, m_sizes.Tq));
            const Index bottom = std::min(band.firstRow + band.weights.rows(),
                                          pictureBlockBegin(y + 1, nRows, m_sizes.Tq));
            for (Index i = top; i < bottom; ++i)
                for (Index x = col; x < endCol; ++x) {
                    const Index left =
                        std::max(band.firstCol, pictureBlockBegin(x, nCols, m_sizes.Tk));
                    const Index right =
                        std::min(endOfBand, pictureBlockBegin(x + 1, nCols, m_sizes.Tk));
                    const Index at = (i - band.firstRow) * band.weights.cols() - band.firstCol;
                    m_most(y, x) = mostOf(m_most(y, x), band.weights.data() + at,
                                          band.logits.data() + at, left, right);
                }
        }
    }

    /// The largest allowed weight of a part of a row and of what was seen before; NaN if any is.
    static float mostOf(float before, const float* weights, const float* logits, Index begin,
                        Index end)
    {
        float most = -kInfinity;
        float nan = std::isnan(before) ? before : 0.0F;
#pragma omp simd reduction(max : most) reduction(+ : nan)
        for (Index j = begin; j < end; ++j) {
            const float shown = isMasked(logits[j]) ? -kInfinity : weights[j];
            most = shown > most ? shown : most;
            nan += weights[j] * 0.0F; // NaN from the first that is
        }
        return std::isnan(nan) ? nan : std::max(before, most);
    }

    Sizes m_sizes;
    Matrix m_most;
    std::vector<RowCertificate> m_rows;
    std::vector<char> m_hasRow; ///< by query
    std::vector<char> m_isRowSeen;
    std::vector<char> m_isColSeen;
};

/// The bands in an order in which each pass doubles what was seen: 0, 8, 16, …, 4, 12, …, 2, 6, ….
class Passes {
public:
    explicit Passes(Index nBands) : m_nBands(nBands)
    {
        while (m_step * kSampled < nBands)
            m_step *= 2;
    }

    bool isOver() const { return m_step == 0; }

    /// Of the next pass.
    std::vector<Index> next()
    {
        std::vector<Index> bands;
        const Index stride = m_isFirst ? m_step : 2 * m_step;
        for (Index n = m_isFirst ? 0 : m_step; n < m_nBands; n += stride)
            bands.push_back(n);
        m_isFirst = false;
        m_step /= 2;
        return bands;
    }

private:
    Index m_nBands;
    Index m_step = 1;
    bool m_isFirst = true;
};

} // namespace

Result<MapPicture> mapPicture(const Inputs& inputs, const ScoreSettings& settings, Index b, Index h,
                              Index nRows, Index nCols,
                              const std::function<void(const MapPicture&)>& onPass,
                              std::stop_token stop)
{
    if (const auto valid = checked(settings); !valid)
        return tl::unexpected(valid.error());
    const WeightBands bands(inputs, settings, b, h);
    const Index nBands = bands.nBands();
    Painting painting(sizesOf(inputs), nRows, nCols);
    WeightBand band;
    Index nDone = 0;
    for (Passes passes(nBands); !passes.isOver();) {
        for (const Index n : passes.next()) {
            if (!bands.compute(n, band, stop))
                return fail(Errc::Cancelled, "The computation was replaced by a newer one.");
            painting.add(band);
            ++nDone;
        }
        if (onPass && nDone < nBands)
            onPass(painting.picture(nDone, nBands));
    }
    return painting.picture(nDone, nBands);
}

} // namespace keyaxis
