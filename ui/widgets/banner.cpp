#include "ui/widgets/banner.h"

#include <QBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QToolButton>

namespace keyaxis {

Banner::Banner(QWidget* parent)
    : QWidget(parent), m_text(new QLabel(this)), m_close(new QToolButton(this))
{
    m_text->setFont(uiFont(13));
    m_text->setWordWrap(true);
    m_text->setTextFormat(Qt::PlainText);
    m_text->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_close->setText(tr("Dismiss"));
    m_close->setAutoRaise(true);
    m_close->setToolTip(tr("Close this message"));

    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(16, 6, 12, 6);
    row->addWidget(m_text, 1);
    row->addWidget(m_close, 0, Qt::AlignTop);
    connect(m_close, &QToolButton::clicked, this, &QWidget::hide);
    hide();
}

void Banner::setTheme(const Theme& theme)
{
    m_theme = theme;
    colour();
}

void Banner::say(const QString& sentence, Kind kind)
{
    qDeleteAll(m_answers);
    m_answers.clear();
    m_kind = kind;
    m_text->setText(sentence);
    setAccessibleName(sentence);
    colour();
    show();
}

void Banner::ask(const QString& sentence, const QStringList& answers)
{
    say(sentence, Kind::Note);
    auto* row = qobject_cast<QBoxLayout*>(layout());
    for (const QString& answer : answers) {
        auto* button = new QPushButton(answer, this);
        const int index = static_cast<int>(m_answers.size());
        row->insertWidget(row->count() - 1, button);
        m_answers += button;
        // Answering may ask again, which deletes the button: let its click end first.
        connect(
            button, &QPushButton::clicked, this, [this, index] { Q_EMIT answered(index); },
            Qt::QueuedConnection);
    }
}

QString Banner::sentence() const
{
    return isHidden() ? QString() : m_text->text();
}

void Banner::colour()
{
    QPalette palette = m_text->palette();
    palette.setColor(QPalette::WindowText, m_kind == Kind::Refusal ? m_theme.invalid : m_theme.ink);
    m_text->setPalette(palette);
    update();
}

void Banner::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.fillRect(rect(), m_theme.tint(m_kind == Kind::Refusal ? m_theme.invalid : m_theme.key));
    painter.fillRect(QRect(0, height() - 1, width(), 1), m_theme.hairline);
}

} // namespace keyaxis
