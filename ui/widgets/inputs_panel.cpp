#include "ui/widgets/inputs_panel.h"

#include "core/patterns.h"
#include "ui/paint/label.h"
#include "ui/widgets/flow_layout.h"
#include "ui/widgets/section_head.h"
#include "ui/widgets/stepper.h"
#include "ui/widgets/tensor_model.h"
#include "ui/widgets/tensor_table.h"

#include <QButtonGroup>
#include <QGridLayout>
#include <QInputDialog>
#include <QLabel>
#include <QMenu>
#include <QSpinBox>
#include <QToolButton>
#include <QVBoxLayout>

namespace keyaxis {

namespace {

constexpr int kLargestSize = 4096;

/// Token names for a table's rows: indices in lowered digits, which a header can show.
QStringList headerNames(const TokenNames& names, Index b, Index n, char fallback)
{
    QStringList result;
    for (const Label& label : tokenLabels(names, b, n, fallback)) {
        QString text;
        for (const Label::Run& run : label.runs)
            for (const QChar c : run.text)
                text += run.place == Label::Place::Sub && c.isDigit()
                            ? QChar(0x2080 + c.digitValue())
                            : c;
        result << text;
    }
    return result;
}

} // namespace

InputsPanel::InputsPanel(const Document& document, QMenu* samples, QWidget* parent)
    : QWidget(parent),
      m_document(document),
      m_tabs(new QButtonGroup(this)),
      m_batch(new Stepper(tr("batch"), this)),
      m_head(new Stepper(tr("head"), this)),
      m_sharing(new QLabel(this)),
      m_table(new TensorTable(this))
{
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(14, 14, 14, 14);
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
    m_sharing->setObjectName(QStringLiteral("muted"));
    m_sharing->setWordWrap(true);
    column->addWidget(m_sharing);
    column->addWidget(m_table, 1);
    QLabel* shape = sectionHead(this);
    shape->setText(tr("SHAPE"));
    column->addWidget(shape);
    column->addWidget(makeShape());
    QLabel* fills = sectionHead(this);
    fills->setText(tr("FILL WITH"));
    column->addWidget(fills);
    column->addWidget(makeFills(samples));

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
    connect(m_table, &TensorTable::edited, this,
            [this](const std::vector<CellEdit>& cells, const QString& text, Gesture gesture) {
                Q_EMIT cellsEdited(m_which, cells, text, gesture);
            });
    connect(m_table, &TensorTable::refused, this, &InputsPanel::refused);
    connect(&document, &Document::changed, this, &InputsPanel::onChanged);
    refresh();
}

void InputsPanel::setTheme(const Theme& theme) { m_table->tensorModel().setTheme(theme); }

QWidget* InputsPanel::makeTabs()
{
    auto* bar = new QWidget(this);
    auto* row = new QHBoxLayout(bar);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(4);
    constexpr std::array kNames{"Q", "K", "V"};
    const std::array tips{tr("Queries: what each token looks for"),
                          tr("Keys: what each token offers to be found by"),
                          tr("Values: what each token hands on")};
    for (int n = 0; n < 3; ++n) {
        QToolButton* tab = button(QLatin1String(kNames[static_cast<std::size_t>(n)]),
                                  tips[static_cast<std::size_t>(n)]);
        tab->setObjectName(QStringLiteral("tab"));
        tab->setCheckable(true);
        tab->setChecked(n == 0);
        m_tabs->addButton(tab, n);
        row->addWidget(tab);
    }
    row->addStretch();
    QToolButton* open = button(tr("Open…"), tr("Open a file of tensors"));
    open->setObjectName(QStringLiteral("link"));
    row->addWidget(open);
    connect(open, &QToolButton::clicked, this, &InputsPanel::openRequested);
    connect(m_tabs, &QButtonGroup::idClicked, this, [this](int id) {
        m_which = static_cast<InputTensor>(id);
        refresh();
    });
    return bar;
}

QWidget* InputsPanel::makeShape()
{
    auto* grid = new QWidget(this);
    auto* layout = new QGridLayout(grid);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(6);
    constexpr std::array kNames{"B", "H", "G", "Tq", "Tk", "dk", "dv"};
    const std::array tips{tr("Examples in the batch"),      tr("Query heads"),
                          tr("Key and value heads; H is a multiple"), tr("Queries"),
                          tr("Keys"),                       tr("Width of queries and keys"),
                          tr("Width of values")};
    for (std::size_t n = 0; n < kNames.size(); ++n) {
        auto* box = new QSpinBox(grid);
        box->setRange(1, kLargestSize);
        box->setPrefix(QLatin1String(kNames[n]) + QStringLiteral("  "));
        box->setButtonSymbols(QAbstractSpinBox::NoButtons);
        box->setAlignment(Qt::AlignLeft);
        box->setKeyboardTracking(false);
        box->setToolTip(tips[n]);
        box->setAccessibleName(tips[n]);
        box->setObjectName(QStringLiteral("size%1").arg(QLatin1String(kNames[n])));
        box->setMinimumWidth(40);
        layout->addWidget(box, static_cast<int>(n / 4), static_cast<int>(n % 4));
        connect(box, &QSpinBox::valueChanged, this, &InputsPanel::resize);
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
    const auto add = [&](const QString& text, const QString& tip, auto make) {
        QToolButton* made = button(text, tip);
        made->setObjectName(QStringLiteral("chip"));
        flow->addWidget(made);
        connect(made, &QToolButton::clicked, this, [this, text, make] {
            Q_EMIT inputsReplaced(make(m_document.inputs()), tr("Fill with: %1").arg(text));
        });
    };
    add(tr("Random"), tr("Normal numbers; each click another seed"),
        [this](const Inputs& inputs) { return filled(inputs, Pattern::Random, m_seed++); });
    add(tr("One-hot"), tr("Token t is the unit vector t"),
        [](const Inputs& inputs) { return filled(inputs, Pattern::OneHot, 0); });
    add(tr("Uniform"), tr("All scores equal: Q and K are 0"),
        [](const Inputs& inputs) { return filled(inputs, Pattern::Uniform, 0); });
    add(tr("Previous token"), tr("Each query points at the key before it"),
        [](const Inputs& inputs) { return filled(inputs, Pattern::PreviousToken, 0); });
    add(tr("V = 1"), tr("All values 1: the output is the row sum"),
        [](const Inputs& inputs) { return withOnesAsValues(inputs); });
    add(tr("V = I"), tr("Values are unit vectors: the output is the row of weights"),
        [](const Inputs& inputs) { return withIdentityAsValues(inputs); });
    QToolButton* sentence = button(tr("A sentence…"), tr("Its words become the tokens"));
    sentence->setObjectName(QStringLiteral("chip"));
    connect(sentence, &QToolButton::clicked, this, &InputsPanel::askForSentence);
    flow->addWidget(sentence);
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

void InputsPanel::refresh()
{
    const Inputs& inputs = m_document.inputs();
    if (!inputs.q)
        return;
    const Sizes s = m_document.sizes();
    const ViewSettings& view = m_document.view();
    m_batch->setState(view.batch, s.B);
    m_head->setState(view.head, s.H);
    const bool isQ = m_which == InputTensor::Q;
    const Index group = s.groupOf(view.head);
    m_table->tensorModel().show(tensorOf(inputs, m_which), view.batch, isQ ? view.head : group,
                                isQ ? headerNames(inputs.queryTokens, view.batch, s.Tq, 'q')
                                    : headerNames(inputs.keyTokens, view.batch, s.Tk, 'k'));
    const Index perGroup = s.headsPerGroup();
    m_sharing->setVisible(!isQ && perGroup > 1);
    m_sharing->setText(tr("Heads %1 to %2 read this.")
                           .arg(group * perGroup + 1)
                           .arg((group + 1) * perGroup));
    const std::array<Index, 7> sizes{s.B, s.H, s.G, s.Tq, s.Tk, s.dk, std::max<Index>(1, s.dv)};
    for (std::size_t n = 0; n < sizes.size(); ++n) {
        const QSignalBlocker quiet(m_sizes[n]);
        m_sizes[n]->setMaximum(std::max(kLargestSize, static_cast<int>(sizes[n])));
        m_sizes[n]->setMinimum(sizes[n] == 0 ? 0 : 1);
        m_sizes[n]->setValue(static_cast<int>(sizes[n]));
    }
}

void InputsPanel::resize()
{
    const auto value = [this](std::size_t n) { return static_cast<Index>(m_sizes[n]->value()); };
    const Sizes before = m_document.sizes();
    Sizes after{value(0), value(1), value(2), value(3), value(4), value(5), value(6)};
    // H and G move together where one of them alone would not divide.
    if (after.H % after.G != 0) {
        if (after.G != before.G) {
            Q_EMIT refused(tr("%1 heads cannot share %2 key heads: H must be a multiple of G.")
                               .arg(after.H)
                               .arg(after.G));
            refresh();
            return;
        }
        after.G = after.H;
    }
    if (after != before)
        Q_EMIT inputsReplaced(resized(m_document.inputs(), after), tr("Change sizes"));
}

void InputsPanel::askForSentence()
{
    bool isAccepted = false;
    const QString sentence = QInputDialog::getText(
        this, tr("A sentence"), tr("Its words become the tokens; equal words get equal vectors."),
        QLineEdit::Normal, tr("the cat sat on the mat"), &isAccepted);
    if (isAccepted && !sentence.trimmed().isEmpty())
        Q_EMIT inputsReplaced(ofSentence(m_document.inputs(), sentence.toStdString(), m_seed++),
                              tr("Fill with a sentence"));
}

} // namespace keyaxis
