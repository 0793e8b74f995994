#include "ui/widgets/nan_card.h"

#include <QBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <algorithm>
#include <cmath>
#include <map>

namespace keyaxis {

namespace {

constexpr int kMostNames = 8;

QString reason(HiddenBy by)
{
    switch (by) {
    case HiddenBy::Causal:
        return NanCard::tr("the causal mask");
    case HiddenBy::Mask:
        return NanCard::tr("the loaded mask");
    case HiddenBy::Bias:
        return NanCard::tr("-inf in the bias");
    case HiddenBy::Score:
        return NanCard::tr("a score of -inf");
    case HiddenBy::Nothing:
        break;
    }
    return {};
}

/// "All 4 cells of this slice are hidden: 3 by the causal mask, 1 by the loaded mask."
QString hiddenWords(const NanStory& story)
{
    std::map<HiddenBy, int> counts;
    for (const NanStory::Hidden& hidden : story.hidden)
        ++counts[hidden.by];
    QStringList parts;
    for (const auto& [by, n] : counts)
        parts += counts.size() == 1 ? NanCard::tr("by %1").arg(reason(by))
                                    : NanCard::tr("%1 by %2").arg(n).arg(reason(by));
    if (story.hidden.size() == 1)
        return NanCard::tr("Its one cell is hidden %1.").arg(parts.join(QStringLiteral(", ")));
    return NanCard::tr("All %1 cells that share this denominator are hidden: %2.")
        .arg(story.hidden.size())
        .arg(parts.join(QStringLiteral(", ")));
}

QString spoiledWords(const NanStory& story, const ShownResults& shown)
{
    if (story.spoiled.empty())
        return NanCard::tr("It spoils no output.");
    const Results& results = *shown.results;
    QStringList names;
    Index nElsewhere = 0;
    for (const OutputRow& row : story.spoiled) {
        if (row.b == results.batch && row.h == results.head)
            names += shown.queries[static_cast<std::size_t>(row.i)].plain();
        else
            ++nElsewhere;
    }
    const auto n = names.size();
    if (n > kMostNames)
        names = names.first(kMostNames) + QStringList{NanCard::tr("%1 more").arg(n - kMostNames)};
    QString text =
        n > 0 ? NanCard::tr("It spoils the output of %1").arg(names.join(QStringLiteral(", ")))
              : NanCard::tr("It spoils");
    if (nElsewhere > 0)
        text += n > 0 ? NanCard::tr(", and %1 outputs elsewhere").arg(nElsewhere)
                      : NanCard::tr(" %1 outputs elsewhere").arg(nElsewhere);
    return text + QLatin1Char('.');
}

} // namespace

NanCard::NanCard(QWidget* parent)
    : QWidget(parent),
      m_head(new QLabel(this)),
      m_sentence(new QLabel(this)),
      m_hidden(new QLabel(this)),
      m_spoils(new QLabel(this)),
      m_nan(new QLabel(this)),
      m_zero(new QLabel(this)),
      m_try(new QPushButton(tr("Try policy zero"), this))
{
    m_head->setFont(uiFont(13, QFont::Bold));
    m_head->setText(tr("How this NaN came about"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(14, 12, 14, 12);
    column->setSpacing(5);
    column->addWidget(m_head);
    for (QLabel* words : {m_sentence, m_hidden, m_spoils, m_nan, m_zero}) {
        words->setFont(uiFont(12));
        words->setWordWrap(true);
        words->setTextFormat(Qt::PlainText);
        column->addWidget(words);
    }
    column->addWidget(m_try, 0, Qt::AlignLeft);
    connect(m_try, &QPushButton::clicked, this, &NanCard::zeroPolicyAsked);
    hide();
}

void NanCard::setTheme(const Theme& theme)
{
    m_theme = theme;
    QPalette palette = m_head->palette();
    palette.setColor(QPalette::WindowText, theme.invalid);
    m_head->setPalette(palette);
    update();
}

void NanCard::show(const std::shared_ptr<const ShownResults>& shown, Cell cell)
{
    if (shown == m_shown && m_cell == cell)
        return;
    m_shown = shown;
    m_cell = cell;
    m_story.reset();
    if (shown && shown->contains(cell)) {
        const Results& results = *shown->results;
        const SliceStages& slice = shown->stages(results.settings.axis);
        const bool isWeight = std::isnan(slice.weights(cell.row, cell.col));
        const bool isOutput =
            slice.output.rows() > cell.row && !slice.output.row(cell.row).allFinite();
        // Without a stop nothing is cancelled, so there is always an answer.
        if (isWeight)
            m_story = storyOfWeight(results.inputs, results.settings, slice,
                                    {results.batch, results.head, cell.row, cell.col})
                          .value_or(std::nullopt);
        else if (isOutput)
            m_story = storyOfOutput(results.inputs, results.settings, slice,
                                    {results.batch, results.head, cell.row})
                          .value_or(std::nullopt);
    }
    setVisible(m_story.has_value());
    if (m_story)
        say();
}

void NanCard::say()
{
    m_sentence->setText(QString::fromStdString(m_story->sentence));
    const bool isEmptied = m_story->cause == NanStory::Cause::EmptySlice;
    m_hidden->setVisible(isEmptied);
    if (isEmptied)
        m_hidden->setText(hiddenWords(*m_story));
    m_spoils->setText(spoiledWords(*m_story, *m_shown));
    m_nan->setText(QString::fromStdString(m_story->nanSentence));
    m_zero->setText(QString::fromStdString(m_story->zeroSentence));
    for (QWidget* part : std::initializer_list<QWidget*>{m_nan, m_zero, m_try})
        part->setVisible(isEmptied);
    setAccessibleName(text());
}

QString NanCard::text() const
{
    QStringList parts;
    for (const QLabel* words : {m_sentence, m_hidden, m_spoils, m_nan, m_zero})
        if (!words->isHidden())
            parts += words->text();
    return parts.join(QLatin1Char(' '));
}

void NanCard::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(m_theme.tint(m_theme.invalid));
    painter.drawRoundedRect(rect(), 10, 10);
}

} // namespace keyaxis
