#include "ui/widgets/status_strip.h"

#include "ui/widgets/label_widget.h"

#include <QBoxLayout>
#include <QPainter>
#include <cmath>

namespace keyaxis {

namespace {

constexpr int kHeight = 30;
constexpr int kMostTerms = 12;

QString sizesText(const Results& results)
{
    const Sizes s = sizesOf(results.inputs);
    return QStringLiteral("%1 × %2 × %3 × %4 · %5 ms")
        .arg(s.B)
        .arg(s.H)
        .arg(s.Tq)
        .arg(s.Tk)
        .arg(results.milliseconds, 0, 'f', results.milliseconds < 10 ? 2 : 0);
}

} // namespace

StatusStrip::StatusStrip(QWidget* parent)
    : QWidget(parent),
      m_names(new LabelWidget(this)),
      m_formula(new LabelWidget(this)),
      m_rowSum(new LabelWidget(this)),
      m_sizes(new LabelWidget(this))
{
    setFixedHeight(kHeight);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(16, 1, 16, 0);
    row->setSpacing(24);
    for (LabelWidget* part : {m_names, m_formula, m_rowSum}) {
        part->setFont(uiFont(12));
        row->addWidget(part);
    }
    row->addStretch(1);
    m_sizes->setFont(uiFont(12));
    m_sizes->setToolTip(
        tr("examples × heads × queries × keys, and how long the looked-at map took"));
    row->addWidget(m_sizes);
}

void StatusStrip::setTheme(const Theme& theme)
{
    m_theme = theme;
    for (LabelWidget* part : {m_names, m_formula, m_rowSum})
        part->setColor(mixed(theme.ink, theme.muted, 0.6));
    m_sizes->setColor(theme.muted);
    update();
}

void StatusStrip::show(const std::shared_ptr<const ShownResults>& shown, Cell cell)
{
    m_sizes->setLabel(shown ? Label(sizesText(*shown->results)) : Label());
    if (!shown || !shown->contains(cell)) {
        m_slice.reset();
        for (LabelWidget* part : {m_names, m_formula, m_rowSum})
            part->setLabel(Label());
        return;
    }
    const Axis axis = shown->results->settings.axis;
    m_slice = sliceThrough(*shown, axis, cell);

    Label names(tr("query "));
    const auto addBold = [&names](const Label& token) {
        for (const Label::Run& run : token.runs)
            names.runs.push_back({run.text, run.place, true});
    };
    addBold(shown->queries[static_cast<std::size_t>(cell.row)]);
    names.add(tr(" · key "));
    addBold(shown->keys[static_cast<std::size_t>(cell.col)]);
    m_names->setLabel(names);

    const RowCertificate& row = shown->certificate(axis).rows[static_cast<std::size_t>(cell.row)];
    m_rowSum->setLabel(
        Label(tr("row sum "))
            .bold(std::isnan(row.sum) ? QStringLiteral("NaN") : QString::number(row.sum, 'f', 6)));
    fitFormula();
}

QString StatusStrip::formulaText() const
{
    return m_formula->label().plain();
}

/// As many terms of the denominator as there is room for.
void StatusStrip::fitFormula()
{
    if (!m_slice)
        return;
    const int taken = m_names->sizeHint().width() + m_rowSum->sizeHint().width() +
                      m_sizes->sizeHint().width() + 4 * layout()->spacing() + 32;
    Label formula;
    for (int nTerms = kMostTerms; nTerms >= 2; --nTerms) {
        formula = substitutedFormula(*m_slice, nTerms);
        if (formula.width(m_formula->font()) <= width() - taken)
            break;
    }
    m_formula->setLabel(formula);
}

void StatusStrip::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    fitFormula();
}

void StatusStrip::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.fillRect(rect(), m_theme.panel);
    painter.fillRect(QRect(0, 0, width(), 1), m_theme.hairline);
}

} // namespace keyaxis
