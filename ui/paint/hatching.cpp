#include "ui/paint/hatching.h"

#include <QPainter>
#include <QVarLengthArray>
#include <algorithm>

namespace keyaxis {

void paintHatching(QPainter& painter, const QRectF& box, const QColor& color, double step)
{
    QVarLengthArray<QLineF, 64> lines;
    for (double x = box.left() - box.height() + step / 2; x < box.right(); x += step) {
        const double begin = std::max(x, box.left());
        const double end = std::min(x + box.height(), box.right());
        if (end > begin)
            lines.push_back({begin, box.bottom() - (begin - x), end, box.bottom() - (end - x)});
    }
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing, true);
    painter.setPen(QPen(color, 1.0, Qt::SolidLine, Qt::FlatCap));
    painter.drawLines(lines.constData(), static_cast<int>(lines.size()));
    painter.restore();
}

} // namespace keyaxis
