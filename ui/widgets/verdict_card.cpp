#include "ui/widgets/verdict_card.h"

#include "ui/paint/sum_bars.h"

#include <QBoxLayout>
#include <QLabel>
#include <QPainter>

namespace keyaxis {

namespace {

constexpr int kMargin = 14;
constexpr int kMark = 14;

void setColor(QLabel* label, const QColor& color)
{
    QPalette palette = label->palette();
    palette.setColor(QPalette::WindowText, color);
    label->setPalette(palette);
}

} // namespace

VerdictCard::VerdictCard(QWidget* parent)
    : QWidget(parent), m_headline(new QLabel(this)), m_sentence(new QLabel(this))
{
    m_headline->setFont(uiFont(15, QFont::Bold));
    m_sentence->setFont(uiFont(13));
    for (QLabel* label : {m_headline, m_sentence}) {
        label->setWordWrap(true);
        label->setTextFormat(Qt::PlainText);
        label->setTextInteractionFlags(Qt::TextSelectableByMouse);
        label->setFocusPolicy(Qt::NoFocus);
    }
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(kMargin, kMargin - 2, kMargin, kMargin);
    column->setSpacing(6);
    column->addWidget(m_headline);
    column->addWidget(m_sentence);
}

void VerdictCard::setTheme(const Theme& theme)
{
    m_theme = theme;
    colour();
}

void VerdictCard::setVerdict(const Verdict& verdict)
{
    m_isValid = verdict.valid;
    m_hasRows = verdict.hasRows;
    m_headline->setContentsMargins(m_hasRows ? kMark + 6 : 0, 0, 0, 0);
    m_headline->setText(QString::fromStdString(verdict.headline));
    m_sentence->setText(QString::fromStdString(verdict.sentence));
    setAccessibleName(m_headline->text() + QStringLiteral(". ") + m_sentence->text());
    colour();
}

QString VerdictCard::headline() const
{
    return m_headline->text();
}
QString VerdictCard::sentence() const
{
    return m_sentence->text();
}

QColor VerdictCard::color() const
{
    return m_hasRows ? m_theme.verdictColor(m_isValid) : m_theme.muted;
}

void VerdictCard::colour()
{
    setColor(m_headline, color());
    setColor(m_sentence, mixed(m_theme.ink, m_theme.muted, 0.45));
    update();
}

void VerdictCard::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(m_theme.tint(color()));
    painter.drawRoundedRect(rect(), 10, 10);
    if (m_headline->text().isEmpty() || !m_hasRows)
        return;
    const QRect line(m_headline->x(), m_headline->y(), kMark, m_headline->fontMetrics().height());
    paintMark(painter, QRectF(line.x(), line.center().y() - kMark / 2.0 + 0.5, kMark, kMark),
              m_isValid, color());
}

} // namespace keyaxis
