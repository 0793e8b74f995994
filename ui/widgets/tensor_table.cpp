#include "ui/widgets/tensor_table.h"

#include "ui/paint/theme.h"
#include "ui/widgets/fitted_number.h"
#include "ui/widgets/table_actions.h"
#include "ui/widgets/tensor_model.h"
#include "ui/widgets/token_header.h"

#include <QHeaderView>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QScrollBar>
#include <QStyledItemDelegate>
#include <algorithm>
#include <cmath>

namespace keyaxis {

namespace {

/// A tinted, rounded cell; the current one has a frame in ink.
class CellDelegate : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override
    {
        const auto fill = index.data(Qt::BackgroundRole).value<QColor>();
        const auto ink = index.data(Qt::ForegroundRole).value<QColor>();
        const QRectF box = QRectF(option.rect).adjusted(1, 1, -1, -1);
        painter->save();
        painter->setRenderHint(QPainter::Antialiasing, true);
        const bool isCurrent = option.state.testFlag(QStyle::State_HasFocus);
        const bool isSelected = option.state.testFlag(QStyle::State_Selected);
        painter->setPen(isCurrent    ? QPen(option.palette.color(QPalette::Text), 2)
                        : isSelected ? QPen(option.palette.color(QPalette::Highlight), 2)
                                     : Qt::NoPen);
        painter->setBrush(fill);
        painter->drawRoundedRect(isCurrent || isSelected ? box.adjusted(1, 1, -1, -1) : box, 3, 3);
        painter->setPen(ink);
        const QRectF room = box.adjusted(2, 0, -4, 0);
        const auto number = static_cast<const TensorModel*>(index.model())->valueAt(index);
        const QString wanted = index.data(Qt::DisplayRole).toString();
        QFont font = option.font; // smaller only where one digit and its power are too wide
        const auto fitted = [&] {
            return fittedNumber(wanted, static_cast<double>(number), font, room.width());
        };
        while (font.pixelSize() > 9 &&
               QFontMetricsF(font).horizontalAdvance(fitted()) > room.width())
            font.setPixelSize(font.pixelSize() - 1);
        painter->setFont(font);
        painter->drawText(room, Qt::AlignRight | Qt::AlignVCenter, fitted());
        painter->restore();
    }
};

constexpr double kPixelsPerTenth = 5.0;
constexpr int kNarrowestColumn = 46;
constexpr int kWidestColumn = 60;

} // namespace

TensorTable::TensorTable(QWidget* parent)
    : QTableView(parent),
      m_model(new TensorModel(this)),
      m_rowHeader(new TokenHeader(Qt::Vertical, this)),
      m_columnHeader(new TokenHeader(Qt::Horizontal, this)),
      m_actions(new TableActions(*this))
{
    setModel(m_model);
    setVerticalHeader(m_rowHeader);
    setHorizontalHeader(m_columnHeader);
    setItemDelegate(new CellDelegate(this));
    setShowGrid(false);
    setFrameShape(QFrame::NoFrame);
    setEditTriggers(DoubleClicked | EditKeyPressed | AnyKeyPressed);
    setSelectionMode(ContiguousSelection);
    setTabKeyNavigation(false); // Tab leaves the table; the arrows move inside
    setFont(uiFont(13));
    horizontalHeader()->setFont(uiFont(12));
    verticalHeader()->setFont(uiFont(12));
    setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Expanding);
    horizontalHeader()->setMinimumSectionSize(34);
    horizontalHeader()->setSectionsClickable(true); // a click chooses the column
    horizontalHeader()->setHighlightSections(false);
    verticalHeader()->setDefaultSectionSize(26);
    verticalHeader()->setMinimumWidth(54);
    verticalHeader()->setMaximumWidth(96);
    verticalHeader()->setDefaultAlignment(Qt::AlignRight | Qt::AlignVCenter);
    verticalHeader()->setSectionsClickable(true);
    verticalHeader()->setHighlightSections(false);
    m_rowHeader->setNameable(true);
    for (QHeaderView* header : {verticalHeader(), horizontalHeader()}) {
        header->setContextMenuPolicy(Qt::CustomContextMenu);
        connect(header, &QWidget::customContextMenuRequested, this,
                [this, header](QPoint at) { showMenu(*header, at); });
    }
    connect(m_rowHeader, &TokenHeader::renamed, this, &TensorTable::rowRenamed);
    connect(m_columnHeader, &TokenHeader::renamed, this, &TensorTable::columnRenamed);
    setAccessibleName(tr("Numbers of the tensor"));
    connect(m_model, &QAbstractItemModel::modelReset, this, [this] {
        fitColumns();
        limitHeight();
    });
    connect(m_model, &TensorModel::edited, this, [this](const std::vector<CellEdit>& cells) {
        Q_EMIT edited(cells, tr("Edit a number"), 0);
    });
    connect(m_model, &TensorModel::refused, this, &TensorTable::refused);
}

