#include "ui/widgets/section_head.h"

#include "ui/paint/theme.h"

#include <QLabel>

namespace keyaxis {

QLabel* sectionHead(QWidget* parent)
{
    auto* label = new QLabel(parent);
    QFont font = uiFont(11, QFont::DemiBold);
    font.setLetterSpacing(QFont::PercentageSpacing, 106);
    label->setFont(font);
    label->setObjectName(QStringLiteral("muted"));
    label->setTextFormat(Qt::PlainText);
    // A long token must not widen the dock.
    label->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    return label;
}

} // namespace keyaxis
