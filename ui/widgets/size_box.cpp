#include "ui/widgets/size_box.h"

#include "ui/paint/theme.h"
#include "ui/widgets/label_widget.h"

#include <QLineEdit>

namespace keyaxis {

namespace {

constexpr int kNameLeft = 7;

} // namespace

SizeBox::SizeBox(const QString& letter, const QString& index, const QString& tip, QWidget* parent)
    : QSpinBox(parent), m_name(new LabelWidget(this))
{
    setObjectName(QStringLiteral("size%1%2").arg(letter, index));
    setRange(1, kLargest);
    setButtonSymbols(NoButtons);
    setAlignment(Qt::AlignRight);
    setKeyboardTracking(false);
    setToolTip(tip);
    setAccessibleName(tip);
    setFont(uiFont(13, QFont::DemiBold));
    setMinimumWidth(30);
    setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed); // four fit a narrow dock
    m_name->setFont(uiFont(13));
    m_name->setLabel(index.isEmpty() ? Label(letter) : Label(letter).sub(index));
    m_name->setAttribute(Qt::WA_TransparentForMouseEvents);
}

void SizeBox::setNameColor(const QColor& color)
{
    m_name->setColor(color);
}

void SizeBox::resizeEvent(QResizeEvent* event)
{
    QSpinBox::resizeEvent(event);
    const QSize size = m_name->sizeHint();
    m_name->setGeometry(kNameLeft, (height() - size.height()) / 2, size.width(), size.height());
    m_name->raise();
}

} // namespace keyaxis
