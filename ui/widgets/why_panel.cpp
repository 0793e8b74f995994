#include "ui/widgets/why_panel.h"

#include "core/proof/padding.h"
#include "core/proof/verdict.h"
#include "ui/paint/export.h"
#include "ui/widgets/append_card.h"
#include "ui/widgets/axis_summary.h"
#include "ui/widgets/cancel_card.h"
#include "ui/widgets/influence_view.h"
#include "ui/widgets/label_widget.h"
#include "ui/widgets/nan_card.h"
#include "ui/widgets/normaliser_card.h"
#include "ui/widgets/section_head.h"
#include "ui/widgets/slice_tray.h"
#include "ui/widgets/value_plane_view.h"
#include "ui/widgets/verdict_card.h"

#include <QBoxLayout>
#include <QCheckBox>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QFileDialog>
#include <QGuiApplication>
#include <QLabel>
#include <QMenu>
#include <QPainter>
#include <QSignalBlocker>
#include <algorithm>

namespace keyaxis {

namespace {

/// A token is data: it keeps its letters and its index.
Label joined(const QString& words, const Label& token)
{
    Label label;
    if (!words.isEmpty())
        label.add(words);
    label.runs.insert(label.runs.end(), token.runs.begin(), token.runs.end());
    return label;
}

} // namespace

WhyPanel::WhyPanel(QWidget* parent)
    : QWidget(parent),
      m_scope(sectionHead(this)),
      m_verdict(new VerdictCard(this)),
      m_padding(new QCheckBox(this)),
      m_hulls(new QLabel(this)),
      m_nan(new NanCard(this)),
      m_planeTitle(new LabelWidget(this)),
      m_plane(new ValuePlaneView(this)),
      m_sliceTitle(new LabelWidget(this)),
      m_tray(new SliceTray(this)),
      m_sliceWords(new QLabel(this)),
      m_influenceTitle(new LabelWidget(this)),
      m_influence(new InfluenceView(this)),
      m_influenceWords(new QLabel(this)),
      m_append(new AppendCard(this)),
      m_cancel(new CancelCard(this)),
      m_normaliser(new NormaliserCard(this)),
      m_summaryTitle(sectionHead(this)),
      m_summary(new AxisSummary(this))
{
    for (LabelWidget* title : {m_planeTitle, m_sliceTitle, m_influenceTitle}) {
        title->setFont(m_scope->font());
        title->setElides(true);
    }
    for (QLabel* words : {m_hulls, m_sliceWords, m_influenceWords}) {
        words->setObjectName(QStringLiteral("muted"));
        words->setFont(uiFont(12));
        words->setWordWrap(true);
    }
    m_sliceWords->setText(
        tr("One entry is alone in its denominator: its weight is 1 where it is allowed."));
    m_influenceTitle->setLabel(tr("WHAT MOVES WHEN ONE THING IS NUDGED"), tr("WHAT A NUDGE MOVES"));

    m_padding->setToolTip(tr("Queries of tokens that the mask hides from every query"));
    connect(m_padding, &QCheckBox::toggled, this, &WhyPanel::paddingLeftOut);

    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(14, 4, 14, 12);
    column->setSpacing(8);
    column->addWidget(m_scope);
    column->addWidget(m_verdict);
    column->addWidget(m_padding);
    column->addWidget(m_hulls);
    column->addWidget(m_nan);
    column->addSpacing(6);
    column->addWidget(m_planeTitle);
    column->addWidget(m_plane);
    column->addSpacing(6);
    column->addWidget(m_sliceTitle);
    column->addWidget(m_tray);
    column->addWidget(m_sliceWords);
    column->addSpacing(6);
    column->addWidget(m_influenceTitle);
    column->addWidget(m_influence);
    column->addWidget(m_influenceWords);
    column->addWidget(m_append);
    column->addWidget(m_cancel);
    column->addWidget(m_normaliser);
    column->addSpacing(6);
    column->addWidget(m_summaryTitle);
    column->addWidget(m_summary);
    column->addStretch(1);
    connect(m_summary, &AxisSummary::axisChosen, this, &WhyPanel::axisChosen);
}

/// The view of a proof that lies under `point`.
QWidget* WhyPanel::viewAt(QPoint point) const
{
    const std::initializer_list<QWidget*> views{m_verdict, m_nan,        m_plane,
                                                m_tray,    m_influence,  m_append,
                                                m_cancel,  m_normaliser, m_summary};
    const auto found = std::find_if(views.begin(), views.end(), [&](const QWidget* view) {
        return view->isVisible() && view->geometry().contains(point);
    });
    return found == views.end() ? nullptr : *found;
}

void WhyPanel::contextMenuEvent(QContextMenuEvent* event)
{
    QWidget* view = viewAt(event->pos());
    if (!view)
        return;
    QMenu menu(this);
    const QAction* copy = menu.addAction(tr("Copy picture"));
    const QAction* save = menu.addAction(tr("Save picture…"));
    const QAction* chosen = menu.exec(event->globalPos());
    if (chosen == copy) {
        QGuiApplication::clipboard()->setPixmap(view->grab());
    } else if (chosen == save) {
        const QString path = QFileDialog::getSaveFileName(this, tr("Save picture"), {},
                                                          tr("Pictures (*.svg *.pdf *.png)"));
        if (!path.isEmpty())
            savePicture(*view, path);
    }
}

void WhyPanel::savePicture(QWidget& view, const QString& path)
{
    const auto paint = [&](QPainter& painter, QSizeF) {
        view.render(&painter, {}, {}, QWidget::DrawChildren);
    };
    constexpr double kMargins = 24; // what a page leaves around its picture
    const auto saved =
        exportPicture({paint, view.accessibleName()}, m_theme,
                      {.size = view.size() + QSizeF(kMargins, kMargins)}, path.toStdString());
    if (!saved)
        Q_EMIT refused(QString::fromStdString(saved.error().message));
}

void WhyPanel::setTheme(const Theme& theme)
{
    m_theme = theme;
    m_planeTitle->setColor(theme.muted);
    m_plane->setTheme(theme);
    m_nan->setTheme(theme);
    m_sliceTitle->setColor(theme.muted);
    m_influenceTitle->setColor(theme.muted);
    m_verdict->setTheme(theme);
    m_tray->setTheme(theme);
    m_influence->setTheme(theme);
    m_append->setTheme(theme);
    m_cancel->setTheme(theme);
    m_normaliser->setTheme(theme);
    m_summary->setTheme(theme);
}

QString WhyPanel::hulls() const
{
    return m_hulls->text();
}

QString WhyPanel::influenceWords() const
{
    return m_influenceWords->text();
}

QString WhyPanel::scope() const
{
    return m_scope->text();
}

void WhyPanel::setLeavesOutPadding(bool isLeftOut)
{
    const QSignalBlocker isSilent(m_padding);
    m_padding->setChecked(isLeftOut);
    if (m_shown)
        showVerdict();
}

/// Why nothing can be nudged, in place of the maps of what moves.
void WhyPanel::showInfluence()
{
    const Inputs* inputs = m_shown ? &m_shown->results->inputs : nullptr;
    const bool hasMaps = !m_influence->figure().maps.empty();
    m_influenceWords->setText(
        !inputs || hasMaps || !m_shown->results->isComplete ? QString()
        : inputs->weights
            ? tr("These weights were loaded: nothing stands behind them that could be "
                 "nudged.")
        : !inputs->v ? tr("Without V there is no output that could move.")
                     : QString());
    m_influenceWords->setVisible(!m_influenceWords->text().isEmpty());
    m_influenceTitle->setVisible(hasMaps || m_influenceWords->isVisibleTo(this));
}

/// The count of all rows, or of those that are no padding; of this map until all are known.
void WhyPanel::showVerdict()
{
    const Results& results = *m_shown->results;
    const bool hasAll = results.allRows.has_value();
    const Certificate& certificate =
        hasAll ? *results.allRows : m_shown->certificate(results.settings.axis);
    const Index nAll = certificate.nRows();
    std::vector<bool> padded = hasAll ? paddedRows(results.inputs)
                                      : paddedRows(results.inputs, results.batch, results.head);
    const Index nPadded = std::ranges::count(padded, true);
    m_padding->setVisible(nPadded > 0);
    m_padding->setText(nPadded == 1 ? tr("Leave out the padded row")
                                    : tr("Leave out %1 padded rows").arg(nPadded));
    if (!m_padding->isChecked())
        padded.clear();
    const QString subject = results.inputs.weights ? tr("LOADED WEIGHTS") : tr("WHY THIS AXIS");
    const Index nRows = padded.empty() ? nAll : nAll - nPadded;
    m_scope->setText(!hasAll        ? tr("%1 · THIS MAP").arg(subject)
                     : nAll == 0    ? subject
                     : nAll == 1    ? tr("%1 · ITS ONE ROW").arg(subject)
                     : nRows < nAll ? tr("%1 · %2 OF %3 ROWS").arg(subject).arg(nRows).arg(nAll)
                                    : tr("%1 · ALL %2 ROWS").arg(subject).arg(nAll));
    m_verdict->setVerdict(
        verdictWithoutRows(certificate, padded, results.inputs, results.settings));
    m_summary->show(*m_shown, m_padding->isChecked());
}

void WhyPanel::show(const std::shared_ptr<const ShownResults>& shown)
{
    m_shown = shown;
    m_padding->hide();
    m_verdict->setVisible(shown != nullptr);
    m_summary->setVisible(shown != nullptr);
    m_influence->show(shown);
    m_append->show(shown);
    m_cancel->show(shown);
    m_normaliser->show(shown);
    showInfluence();
    m_hulls->setVisible(shown && shown->results->hulls);
    if (!shown) {
        m_scope->setText(tr("WHY THIS AXIS · COMPUTING…"));
        return;
    }
    const Results& results = *shown->results;
    m_summaryTitle->setText(results.inputs.weights ? tr("SUMS ALONG EACH AXIS")
                                                   : tr("THIS MAP UNDER EACH AXIS"));
    showVerdict();
    if (results.hulls)
        m_hulls->setText(QString::fromStdString(results.hulls->sentence));
}

void WhyPanel::point(const std::shared_ptr<const ShownResults>& shown, Cell cell)
{
    const bool isThere = shown && shown->contains(cell);
    m_nan->show(isThere ? shown : nullptr, cell);
    m_plane->show(isThere ? shown : nullptr, cell);
    m_planeTitle->setVisible(!m_plane->figure().isEmpty());
    if (!isThere) {
        m_sliceWords->hide();
        m_sliceTitle->hide();
        m_tray->clear();
        m_tray->hide();
        return;
    }
    const Label& query = shown->queries[static_cast<std::size_t>(cell.row)];
    m_planeTitle->setLabel(joined(tr("VALUE PLANE · QUERY "), query),
                           joined(tr("VALUES OF "), query));
    const OneSlice slice = sliceThrough(*shown, shown->results->settings.axis, cell);
    const SliceTitle title = sliceTitle(*shown, slice);
    const QString rest = QStringLiteral(" ") + title.rest.toUpper();
    m_sliceTitle->setLabel(joined(tr("ONE SLICE · "), title.tokens).add(rest),
                           joined(QString(), title.tokens).add(rest));
    m_sliceTitle->show();
    m_tray->show(shown, slice);
    m_tray->setVisible(true);
    m_sliceWords->setVisible(!slice.isGiven && slice.weights.size() == 1);
}

} // namespace keyaxis
