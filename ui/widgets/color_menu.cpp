#include "ui/widgets/color_menu.h"

#include <QActionGroup>
#include <QIcon>
#include <QPainter>

namespace keyaxis {

namespace {

QIcon iconOf(Palette palette)
{
    const ColorMap colors(palette, {});
    QImage steps(48, 12, QImage::Format_RGB32);
    for (int x = 0; x < steps.width(); ++x)
        for (int y = 0; y < steps.height(); ++y)
            steps.setPixelColor(x, y, colors.step(x * 255 / (steps.width() - 1)));
    return QIcon(QPixmap::fromImage(steps));
}

} // namespace

QAction* ColorMenu::add(const QString& text, const QString& tip, QActionGroup* group)
{
    QAction* action = addAction(text);
    action->setToolTip(tip);
    action->setStatusTip(tip);
    action->setCheckable(true);
    if (group)
        group->addAction(action);
    m_choices += action;
    return action;
}

ColorMenu::ColorMenu(QWidget* parent) : QMenu(tr("&Colours"), parent)
{
    setToolTipsVisible(true);
    const std::array<std::pair<QString, QString>, 5> palettes{
        {{tr("&Viridis"), tr("Dark blue to yellow, even to the eye")},
         {tr("C&ividis"), tr("Blue to yellow, the same to most who see few colours")},
         {tr("Ma&gma"), tr("Black over purple to pale yellow")},
         {tr("G&reys"), tr("For print without colour")},
         {tr("&Blue and red"), tr("Two directions from a pale middle: below 0 and above")}}};
    auto* paletteGroup = new QActionGroup(this);
    for (std::size_t n = 0; n < palettes.size(); ++n) {
        m_palettes[n] = add(palettes[n].first, palettes[n].second, paletteGroup);
        m_palettes[n]->setIcon(iconOf(static_cast<Palette>(n)));
        connect(m_palettes[n], &QAction::triggered, this, [this, n] {
            m_choice.palette = static_cast<Palette>(n);
            Q_EMIT chosen(m_choice);
        });
    }
    addSeparator();
    m_reversed = add(tr("Re&versed"), tr("The colours from the other end"), nullptr);
    connect(m_reversed, &QAction::triggered, this, [this](bool isOn) {
        m_choice.isReversed = isOn;
        Q_EMIT chosen(m_choice);
    });
    addSeparator();
    const std::array<std::pair<QString, QString>, 4> rules{
        {{tr("Range &fixed"), tr("The same number keeps the same colour, whatever changes")},
         {tr("Range &automatic"), tr("From the smallest to the largest value that is shown")},
         {tr("Range &symmetric"), tr("As far below 0 as above")},
         {tr("&Logarithmic"), tr("Equal steps for equal factors: small weights are told apart")}}};
    auto* ruleGroup = new QActionGroup(this);
    for (std::size_t n = 0; n < rules.size(); ++n) {
        m_rules[n] = add(rules[n].first, rules[n].second, ruleGroup);
        connect(m_rules[n], &QAction::triggered, this, [this, n] {
            m_choice.rule = static_cast<RangeRule>(n);
            Q_EMIT chosen(m_choice);
        });
    }
    addSeparator();
    m_ignoresFirst =
        add(tr("&Ignore key 1 for the range"),
            tr("Many models rest on their first token: the others become visible"), nullptr);
    connect(m_ignoresFirst, &QAction::triggered, this, [this](bool isOn) {
        m_choice.ignoresFirstKey = isOn;
        if (isOn && m_choice.rule == RangeRule::Fixed)
            m_choice.rule = RangeRule::Automatic; // a fixed range ignores every key
        Q_EMIT chosen(m_choice);
    });
}

void ColorMenu::show(const ColorChoice& choice, bool isOfWeights)
{
    m_choice = choice;
    m_palettes[static_cast<std::size_t>(choice.palette)]->setChecked(true);
    m_rules[static_cast<std::size_t>(choice.rule)]->setChecked(true);
    m_reversed->setChecked(choice.isReversed);
    m_ignoresFirst->setChecked(choice.ignoresFirstKey && choice.rule != RangeRule::Fixed);
    m_rules[static_cast<std::size_t>(RangeRule::Fixed)]->setText(
        isOfWeights ? tr("Range &fixed, 0 to 1") : tr("Range &fixed as it is"));
}

} // namespace keyaxis
