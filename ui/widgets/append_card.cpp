#include "ui/widgets/append_card.h"

#include "ui/paint/sum_bars.h"

#include <QBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <algorithm>

namespace keyaxis {

/// A mark for each earlier output, in their order: ✗ where it changed.
class AppendCard::MarkRow : public QWidget {
public:
    using QWidget::QWidget;

    void show(std::vector<bool> hasChanged, const Theme& theme)
    {
        m_hasChanged = std::move(hasChanged);
        m_theme = theme;
        update();
    }
    QSize sizeHint() const override { return {200, 16}; }

protected:
    void paintEvent(QPaintEvent*) override
    {
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        const auto n = static_cast<double>(m_hasChanged.size());
        const double step = std::min(18.0, width() / std::max(1.0, n));
        for (std::size_t i = 0; i < m_hasChanged.size(); ++i) {
            const bool isSame = !m_hasChanged[i];
            const QRectF box(static_cast<double>(i) * step, 0, step, height());
            if (step >= 9)
                paintMark(painter, box.adjusted(1, 1, -3, -1), isSame,
                          m_theme.verdictColor(isSame));
            else // too many for marks: bars, tall where changed
                painter.fillRect(box.adjusted(0, isSame ? height() * 0.6 : 0, 0, 0),
                                 m_theme.verdictColor(isSame));
        }
    }

private:
    std::vector<bool> m_hasChanged;
    Theme m_theme = Theme::light();
};

AppendCard::AppendCard(QWidget* parent)
    : QWidget(parent),
      m_open(new QPushButton(tr("Append a token"), this)),
      m_keep(new QPushButton(tr("Keep it"), this)),
      m_count(new QLabel(this)),
      m_words(new QLabel(this)),
      m_marks(new MarkRow(this)),
      m_sentence(new QLabel(this))
{
    m_open->setCheckable(true);
    m_open->setToolTip(tr("Does a token that comes later change what has been said before?"));
    m_keep->setToolTip(tr("Put the appended token into the document"));
    m_count->setFont(uiFont(28, QFont::Bold));
    m_words->setFont(uiFont(13, QFont::DemiBold));
    m_sentence->setFont(uiFont(12));
    m_sentence->setWordWrap(true);
    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(8);
    buttons->addWidget(m_open);
    buttons->addWidget(m_keep);
    buttons->addStretch(1);
    auto* line = new QHBoxLayout;
    line->setSpacing(10);
    line->addWidget(m_count);
    line->addWidget(m_words, 1, Qt::AlignVCenter);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(6);
    column->addLayout(buttons);
    column->addLayout(line);
    column->addWidget(m_marks);
    column->addWidget(m_sentence);
    connect(m_open, &QPushButton::toggled, this, &AppendCard::refresh);
    connect(m_keep, &QPushButton::clicked, this, [this] {
        m_open->setChecked(false);
        Q_EMIT keepAsked();
    });
    refresh();
}

void AppendCard::setTheme(const Theme& theme)
{
    m_theme = theme;
    refresh();
}

bool AppendCard::isOpen() const
{
    return m_open->isChecked();
}
QString AppendCard::count() const
{
    return m_count->text();
}
QString AppendCard::sentence() const
{
    return m_sentence->text();
}

void AppendCard::show(const std::shared_ptr<const ShownResults>& shown)
{
    // While newer results are on their way the old ones stay, as the maps do.
    if (shown && !shown->results->isComplete && m_shown)
        return;
    m_shown = shown;
    setVisible(shown && shown->results->appended);
    refresh();
}

void AppendCard::refresh()
{
    const bool isShown = isOpen() && m_shown && m_shown->results->appended;
    for (QWidget* part :
         std::initializer_list<QWidget*>{m_keep, m_count, m_words, m_marks, m_sentence})
        part->setVisible(isShown);
    if (!isShown)
        return;
    const AppendedToken& appended = *m_shown->results->appended;
    const OutputChanges& changes = appended.changes;
    m_count->setText(tr("%1 of %2").arg(changes.nChanged).arg(changes.nRows));
    m_words->setText(tr("earlier outputs changed"));
    QPalette colors = m_count->palette();
    colors.setColor(QPalette::WindowText, m_theme.verdictColor(changes.nChanged == 0));
    m_count->setPalette(colors);
    m_marks->show(changes.hasChanged, m_theme);
    m_sentence->setText(QString::fromStdString(appended.sentence));
    setAccessibleName(m_count->text() + QLatin1Char(' ') + m_words->text());
}

} // namespace keyaxis
