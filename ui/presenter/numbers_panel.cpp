#include "ui/presenter/numbers_panel.h"

#include <QBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QScopedValueRollback>
#include <QTabBar>
#include <QTableWidget>
#include <cmath>

namespace keyaxis {

namespace {

constexpr int kTextPx = 17;
constexpr InputTensor kTensors[] = {InputTensor::Q, InputTensor::K, InputTensor::V};

} // namespace

bool holdsScores(const Inputs& inputs, const ScoreSettings& settings)
{
    return settings.scale == 1.0 && inputs.k && inputs.k->shape().rows == inputs.k->shape().cols &&
           inputs.k->slice(0, 0).isIdentity(0);
}

NumbersPanel::NumbersPanel(const Words& words, QWidget* parent)
    : QFrame(parent), m_words(words), m_tabs(new QTabBar(this)), m_table(new QTableWidget(this))
{
    setFrameShape(QFrame::StyledPanel);
    setAccessibleName(m_words("Numbers"));
    setAutoFillBackground(true);
    setFont(uiFont(kTextPx));
    m_tabs->setExpanding(false);
    m_tabs->setDrawBase(false);
    m_tabs->setFont(uiFont(kTextPx, QFont::DemiBold));
    m_tabs->setAccessibleName(m_words("Tensor"));
    m_table->setFont(uiFont(kTextPx));
    m_table->setAccessibleName(m_words("Numbers"));
    m_table->horizontalHeader()->setSectionResizeMode(QHeaderView::Stretch);
    m_table->horizontalHeader()->setMinimumSectionSize(64);
    m_table->verticalHeader()->setDefaultSectionSize(34);
    setFocusProxy(m_table);
    auto* column = new QVBoxLayout(this);
    column->addWidget(m_tabs);
    column->addWidget(m_table);
    connect(m_tabs, &QTabBar::currentChanged, this, [this](int tab) {
        if (tab < 0 || m_isFilling)
            return;
        m_which = kTensors[tab];
        fill();
    });
    connect(m_table, &QTableWidget::cellChanged, this, &NumbersPanel::onCellChanged);
}

void NumbersPanel::setTheme(const Theme& theme)
{
    QPalette palette;
    for (const auto role : {QPalette::Window, QPalette::Base, QPalette::Button})
        palette.setColor(role, theme.panel);
    for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
        palette.setColor(role, theme.ink);
    palette.setColor(QPalette::Highlight, theme.key);
    palette.setColor(QPalette::HighlightedText, theme.onAccent);
    setPalette(palette);
}

void NumbersPanel::show(const Document& document)
{
    const bool hasScores = holdsScores(document.inputs(), document.settings());
    m_inputs = document.inputs();
    m_batch = document.view().batch;
    m_head = document.view().head;
    {
        const QScopedValueRollback filling(m_isFilling, true);
        const int tab = hasScores ? 0 : std::max(0, m_tabs->currentIndex());
        while (m_tabs->count() > 0)
            m_tabs->removeTab(0);
        if (hasScores)
            m_tabs->addTab(m_words("Scores"));
        else
            for (const char* name : {"Q", "K", "V"})
                m_tabs->addTab(QString::fromLatin1(name));
        m_tabs->setTabEnabled(2, m_inputs.v != nullptr);
        m_tabs->setCurrentIndex(tab);
        m_which = kTensors[tab];
    }
    fill();
    if (!m_table->currentItem()) // arrows and digits have a cell to go from
        m_table->setCurrentCell(0, 0);
}

void NumbersPanel::fill()
{
    const QScopedValueRollback filling(m_isFilling, true);
    m_shown = tensorOf(m_inputs, m_which);
    const Sizes sizes = sizesOf(m_inputs);
    const bool isQuery = m_which == InputTensor::Q;
    const Index head = isQuery ? m_head : sizes.groupOf(m_head);
    const MatrixView values = m_shown->slice(m_batch, head);
    const bool hasScores = m_tabs->count() == 1;
    m_table->setRowCount(static_cast<int>(values.rows()));
    m_table->setColumnCount(static_cast<int>(values.cols()));
    for (int i = 0; i < m_table->rowCount(); ++i) {
        const TokenNames& names = isQuery ? m_inputs.queryTokens : m_inputs.keyTokens;
        m_table->setVerticalHeaderItem(i, new QTableWidgetItem(QString::fromStdString(
                                              tokenName(names, m_batch, i, isQuery ? 'q' : 'k'))));
        for (int d = 0; d < m_table->columnCount(); ++d) {
            // An item that is there stays: it may be the one that is just reporting its edit.
            if (!m_table->item(i, d))
                m_table->setItem(i, d, new QTableWidgetItem);
            m_table->item(i, d)->setText(
                QString::number(static_cast<double>(values(i, d)), 'g', 4));
        }
    }
    for (int d = 0; d < m_table->columnCount(); ++d)
        m_table->setHorizontalHeaderItem(
            d, new QTableWidgetItem(hasScores ? QString::fromStdString(
                                                    tokenName(m_inputs.keyTokens, m_batch, d, 'k'))
                                              : QString::number(d)));
}

void NumbersPanel::onCellChanged(int row, int column)
{
    if (m_isFilling)
        return;
    bool isNumber = false;
    const float value = m_table->item(row, column)->text().toFloat(&isNumber);
    const Index head = m_which == InputTensor::Q ? m_head : sizesOf(m_inputs).groupOf(m_head);
    const Index index = m_shown->offset(m_batch, head) + row * m_shown->shape().cols + column;
    if (isNumber && std::isfinite(value))
        Q_EMIT edited(m_which, {index, m_shown->data()[index], value});
    else
        fill(); // what is no number goes back to the number that it was
}

void NumbersPanel::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Escape)
        Q_EMIT closed();
    // A key that the table has no use for stays here: typing must not turn the page.
    event->accept();
}

} // namespace keyaxis
