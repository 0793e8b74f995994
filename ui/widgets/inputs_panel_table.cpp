// The inputs panel's table: what is edited in it becomes an edit of the document.
#include "core/mask_edit.h"
#include "ui/document/table_edit.h"
#include "ui/paint/label.h"
#include "ui/widgets/file_reading.h"
#include "ui/widgets/flow_layout.h"
#include "ui/widgets/inputs_panel.h"
#include "ui/widgets/row_pointer.h"
#include "ui/widgets/tensor_model.h"
#include "ui/widgets/tensor_table.h"

#include <QLabel>
#include <QToolButton>
#include <algorithm>

namespace keyaxis {

namespace {

/// Token names for a table's rows: indices in lowered digits, which a header can show.
SectionNames headerNames(const TokenNames& names, Index b, Index n, char fallback)
{
    SectionNames result;
    for (Index t = 0; t < n; ++t)
        result.written << QString::fromStdString(tokenName(names, b, t, fallback));
    for (const Label& label : tokenLabels(names, b, n, fallback)) {
        QString text;
        const bool isRightToLeft = !label.runs.empty() && label.runs.front().text.isRightToLeft();
        // The index stands at the right of its token, as on the maps, also of an Arabic one.
        const QString leftToRight = isRightToLeft ? QString(QChar(0x200E)) : QString();
        for (const Label::Run& run : label.runs) {
            text += leftToRight;
            for (const QChar c : run.text)
                text += run.place == Label::Place::Sub && c.isDigit()
                            ? QChar(0x2080 + c.digitValue())
                            : c;
        }
        // Maps draw the sign for a space as an open box; as a character it is two tiny letters.
        result.shown << text.replace(u'␠', u'␣');
    }
    return result;
}

} // namespace

QWidget* InputsPanel::makeMaskBar()
{
    auto* bar = new QWidget(this);
    auto* flow = new FlowLayout(bar);
    const auto add = [&](const QString& text, const QString& tip, auto onClick) {
        QToolButton* made = button(text, tip);
        made->setObjectName(QStringLiteral("chip"));
        flow->addWidget(made);
        connect(made, &QToolButton::clicked, this, onClick);
    };
    add(tr("Paint on the map"), tr("Drag over the cells of the stage mask to hide or keep keys"),
        &InputsPanel::maskPaintingAsked);
    add(tr("From a file…"), tr("Read a mask from a file of tensors"), &InputsPanel::maskFileAsked);
    add(tr("Clear mask"), tr("Every key may be used again; the causal mask stays"), [this] {
        Inputs inputs = m_document.inputs();
        inputs.mask.reset();
        Q_EMIT inputsReplaced(inputs, tr("Clear mask"));
    });
    return bar;
}

void InputsPanel::showTensor()
{
    const Inputs& inputs = m_document.inputs();
    const Sizes s = m_document.sizes();
    const ViewSettings& view = m_document.view();
    const bool isQ = hasQueryRows(m_which);
    const Index group = s.groupOf(view.head);
    const SectionNames keys = headerNames(inputs.keyTokens, view.batch, s.Tk, 'k');
    m_table->tensorModel().show(tensorOf(inputs, m_which), view.batch, isQ ? view.head : group,
                                isQ ? headerNames(inputs.queryTokens, view.batch, s.Tq, 'q') : keys,
                                m_which == InputTensor::Given ? keys : SectionNames());
    m_sharing->setText(tableWords(inputs, s));
    m_sharing->setVisible(!m_sharing->text().isEmpty());
}

/// The mask of this (batch, head) in every cell, and who shares it.
void InputsPanel::showMask()
{
    const Inputs& inputs = m_document.inputs();
    const Sizes s = m_document.sizes();
    const ViewSettings& view = m_document.view();
    const Matrix cells = maskOf(inputs, view.batch, view.head);
    Tensor shown({1, 1, s.Tq, s.Tk});
    shown.slice(0, 0) = cells;
    m_table->tensorModel().show(share(std::move(shown)), 0, 0,
                                headerNames(inputs.queryTokens, view.batch, s.Tq, 'q'),
                                headerNames(inputs.keyTokens, view.batch, s.Tk, 'k'));
    QStringList text{tr("1 keeps a key, 0 hides it.")};
    const bool sharesHeads = !inputs.mask || inputs.mask->shape().heads == 1;
    const bool sharesExamples = !inputs.mask || inputs.mask->shape().batch == 1;
    if (sharesHeads && s.H > 1)
        text << tr("All heads share it.");
    if (sharesExamples && s.B > 1)
        text << tr("All examples share it.");
    m_sharing->setVisible(true);
    m_sharing->setText(text.join(QLatin1Char(' ')));
}

void InputsPanel::editMask(const std::vector<CellEdit>& cells, const QString& text, Gesture gesture)
{
    const ViewSettings& view = m_document.view();
    const Index nKeys = m_document.sizes().Tk;
    std::vector<MaskCell> edits;
    for (const CellEdit& cell : cells) {
        if (cell.after != 0.0F && cell.after != 1.0F) {
            Q_EMIT refused(tr("A mask holds 1, which keeps a key, and 0, which hides it."));
            return;
        }
        edits.push_back({cell.index / nKeys, cell.index % nKeys, cell.after != 0.0F});
    }
    Q_EMIT inputsReplaced(withMaskCells(m_document.inputs(), view.batch, view.head, edits), text,
                          gesture);
}

void InputsPanel::connectTable()
{
    connect(m_table, &TensorTable::edited, this,
            [this](const std::vector<CellEdit>& cells, const QString& text, Gesture gesture) {
                if (m_which == InputTensor::Mask)
                    editMask(cells, text, gesture);
                else
                    Q_EMIT cellsEdited(m_which, cells, text, gesture);
            });
    connect(m_table, &TensorTable::rowsEdited, this,
            [this](const Order& order, const QString& text) {
                const Inputs& inputs = m_document.inputs();
                const TokenSide side = tokensOf(inputs, m_which);
                Sizes sizes = m_document.sizes();
                (side == TokenSide::Key ? sizes.Tk : sizes.Tq) = static_cast<Index>(order.size());
                if (side == TokenSide::Both)
                    sizes.Tk = sizes.Tq;
                replace(sizes, text,
                        [&](const Inputs& before) { return withRows(before, m_which, order); });
            });
    connect(m_table, &TensorTable::columnsEdited, this,
            [this](const Order& order, const QString& text) {
                Q_EMIT inputsReplaced(withColumns(m_document.inputs(), m_which, order), text);
            });
    connect(m_table, &TensorTable::rowRenamed, this, [this](int row, const QString& name) {
        const Inputs& inputs = m_document.inputs();
        Q_EMIT inputsReplaced(withTokenNamed(inputs, tokensOf(inputs, m_which),
                                             m_document.view().batch, row, name.toStdString()),
                              tr("Rename token"));
    });
    connect(m_table, &TensorTable::columnRenamed, this, [this](int column, const QString& name) {
        const Inputs& inputs = m_document.inputs();
        Q_EMIT inputsReplaced(withTokenNamed(inputs, columnTokensOf(inputs),
                                             m_document.view().batch, column, name.toStdString()),
                              tr("Rename token"));
    });
    connect(m_table, &TensorTable::pastedBeyond, this, &InputsPanel::askToGrow);
    connect(m_table, &TensorTable::refused, this, &InputsPanel::refused);
    auto* pointer = new RowPointer(*m_table);
    connect(pointer, &RowPointer::hovered, this,
            [this](std::optional<Index> row) { Q_EMIT cellHovered(cellOf(row)); });
    connect(pointer, &RowPointer::clicked, this, [this](Index row) {
        if (const auto cell = cellOf(row))
            Q_EMIT cellClicked(*cell);
    });
}

/// A row of Q or of the mask is a query, one of K or V a key; the other side stays as it is.
std::optional<Cell> InputsPanel::cellOf(std::optional<Index> row) const
{
    if (!row || !m_cell)
        return std::nullopt;
    return hasQueryRows(m_which) ? Cell{*row, m_cell->col} : Cell{m_cell->row, *row};
}

/// What does not fit is said before anything happens. A mask and given numbers have a row for each
/// query and a column for each key: they do not grow alone.
void InputsPanel::askToGrow(int row, int col, const Matrix& block)
{
    const ViewSettings& view = m_document.view();
    const Sizes sizes = m_document.sizes();
    const InputTensor which = m_which;
    const bool isMask = which == InputTensor::Mask;
    const bool isMap = isMask || which == InputTensor::Given;
    const Place from{view.batch, hasQueryRows(which) ? view.head : sizes.groupOf(view.head), row,
                     col};
    const Shape shape =
        isMap ? Shape{1, 1, sizes.Tq, sizes.Tk} : tensorOf(m_document.inputs(), which)->shape();
    const Index nRows = std::min(block.rows(), shape.rows - row);
    const Index nCols = std::min(block.cols(), shape.cols - col);
    QStringList beyond;
    if (nRows < block.rows())
        beyond += counted(block.rows() - nRows, QT_TRANSLATE_NOOP("Reading", "1 row"),
                          QT_TRANSLATE_NOOP("Reading", "%1 rows"));
    if (nCols < block.cols())
        beyond += counted(block.cols() - nCols, QT_TRANSLATE_NOOP("Reading", "1 column"),
                          QT_TRANSLATE_NOOP("Reading", "%1 columns"));
    QString sentence =
        tr("The pasted block reaches %1 beyond the table.").arg(beyond.join(tr(" and ")));
    if (isMap)
        sentence += tr(" This table has a row for each query and a column for each key, so it "
                       "does not grow by a paste.");
    const QStringList answers = isMap ? QStringList{tr("Paste what fits")}
                                      : QStringList{tr("Grow the table"), tr("Paste what fits")};
    Q_EMIT asked(sentence, answers, [=, this](int answer) {
        const Matrix fitting = block.topLeftCorner(nRows, nCols);
        if (sizes != m_document.sizes())
            Q_EMIT refused(tr("The sizes have changed since; paste once more."));
        else if (isMap)
            m_table->putBlock(row, col, fitting);
        else
            putBlock(which, from, answer == 0 ? block : fitting);
    });
}

void InputsPanel::putBlock(InputTensor which, const Place& from, const Matrix& block)
{
    replace(sizesWithBlock(m_document.inputs(), which, from, block), tr("Paste"),
            [&](const Inputs& inputs) { return withBlock(inputs, which, from, block); });
}

} // namespace keyaxis
