#include "ui/widgets/inputs_panel.h"

#include "core/patterns.h"
#include "ui/widgets/flow_layout.h"
#include "ui/widgets/layer_row.h"
#include "ui/widgets/section_head.h"
#include "ui/widgets/size_box.h"
#include "ui/widgets/size_rules.h"
#include "ui/widgets/stepper.h"
#include "ui/widgets/tensor_model.h"
#include "ui/widgets/tensor_table.h"
#include "ui/widgets/token_header.h"

#include <QButtonGroup>
#include <QGridLayout>
#include <QInputDialog>
#include <QLabel>
#include <QMenu>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

namespace keyaxis {

InputsPanel::InputsPanel(const Document& document, QMenu* samples, QWidget* parent)
    : QWidget(parent),
      m_document(document),
      m_tabs(new QButtonGroup(this)),
      m_batch(new Stepper(tr("batch"), this)),
      m_head(new Stepper(tr("head"), this)),
      m_layer(new LayerRow(this)),
      m_sharing(new QLabel(this)),
      m_maskBar(makeMaskBar()),
      m_table(new TensorTable(this))
{
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(12, 6, 12, 12);
    column->setSpacing(8);
    QLabel* inputs = sectionHead(this);
    inputs->setText(tr("INPUTS"));
    column->addWidget(inputs);
    column->addWidget(makeTabs());
    auto* steppers = new QHBoxLayout;
    steppers->addWidget(m_batch);
    steppers->addStretch();
    steppers->addWidget(m_head);
    column->addLayout(steppers);
    column->addWidget(m_layer);
    m_sharing->setObjectName(QStringLiteral("muted"));
    m_sharing->setWordWrap(true);
    column->addWidget(m_sharing);
    column->addWidget(m_maskBar);
    column->addWidget(m_table, 1000); // as high as its rows
    QLabel* shape = sectionHead(this);
    shape->setText(tr("SHAPE"));
    column->addWidget(shape);
    column->addWidget(makeShape());
    QLabel* fills = sectionHead(this);
    fills->setText(tr("FILL WITH"));
    column->addWidget(fills);
    column->addWidget(makeFills(samples));
    column->addStretch(1);

    connect(m_batch, &Stepper::stepped, this, [this](qsizetype index) {
        ViewSettings view = m_document.view();
        view.batch = index;
        Q_EMIT viewEdited(view);
    });
    connect(m_head, &Stepper::stepped, this, [this](qsizetype index) {
        ViewSettings view = m_document.view();
        view.head = index;
        Q_EMIT viewEdited(view);
    });
    connect(m_layer, &LayerRow::chosen, this, &InputsPanel::layerChosen);
    connectTable();
    orderTabs();
    connect(&document, &Document::changed, this, &InputsPanel::onChanged);
    refresh();
}

/// The Tab key goes as the eye does: from the tabs over the steppers to the table.
void InputsPanel::orderTabs()
{
    QList<QWidget*> order;
    for (QAbstractButton* tab : m_tabs->buttons())
        order += tab;
    order += m_open;
    for (QWidget* stepper : {static_cast<QWidget*>(m_batch), static_cast<QWidget*>(m_head)})
        for (QToolButton* arrow : stepper->findChildren<QToolButton*>())
            order += arrow;
    order += m_table;
    for (qsizetype n = 1; n < order.size(); ++n)
        setTabOrder(order[n - 1], order[n]);
}

void InputsPanel::setTheme(const Theme& theme)
{
    m_table->tensorModel().setTheme(theme);
    for (SizeBox* box : m_sizes)
        box->setNameColor(theme.muted);
}

QWidget* InputsPanel::makeTabs()
{
    auto* bar = new QWidget(this);
    auto* row = new QHBoxLayout(bar);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(0);
    const std::array names{tr("Q"), tr("K"), tr("V"), tr("Mask"), QString()};
    const std::array tips{
        tr("Queries: what each token looks for"), tr("Keys: what each token offers to be found by"),
        tr("Values: what each token hands on"), tr("Mask: which keys each query may use"),
        tr("What the file holds in place of Q and K")};
    for (int n = 0; n < static_cast<int>(names.size()); ++n) {
        QToolButton* tab =
            button(names[static_cast<std::size_t>(n)], tips[static_cast<std::size_t>(n)]);
        tab->setObjectName(QStringLiteral("tab"));
        tab->setCheckable(true);
        tab->setFocusPolicy(Qt::NoFocus);
        m_tabs->addButton(tab, n);
        row->addWidget(tab);
    }
    // Tab goes to the one that is pressed, arrows to the others.
    connect(m_tabs, &QButtonGroup::idToggled, this, [this](int id, bool isOn) {
        m_tabs->button(id)->setFocusPolicy(isOn ? Qt::TabFocus : Qt::NoFocus);
    });
    m_tabs->button(0)->setChecked(true);
    row->addStretch();
    m_open = button(tr("Open…"), tr("Open a file of tensors"));
    m_open->setObjectName(QStringLiteral("link"));
    row->addWidget(m_open);
    connect(m_open, &QToolButton::clicked, this, &InputsPanel::openRequested);
    connect(m_tabs, &QButtonGroup::idClicked, this, [this](int id) {
        m_which = static_cast<InputTensor>(id);
        refresh();
        Q_EMIT shownTensorChanged();
    });
    return bar;
}

QWidget* InputsPanel::makeShape()
{
    auto* grid = new QWidget(this);
    auto* layout = new QGridLayout(grid);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(5);
    struct Field {
        const char* letter;
        const char* index;
        QString tip;
    };
    const std::array<Field, 7> fields{{{"B", "", tr("Examples in the batch")},
                                       {"H", "", tr("Query heads")},
                                       {"G", "", tr("Key and value heads; H is a multiple of it")},
                                       {"T", "q", tr("Queries")},
                                       {"T", "k", tr("Keys")},
                                       {"d", "k", tr("Width of queries and keys")},
                                       {"d", "v", tr("Width of values")}}};
    for (std::size_t n = 0; n < fields.size(); ++n) {
        const Field& field = fields[n];
        auto* box =
            new SizeBox(QLatin1String(field.letter), QLatin1String(field.index), field.tip, grid);
        layout->addWidget(box, static_cast<int>(n / 4), static_cast<int>(n % 4));
        connect(box, &SizeBox::valueChanged, this, [this, n] { editSize(n); });
        m_sizes[n] = box;
    }
    return grid;
}

QToolButton* InputsPanel::button(const QString& text, const QString& tip)
{
    auto* made = new QToolButton(this);
    made->setText(text);
    made->setToolTip(tip);
    made->setFocusPolicy(Qt::TabFocus);
    return made;
}

QWidget* InputsPanel::makeFills(QMenu* samples)
{
    auto* area = new QWidget(this);
    auto* flow = new FlowLayout(area);
    const auto add = [&](const QString& text, const QString& tip, auto onClick) {
        QToolButton* made = button(text, tip);
        made->setObjectName(QStringLiteral("chip"));
        flow->addWidget(made);
        connect(made, &QToolButton::clicked, this, onClick);
        return made;
    };
    const auto addFill = [&](const QString& text, const QString& tip, Pattern pattern) {
        m_fillsOfQueries.push_back(add(text, tip, [this, text, pattern] {
            replace(m_document.sizes(), tr("Fill with: %1").arg(text),
                    [pattern](const Inputs& inputs) { return filled(inputs, pattern, 0); });
        }));
    };
    m_fillsOfQueries.push_back(
        add(tr("Random"), tr("Normal numbers; each click takes the next seed"), [this] {
            const quint64 seed = m_seed++;
            replace(m_document.sizes(), tr("Fill with random numbers, seed %1").arg(seed),
                    [seed](const Inputs& inputs) { return filled(inputs, Pattern::Random, seed); });
        }));
    addFill(tr("One-hot"), tr("Token t is the unit vector t"), Pattern::OneHot);
    addFill(tr("Uniform"), tr("All scores equal: Q and K are 0"), Pattern::Uniform);
    addFill(tr("Previous token"), tr("Each query points at the key before it"),
            Pattern::PreviousToken);
    add(tr("V = 1"), tr("All values 1: the output is the row sum"),
        [this] { replace(m_document.sizes(), tr("Fill with: V = 1"), withOnesAsValues); });
    add(tr("V = I"), tr("Values are unit vectors: the output is the row of weights"), [this] {
        Sizes sizes = m_document.sizes();
        sizes.dv = sizes.Tk;
        replace(sizes, tr("Fill with: V = I"), withIdentityAsValues);
    });
    m_fillsOfQueries.push_back(
        add(tr("A sentence…"), tr("Its words become the tokens"), [this] { askForSentence(); }));
    QToolButton* sample = button(tr("Sample…"), tr("Tensors of small trained models"));
    sample->setObjectName(QStringLiteral("chip"));
    sample->setMenu(samples);
    sample->setPopupMode(QToolButton::InstantPopup);
    flow->addWidget(sample);
    return area;
}

void InputsPanel::onChanged(Changes changes)
{
    if (changes.testFlag(Change::Inputs) || changes.testFlag(Change::View))
        refresh();
}

void InputsPanel::point(Cell cell)
{
    m_cell = cell;
    showMark();
}

void InputsPanel::showMark()
{
    if (m_cell)
        m_table->tensorModel().markRow(hasQueryRows(m_which) ? m_cell->row : m_cell->col);
}

/// Where scores or weights were loaded there is no Q and no K, and the tabs say so.
void InputsPanel::showGiven(const Inputs& inputs)
{
    const bool isGiven = inputs.given() != nullptr;
    QAbstractButton* given = m_tabs->button(static_cast<int>(InputTensor::Given));
    given->setVisible(isGiven);
    given->setText(inputs.weights ? tr("W") : tr("S"));
    given->setToolTip(inputs.weights ? tr("The weights of the file, in place of Q and K")
                                     : tr("The scores of the file, in place of Q and K"));
    for (const InputTensor absent : {InputTensor::Q, InputTensor::K})
        m_tabs->button(static_cast<int>(absent))->setEnabled(!isGiven);
    m_tabs->button(static_cast<int>(InputTensor::Mask))->setEnabled(!inputs.weights);
    const bool isOfGiven = m_which == InputTensor::V || m_which == InputTensor::Given ||
                           (m_which == InputTensor::Mask && !inputs.weights);
    const bool isShown = isGiven ? isOfGiven : m_which != InputTensor::Given;
    if (!isShown) {
        m_which = isGiven ? InputTensor::Given : InputTensor::Q;
        m_tabs->button(static_cast<int>(m_which))->setChecked(true);
    }
    for (SizeBox* box : m_sizes)
        box->setEnabled(!isGiven);
    for (QWidget* fill : m_fillsOfQueries)
        fill->setEnabled(!isGiven);
}

/// What is to be known of the table: which heads share it, or that it stands in place of Q and K.
QString InputsPanel::tableWords(const Inputs& inputs, const Sizes& sizes) const
{
    if (m_which == InputTensor::Given)
        return inputs.weights ? tr("The file has no Q and K. These are its weights.")
                              : tr("The file has no Q and K. These are its scores.");
    const Index perGroup = sizes.headsPerGroup();
    if (m_which == InputTensor::Q || perGroup == 1)
        return {};
    const Index group = sizes.groupOf(m_document.view().head);
    return tr("Heads %1 to %2 read this.").arg(group * perGroup + 1).arg((group + 1) * perGroup);
}

void InputsPanel::refresh()
{
    const Inputs& inputs = m_document.inputs();
    if (inputs.isEmpty())
        return;
    showGiven(inputs);
    m_layer->show(m_document);
    const Sizes s = m_document.sizes();
    const ViewSettings& view = m_document.view();
    m_batch->setState(view.batch, s.B);
    m_head->setState(view.head, s.H);
    const bool isMask = m_which == InputTensor::Mask;
    m_maskBar->setVisible(isMask);
    m_table->tensorModel().setMask(isMask);
    m_table->columnHeader().setNameable(isMask || m_which == InputTensor::Given);
    isMask ? showMask() : showTensor();
    showMark();
    const std::array<Index, 7> sizes{s.B, s.H, s.G, s.Tq, s.Tk, s.dk, s.dv};
    for (std::size_t n = 0; n < sizes.size(); ++n)
        m_sizes[n]->showSize(static_cast<int>(sizes[n]));
}

void InputsPanel::editSize(std::size_t which)
{
    const Sizes before = m_document.sizes();
    Sizes after = before;
    constexpr std::array kMembers{&Sizes::B,  &Sizes::H,  &Sizes::G, &Sizes::Tq,
                                  &Sizes::Tk, &Sizes::dk, &Sizes::dv};
    after.*kMembers[which] = m_sizes[which]->value();
    const Index groups = fittingGroups(before, after);
    if (groups < 1 || groups > after.H) {
        Q_EMIT refused(tr("%1 heads cannot share %2 key heads: H must be a multiple of G.")
                           .arg(after.H)
                           .arg(after.G));
    } else {
        after.G = groups;
        replace(after, tr("Change sizes"),
                [&](const Inputs& inputs) { return resized(inputs, after); });
    }
    refresh(); // what was refused or moved along
}

void InputsPanel::replace(const Sizes& sizes, const QString& text,
                          const std::function<Inputs(const Inputs&)>& make)
{
    const double numbers = largestTensor(sizes);
    if (numbers > kMostNumbers && numbers > largestTensor(m_document.sizes()))
        Q_EMIT refused(tr("These sizes need %1 MiB for one tensor; the limit for tables is %2 MiB.")
                           .arg(numbers * 4 / 0x1p20, 0, 'f', 0)
                           .arg(kMostNumbers * 4 / 0x1p20, 0, 'f', 0));
    else
        Q_EMIT inputsReplaced(make(m_document.inputs()), text);
}

void InputsPanel::askForSentence()
{
    bool isAccepted = false;
    const QString sentence = QInputDialog::getText(
        this, tr("A sentence"), tr("Its words become the tokens; equal words get equal vectors."),
        QLineEdit::Normal, tr("the cat sat on the mat"), &isAccepted);
    const std::string text = sentence.toStdString();
    Sizes sizes = m_document.sizes();
    sizes.Tq = sizes.Tk = static_cast<Index>(wordsOf(text).size());
    if (isAccepted && sizes.Tq > 0)
        replace(sizes, tr("Fill with a sentence"),
                [&](const Inputs& inputs) { return ofSentence(inputs, text, m_seed++); });
}

} // namespace keyaxis
