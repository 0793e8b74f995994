#include "ui/paint/figure_text.h"

#include <QStringList>

namespace keyaxis {

QString tableOf(const MapFigure& map)
{
    const MatrixView values = map.numbers.shown().values;
    QString text;
    for (const Label& label : map.colLabels)
        text += QLatin1Char('\t') + label.plain();
    for (Index i = 0; i < values.rows(); ++i) {
        text += QLatin1Char('\n') + map.rowLabels[static_cast<std::size_t>(i)].plain();
        for (Index j = 0; j < values.cols(); ++j)
            text += QLatin1Char('\t') + QString::fromStdString(shortest(values(i, j)));
    }
    return text + QLatin1Char('\n');
}

QString captionOf(const Figure& figure)
{
    QStringList maps;
    for (const MapFigure& map : figure.maps) {
        if (map.detail == MapFigure::Detail::Tile)
            continue;
        const bool hasVerdict = map.hasSums() && map.certificate.nRows() > 0;
        maps += hasVerdict ? QStringLiteral("%1: %2").arg(map.title,
                                                          QString::fromStdString(map.verdict.pill))
                           : map.title;
    }
    QString caption = QStringLiteral("Attention");
    if (figure.isSequence)
        caption += QStringLiteral(" stage by stage, from the scores to the output");
    else if (maps.isEmpty())
        caption += QStringLiteral(" weights of %1 heads").arg(figure.maps.size());
    caption += QStringLiteral("; rows are queries, columns keys. ");
    if (!maps.isEmpty())
        caption += maps.join(QStringLiteral("; ")) + QStringLiteral(". ");
    return caption + figure.settingsLine + QLatin1Char('.');
}

} // namespace keyaxis
