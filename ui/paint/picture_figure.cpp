#include "ui/paint/picture_figure.h"

#include "core/parallel.h"

#include <QLocale>
#include <cmath>
#include <utility>

namespace keyaxis {

namespace {

/// Names of the first token of each block.
std::vector<Label> blockLabels(const TokenNames& names, Index b, Index nTokens, Index nBlocks,
                               char fallback)
{
    std::vector<Label> labels;
    for (Index n = 0; n < nBlocks; ++n) {
        const Index first = pictureBlockBegin(n, nBlocks, nTokens);
        labels.emplace_back(visibleToken(tokenName(names, b, first, fallback)));
    }
    return labels;
}

/// Which of two rows says more about what is wrong.
bool isWorse(const RowCertificate& a, const RowCertificate& b)
{
    if (!a.isDefined() || !b.isDefined())
        return b.isDefined() && !a.isDefined();
    return std::abs(a.sum - 1.0) > std::abs(b.sum - 1.0);
}

Certificate worstOfBlocks(const Certificate& all, Index nBlocks)
{
    std::vector<RowCertificate> worst;
    for (Index n = 0; n < nBlocks && all.nRows() > 0; ++n) {
        const Index begin = pictureBlockBegin(n, nBlocks, all.nRows());
        const Index end = pictureBlockBegin(n + 1, nBlocks, all.nRows());
        RowCertificate row = all.rows[static_cast<std::size_t>(begin)];
        for (Index i = begin + 1; i < end; ++i)
            if (isWorse(all.rows[static_cast<std::size_t>(i)], row))
                row = all.rows[static_cast<std::size_t>(i)];
        worst.push_back(row);
    }
    return certificateOf(std::move(worst));
}

QString sizeText(Index nRows, Index nCols)
{
    const QLocale locale(QLocale::English); // 131,072 in every country: figures are in English
    return QStringLiteral("%1 × %2").arg(locale.toString(nRows), locale.toString(nCols));
}

} // namespace

Figure pictureFigure(const Inputs& inputs, const ScoreSettings& settings, Index b, Index h,
                     std::shared_ptr<const MapPicture> picture, const ColorChoice& choice)
{
    const Sizes sizes = sizesOf(inputs);
    const Index nRows = picture->most.rows();
    const Index nCols = picture->most.cols();
    MapFigure map;
    map.axis = settings.axis;
    map.title = QString::fromUtf8(names(settings.axis).title.data());
    map.gloss = QStringLiteral("%1 weights, the largest of each %2")
                    .arg(sizeText(sizes.Tq, sizes.Tk),
                         sizeText(nBlocksOf(sizes.Tq, nRows), nBlocksOf(sizes.Tk, nCols)));
    map.shortGloss = sizeText(sizes.Tq, sizes.Tk);
    if (!picture->isComplete())
        map.gloss = QStringLiteral("a sample of %1 weights: %2 % of them")
                        .arg(sizeText(sizes.Tq, sizes.Tk))
                        .arg(100 * picture->nDone / picture->nBands);
    map.rowLabels = blockLabels(inputs.queryTokens, b, sizes.Tq, nRows, 'q');
    map.colLabels = blockLabels(inputs.keyTokens, b, sizes.Tk, nCols, 'k');
    map.certificate = worstOfBlocks(picture->certificate, nRows);
    map.verdict = verdictOf(picture->certificate, settings, sizes);
    map.isSelected = true;
    // Cells that are masked hold the -inf of their logits.
    const float* values = picture->most.data();
    map.numbers = {std::move(picture), values, values, nRows, nCols};
    map.glyphs = glyphsIn(map.numbers.shown());
    map.colors = colorMapFor(choice, {map.numbers.shown()});

    Figure figure;
    figure.settingsLine = figureSettingsLine(inputs, settings, b, h, false);
    figure.maps.push_back(std::move(map));
    return figure;
}

} // namespace keyaxis
