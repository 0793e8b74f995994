#include "ui/widgets/size_box.h"

#include "ui/paint/theme.h"
#include "ui/widgets/label_widget.h"

#include <QLineEdit>
#include <QSignalBlocker>
#include <algorithm>

namespace keyaxis {

namespace {

constexpr int kNameLeft = 7;
constexpr int kTypePx = 13;
constexpr int kSmallPx = 10;
constexpr int kRoomForThreeDigits = 62; ///< a narrower box sets more of them smaller

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
    setMinimumWidth(30);
    setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed); // four fit a narrow dock
    m_name->setLabel(index.isEmpty() ? Label(letter) : Label(letter).sub(index));
    m_name->setAttribute(Qt::WA_TransparentForMouseEvents);
    connect(this, &QSpinBox::textChanged, this, &SizeBox::fit);
    fit();
}

void SizeBox::showSize(int size)
{
    const QSignalBlocker quiet(this);
    setRange(std::min(1, size), std::max(kLargest, size));
    setValue(size);
    fit();
}

void SizeBox::setNameColor(const QColor& color)
{
    m_name->setColor(color);
}

void SizeBox::resizeEvent(QResizeEvent* event)
{
    QSpinBox::resizeEvent(event);
    fit();
}

void SizeBox::fit()
{
    const bool isTight = text().size() > 3 && width() < kRoomForThreeDigits;
    const int px = isTight ? kSmallPx : kTypePx;
    setFont(uiFont(px, QFont::DemiBold));
    m_name->setFont(uiFont(px));
    const QSize size = m_name->sizeHint();
    m_name->setGeometry(isTight ? kNameLeft - 4 : kNameLeft, (height() - size.height()) / 2,
                        size.width(), size.height());
    m_name->raise();
}

} // namespace keyaxis
