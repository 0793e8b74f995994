#include "ui/widgets/top_bar.h"

#include "ui/widgets/axis_control.h"
#include "ui/widgets/tau_slider.h"
#include "ui/widgets/toggle_switch.h"

#include <QBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPainter>
#include <QPushButton>
#include <algorithm>
#include <cmath>

namespace keyaxis {

namespace {

constexpr int kHeight = 52;
constexpr int kNarrowestSlider = 84;

/// What gives way when the window is narrow, in this order: the program's own name, which the
/// window's title says as well, the end of the document's name, the caption, air in the axis
/// control, and at last more of the name.
struct Fit {
    int widestName;
    bool hasCaption;
    bool isAxisNarrow;
    bool hasTitle;
};
constexpr Fit kFits[] = {{190, true, false, true},  {190, true, false, false},
                         {150, true, false, false}, {150, false, false, false},
                         {150, false, true, false}, {120, false, true, false},
                         {90, false, true, false}};

/// Two decimals where they say it all, otherwise every digit.
QString tauText(float tau)
{
    const QString text = QString::number(double(tau), 'f', 2);
    return text.toFloat() == tau ? text : QString::fromStdString(shortest(tau));
}

QLabel* caption(const QString& text, QWidget* parent)
{
    auto* label = new QLabel(text, parent);
    label->setFont(uiFont(13));
    label->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Preferred);
    return label;
}

} // namespace

TopBar::TopBar(QWidget* parent)
    : QWidget(parent),
      m_title(caption(QStringLiteral("Keyaxis"), this)),
      m_nameLabel(new QLabel(this)),
      m_axisCaption(caption(tr("Softmax over"), this)),
      m_axis(new AxisControl(this)),
      m_causal(new ToggleSwitch(tr("Causal"), this)),
      m_alibi(new ToggleSwitch(tr("ALiBi"), this)),
      m_tauCaption(caption(tr("Attention τ"), this)),
      m_slider(new TauSlider(this)),
      m_number(new QLineEdit(this)),
      m_export(new QPushButton(tr("Export…"), this)),
      m_present(new QPushButton(tr("Present F5"), this))
{
    setFixedHeight(kHeight);
    m_title->setFont(uiFont(15, QFont::Bold));
    m_nameLabel->setFont(uiFont(13));
    m_nameLabel->setObjectName(QStringLiteral("muted"));
    m_nameLabel->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_axisCaption->setObjectName(QStringLiteral("muted"));
    m_causal->setToolTip(tr("A query uses only keys up to its own position (M in the centre)"));
    m_alibi->setToolTip(tr("Adds −slope × distance to the scaled scores (L in the centre)"));
    m_slider->setToolTip(
        tr("Attention temperature τ, 0.05 to 20. It divides scores and bias; double-click for 1."));
    m_number->setObjectName(QStringLiteral("plainNumber"));
    m_number->setAccessibleName(tr("Attention temperature"));
    m_number->setToolTip(tr("Any temperature; 0 is the arg-max limit"));
    m_number->setFont(uiFont(13, QFont::DemiBold));
    m_number->setFixedWidth(50);
    m_slider->setMinimumWidth(kNarrowestSlider);
    m_present->setObjectName(QStringLiteral("primary"));
    m_export->setToolTip(tr("Save the figure as PNG, SVG or PDF"));
    m_present->setToolTip(tr("Show the lesson where it was left, full screen"));

    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(14, 0, 14, 1);
    row->setSpacing(10);
    row->addWidget(m_title);
    row->addSpacing(4);
    row->addWidget(m_nameLabel, 10);
    row->addWidget(m_axisCaption);
    row->addWidget(m_axis);
    row->addSpacing(4);
    row->addWidget(m_causal);
    row->addWidget(m_alibi);
    row->addSpacing(4);
    row->addWidget(m_tauCaption);
    row->addWidget(m_slider);
    row->addWidget(m_number);
    row->addStretch(8);
    row->addWidget(m_export);
    row->addWidget(m_present);

    connect(m_axis, &AxisControl::axisChosen, this, &TopBar::axisChosen);
    connect(m_causal, &QAbstractButton::clicked, this, &TopBar::causalToggled);
    connect(m_alibi, &QAbstractButton::clicked, this, &TopBar::alibiToggled);
    connect(m_slider, &TauSlider::gestureStarted, this, &TopBar::temperatureGestureStarted);
    connect(m_slider, &TauSlider::tauEdited, this, &TopBar::temperatureEdited);
    connect(m_number, &QLineEdit::editingFinished, this, &TopBar::takeTypedTemperature);
    connect(m_export, &QPushButton::clicked, this, &TopBar::exportAsked);
    connect(m_present, &QPushButton::clicked, this, &TopBar::presentAsked);
}

void TopBar::setTheme(const Theme& theme)
{
    m_theme = theme;
    m_axis->setTheme(theme);
    m_causal->setTheme(theme);
    m_alibi->setTheme(theme);
    m_slider->setTheme(theme);
    update();
}

void TopBar::setDocumentName(const QString& name, bool isModified)
{
    m_name = isModified ? name + QStringLiteral(" *") : name;
    fit();
}

void TopBar::setSettings(const ScoreSettings& settings)
{
    m_axis->setAxis(settings.axis);
    m_causal->setChecked(settings.causal);
    m_alibi->setChecked(settings.alibi);
    m_tau = settings.temperature;
    m_slider->showTau(m_tau);
    m_number->setText(tauText(m_tau));
}

void TopBar::fit()
{
    for (const Fit& fit : kFits) {
        m_widestName = fit.widestName;
        m_axisCaption->setVisible(fit.hasCaption);
        m_axis->setNarrow(fit.isAxisNarrow);
        m_title->setVisible(fit.hasTitle);
        showName();
        if (layout()->minimumSize().width() <= width())
            return;
    }
}

void TopBar::showName()
{
    m_nameLabel->setToolTip(m_name);
    // As wide as it needs, up to a sentence's beginning; what is left goes to both sides.
    m_nameLabel->setMinimumWidth(
        std::min(m_widestName, m_nameLabel->fontMetrics().horizontalAdvance(m_name) + 2));
    layout()->activate();
    m_nameLabel->setText(
        m_nameLabel->fontMetrics().elidedText(m_name, Qt::ElideRight, m_nameLabel->width()));
}

void TopBar::takeTypedTemperature()
{
    const QString typed = m_number->text().trimmed().replace(QLatin1Char(','), QLatin1Char('.'));
    bool isNumber = false;
    const float tau = typed.toFloat(&isNumber);
    m_number->setText(tauText(m_tau));
    if (!isNumber || tau == m_tau)
        return;
    Q_EMIT temperatureGestureStarted();
    Q_EMIT temperatureEdited(tau);
}

void TopBar::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    fit();
}

void TopBar::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.fillRect(rect(), m_theme.panel);
    painter.fillRect(QRect(0, height() - 1, width(), 1), m_theme.hairline);
}

} // namespace keyaxis
