#include "ui/widgets/export_preview.h"

#include <QPainter>

namespace keyaxis {

ExportPreview::ExportPreview(QWidget* parent) : QWidget(parent)
{
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
    setAccessibleName(tr("Preview"));
}

void ExportPreview::show(const Figure& figure, const Theme& theme, const ExportOptions& options)
{
    m_figure = figure;
    m_theme = theme;
    m_options = options;
    update();
}

QRectF ExportPreview::pageRect() const
{
    const QSizeF page = m_options.size.scaled(QSizeF(size()), Qt::KeepAspectRatio);
    return {QPointF((width() - page.width()) / 2, (height() - page.height()) / 2), page};
}

void ExportPreview::paintEvent(QPaintEvent*)
{
    const QRectF page = pageRect();
    QPainter painter(this);
    if (m_options.isTransparent) { // a checkerboard, as picture editors show nothing
        constexpr int kSquare = 8;
        const QColor pale = mixed(m_theme.hairline, m_theme.paper, 0.5);
        painter.fillRect(page, m_theme.paper);
        for (int y = 0; y * kSquare < page.height(); ++y)
            for (int x = y % 2; x * kSquare < page.width(); x += 2)
                painter.fillRect(
                    QRectF(page.left() + x * kSquare, page.top() + y * kSquare, kSquare, kSquare)
                        .intersected(page),
                    pale);
    }
    const QSizeF units = m_options.size * 96 / m_options.dpi / m_options.scale;
    painter.save();
    painter.translate(page.topLeft());
    painter.scale(page.width() / units.width(), page.height() / units.height());
    paintPage(painter, pictureOf(m_figure, m_theme), m_theme, units, m_options.isTransparent);
    painter.restore();
    painter.setPen(m_theme.hairline);
    painter.drawRect(page.adjusted(0.5, 0.5, -0.5, -0.5));
}

} // namespace keyaxis