/// No higher than its rows, so that what follows comes right below a short table; a long one
/// scrolls by itself instead of making its dock long.
void TensorTable::limitHeight()
{
    setMaximumHeight(horizontalHeader()->sizeHint().height() + verticalHeader()->length() +
                     horizontalScrollBar()->sizeHint().height() + 2);
}

/// As many whole columns as there is room for, so that no number is cut.
void TensorTable::fitColumns()
{
    const int nFitting = std::max(1, viewport()->width() / kNarrowestColumn);
    const int nShown = std::clamp(nFitting, 1, std::max(1, m_model->columnCount()));
    horizontalHeader()->setDefaultSectionSize(
        std::clamp(viewport()->width() / nShown, kNarrowestColumn, kWidestColumn));
}

void TensorTable::resizeEvent(QResizeEvent* event)
{
    QTableView::resizeEvent(event);
    fitColumns();
}

void TensorTable::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Backspace)
        clear();
    else
        QTableView::keyPressEvent(event);
}

void TensorTable::scrubTo(const Scrub& scrub, float value)
{
    // Two decimals: what a hand can mean. Large numbers have none to round.
    const float rounded = std::abs(value) < 1e5F ? std::round(value * 100.0F) / 100.0F : value;
    const std::vector<CellEdit> edits = m_model->editsFor({scrub.cell}, {rounded});
    if (!edits.empty())
        Q_EMIT edited(edits, tr("Scrub a number"), scrub.gesture);
}

void TensorTable::mousePressEvent(QMouseEvent* event)
{
    const QModelIndex cell = indexAt(event->pos());
    if (event->button() == Qt::LeftButton && event->modifiers().testFlag(Qt::AltModifier) &&
        cell.isValid()) {
        setCurrentIndex(cell);
        m_scrub = Scrub{cell, m_model->valueAt(cell), event->position().x(), newGesture()};
        setCursor(Qt::SizeHorCursor);
        return;
    }
    QTableView::mousePressEvent(event);
}

void TensorTable::mouseMoveEvent(QMouseEvent* event)
{
    if (!m_scrub) {
        QTableView::mouseMoveEvent(event);
        return;
    }
    const double steps = (event->position().x() - m_scrub->fromX) / kPixelsPerTenth;
    scrubTo(*m_scrub, m_scrub->start + 0.1F * static_cast<float>(steps));
}

void TensorTable::mouseReleaseEvent(QMouseEvent* event)
{
    if (!m_scrub) {
        QTableView::mouseReleaseEvent(event);
        return;
    }
    m_scrub.reset();
    unsetCursor();
}

void TensorTable::wheelEvent(QWheelEvent* event)
{
    const QModelIndex cell = indexAt(event->position().toPoint());
    if (!event->modifiers().testFlag(Qt::ControlModifier) || !cell.isValid()) {
        QTableView::wheelEvent(event);
        return;
    }
    if (m_wheel.cell != cell)
        m_wheel = Scrub{cell, 0.0F, 0.0, newGesture()};
    const float steps = static_cast<float>(event->angleDelta().y()) / 120.0F;
    scrubTo(m_wheel, m_model->valueAt(cell) + 0.1F * steps);
    event->accept();
}

} // namespace keyaxis
