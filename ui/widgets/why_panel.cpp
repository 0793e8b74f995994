#include "ui/widgets/why_panel.h"

#include "core/proof/verdict.h"
#include "ui/widgets/axis_summary.h"
#include "ui/widgets/label_widget.h"
#include "ui/widgets/section_head.h"
#include "ui/widgets/slice_tray.h"
#include "ui/widgets/value_plane_view.h"
#include "ui/widgets/verdict_card.h"

#include <QBoxLayout>
#include <QLabel>

namespace keyaxis {

namespace {

/// What the `n` entries of one slice do to each other, as far as it is not in the verdict.
QString sliceWords(Axis axis, qsizetype n)
{
    if (n == 1)
        return WhyPanel::tr(
            "One entry is alone in its denominator: its weight is 1 where it is allowed.");
    switch (axis) {
    case Axis::Key:
        return WhyPanel::tr("Only this query's own scores are in the denominator.");
    case Axis::Query:
        return WhyPanel::tr("Queries compete for this key: one denominator for all of them.");
    case Axis::Batch:
        return WhyPanel::tr(
            "Examples share this denominator: a result depends on who is in the batch.");
    case Axis::Head:
        break;
    }
    return WhyPanel::tr("Heads share this denominator: one head moves when another does.");
}

} // namespace

WhyPanel::WhyPanel(QWidget* parent)
    : QWidget(parent),
      m_scope(sectionHead(this)),
      m_verdict(new VerdictCard(this)),
      m_planeTitle(new LabelWidget(this)),
      m_plane(new ValuePlaneView(this)),
      m_sliceTitle(new LabelWidget(this)),
      m_tray(new SliceTray(this)),
      m_sliceWords(new QLabel(this)),
      m_summary(new AxisSummary(this))
{
    for (LabelWidget* title : {m_planeTitle, m_sliceTitle}) {
        title->setFont(m_scope->font());
        title->setElides(true);
    }
    m_sliceWords->setObjectName(QStringLiteral("muted"));
    m_sliceWords->setFont(uiFont(12));
    m_sliceWords->setWordWrap(true);
    QLabel* summaryTitle = sectionHead(this);
    summaryTitle->setText(tr("THIS MAP UNDER EACH AXIS"));

    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(14, 16, 14, 16);
    column->setSpacing(10);
    column->addWidget(m_scope);
    column->addWidget(m_verdict);
    column->addSpacing(14);
    column->addWidget(m_planeTitle);
    column->addWidget(m_plane);
    column->addSpacing(14);
    column->addWidget(m_sliceTitle);
    column->addWidget(m_tray);
    column->addWidget(m_sliceWords);
    column->addSpacing(14);
    column->addWidget(summaryTitle);
    column->addWidget(m_summary);
    column->addStretch(1);
    connect(m_summary, &AxisSummary::axisChosen, this, &WhyPanel::axisChosen);
}

void WhyPanel::setTheme(const Theme& theme)
{
    m_planeTitle->setColor(theme.muted);
    m_plane->setTheme(theme);
    m_sliceTitle->setColor(theme.muted);
    m_verdict->setTheme(theme);
    m_tray->setTheme(theme);
    m_summary->setTheme(theme);
}

QString WhyPanel::scope() const
{
    return m_scope->text();
}

void WhyPanel::show(const std::shared_ptr<const ShownResults>& shown)
{
    m_verdict->setVisible(shown != nullptr);
    m_summary->setVisible(shown != nullptr);
    if (!shown) {
        m_scope->setText(tr("WHY THIS AXIS · COMPUTING…"));
        return;
    }
    const Results& results = *shown->results;
    const bool hasAll = results.allRows.has_value();
    const Certificate& certificate =
        hasAll ? *results.allRows : shown->certificate(results.settings.axis);
    m_scope->setText(hasAll ? tr("WHY THIS AXIS · ALL %1 ROWS").arg(certificate.nRows())
                            : tr("WHY THIS AXIS · THIS MAP"));
    m_verdict->setVerdict(verdictOf(certificate, results.settings, sizesOf(results.inputs)));
    m_summary->show(*shown);
}

void WhyPanel::point(const std::shared_ptr<const ShownResults>& shown, Cell cell)
{
    const bool isThere = shown && shown->contains(cell);
    m_plane->show(isThere ? shown : nullptr, cell);
    m_planeTitle->setVisible(!m_plane->figure().isEmpty());
    m_sliceWords->setVisible(isThere);
    if (!isThere) {
        m_sliceTitle->setLabel(Label(tr("ONE SLICE")));
        m_tray->clear();
        return;
    }
    Label planeHead(tr("VALUE PLANE · QUERY "));
    const Label& query = shown->queries[static_cast<std::size_t>(cell.row)];
    planeHead.runs.insert(planeHead.runs.end(), query.runs.begin(), query.runs.end());
    m_planeTitle->setLabel(planeHead);
    const OneSlice slice = sliceThrough(*shown, shown->results->settings.axis, cell);
    const SliceTitle title = sliceTitle(*shown, slice);
    Label head(tr("ONE SLICE · "));
    head.runs.insert(head.runs.end(), title.tokens.runs.begin(), title.tokens.runs.end());
    m_sliceTitle->setLabel(head.add(QStringLiteral(" ") + title.rest.toUpper()));
    m_tray->show(shown, slice);
    m_sliceWords->setText(sliceWords(slice.axis, std::ssize(slice.weights)));
}

} // namespace keyaxis
