#include "ui/widgets/command_row.h"

#include "ui/paint/label.h"

#include <QPainter>

namespace keyaxis {

namespace {

/// The colours of one line.
struct Inks {
    QColor text;
    QColor marked;
};

/// Writes `text` from `left` on with its marked letters bold and underlined, as far as `right`;
/// says where it ends.
double writeMarked(QPainter& painter, double left, double right, const QRectF& line,
                   const QString& text, const QList<qsizetype>& marked, int px, const Inks& inks)
{
    for (qsizetype from = 0; from < text.size() && left < right;) {
        const bool isMarked = marked.contains(from);
        qsizetype to = from + 1;
        while (to < text.size() && marked.contains(to) == isMarked)
            ++to;
        const Label piece(text.mid(from, to - from));
        QFont font = uiFont(px, isMarked ? QFont::Bold : QFont::Normal);
        font.setUnderline(isMarked); // not by weight and colour alone
        const double width = piece.width(font) + 1;
        drawLabel(painter, {left, line.top(), std::min(width, right - left), line.height()},
                  Qt::AlignLeft, piece.elided(font, right - left), font,
                  isMarked ? inks.marked : inks.text);
        left += width - 1;
        from = to;
    }
    return left;
}

} // namespace

void CommandRowPainter::paint(QPainter* painter, const QStyleOptionViewItem& option,
                              const QModelIndex& index) const
{
    const auto row = index.data(kRowRole).value<CommandRow>();
    const bool isCurrent = option.state & QStyle::State_Selected;
    const QRectF box(option.rect);
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    const QColor ground =
        isCurrent ? mixed(m_theme.key, m_theme.panel, m_theme.isDark ? 0.28 : 0.13) : m_theme.panel;
    if (isCurrent) {
        painter->setPen(Qt::NoPen);
        painter->setBrush(ground);
        painter->drawRoundedRect(box.adjusted(2, 1, -2, -1), 6, 6);
        painter->fillRect(QRectF(box.left() + 2, box.top() + 7, 3, box.height() - 14), m_theme.key);
    }
    const QColor ink = row.isUsable ? m_theme.ink : mixed(m_theme.muted, ground, 0.75);
    const QColor muted = row.isUsable ? m_theme.muted : mixed(m_theme.muted, ground, 0.75);
    const Inks name{ink, row.isUsable ? m_theme.key : ink};
    const Inks menu{muted, row.isUsable ? m_theme.key : muted};
    constexpr double kGutter = 30;
    constexpr double kMargin = 12;
    if (row.isOn) {
        painter->setPen(QPen(ink, 1.8, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
        const QPointF at(box.left() + 17, box.center().y() + 0.5);
        painter->drawPolyline(
            QPolygonF{at + QPointF(-4.5, 0), at + QPointF(-1.2, 3.2), at + QPointF(4.5, -3.6)});
    }
    double right = box.right() - kMargin;
    if (!row.keys.isEmpty()) {
        const QFont font = uiFont(12);
        const Label keys(row.keys);
        const double width = keys.width(font) + 1;
        drawLabel(*painter, {right - width, box.top(), width, box.height()}, Qt::AlignLeft, keys,
                  font, muted);
        right -= width + 16;
    }
    const double end =
        writeMarked(*painter, box.left() + kGutter, right, box, row.name, row.inName, 13, name);
    writeMarked(*painter, end + 10, right, box, row.menu, row.inMenu, 12, menu);
    if (row.endsRecent) {
        painter->setPen(QPen(m_theme.hairline, 1));
        painter->drawLine(QPointF(box.left() + kGutter, box.bottom()),
                          QPointF(right, box.bottom()));
    }
    painter->restore();
}

} // namespace keyaxis
