#include "ui/widgets/attention_menu.h"

#include <QAction>
#include <QActionGroup>
#include <QInputDialog>
#include <QMenu>

namespace keyaxis {

AttentionMenu::AttentionMenu(QObject* parent) : QObject(parent) {}

QMenu* AttentionMenu::addGroup(
    QMenu& menu, const QString& title, SettingsField field,
    std::initializer_list<std::pair<const char*, void (*)(ScoreSettings&)>> choices)
{
    QMenu* part = menu.addMenu(title);
    auto* group = new QActionGroup(part);
    for (const auto& [text, apply] : choices) {
        QAction* action = part->addAction(tr(text));
        action->setStatusTip(title + QStringLiteral(": ") + action->text());
        action->setCheckable(true);
        group->addAction(action);
        m_choices.push_back({action, apply, field});
        connect(action, &QAction::triggered, this, [this, action, apply = apply, field, title] {
            ScoreSettings after = m_settings;
            apply(after);
            Q_EMIT edited(after, field, title + QStringLiteral(": ") + action->text());
            show(m_settings);
        });
    }
    return part;
}

void AttentionMenu::fill(QMenu& menu)
{
    using S = ScoreSettings;
    addGroup(menu, tr("Mask begins"), SettingsField::Align,
             {{QT_TR_NOOP("At the start, as is_causal"), [](S& s) { s.align = Align::Start; }},
              {QT_TR_NOOP("So that it ends at the last key, as with a key/value cache"),
               [](S& s) { s.align = Align::End; }}});
    addGroup(menu, tr("ALiBi slopes"), SettingsField::Slopes,
             {{QT_TR_NOOP("The authors' rule"), [](S& s) { s.slopes = SlopeRule::Authors; }},
              {QT_TR_NOOP("One geometric series"), [](S& s) { s.slopes = SlopeRule::Geometric; }}});
    QMenu* scale = addGroup(menu, tr("Scale"), SettingsField::Scale,
                            {{QT_TR_NOOP("1/√d_k"), [](S& s) { s.scale.reset(); }},
                             {QT_TR_NOOP("Off: 1"), [](S& s) { s.scale = 1.0; }}});
    m_ownScale = scale->addAction(tr("Another number…"));
    m_ownScale->setStatusTip(tr("Scale: what Q Kᵀ is multiplied by"));
    m_ownScale->setCheckable(true);
    scale->findChild<QActionGroup*>()->addAction(m_ownScale);
    connect(m_ownScale, &QAction::triggered, this, [this, &menu] { askForScale(menu.window()); });
    addGroup(menu, tr("Empty slices"), SettingsField::Empty,
             {{QT_TR_NOOP("NaN, as torch.softmax"), [](S& s) { s.empty = EmptySlice::Nan; }},
              {QT_TR_NOOP("0, as fused kernels"), [](S& s) { s.empty = EmptySlice::Zero; }}});
    QAction* limit = menu.addAction(tr("τ = 0: the arg-max limit"));
    limit->setStatusTip(tr("The largest logits of a slice share the weight equally"));
    connect(limit, &QAction::triggered, this, [this, limit] {
        ScoreSettings after = m_settings;
        after.temperature = 0.0F;
        Q_EMIT edited(after, SettingsField::Temperature, limit->text());
    });
}

void AttentionMenu::show(const ScoreSettings& settings)
{
    m_settings = settings;
    for (const Choice& choice : m_choices) {
        ScoreSettings after = settings;
        choice.apply(after);
        if (after == settings)
            choice.action->setChecked(true);
    }
    if (settings.scale && *settings.scale != 1.0)
        m_ownScale->setChecked(true);
}

void AttentionMenu::askForScale(QWidget* parent)
{
    bool isOk = false;
    const double scale =
        QInputDialog::getDouble(parent, tr("Scale"), tr("Q Kᵀ is multiplied by"),
                                m_settings.scale.value_or(1.0), -1e6, 1e6, 6, &isOk);
    ScoreSettings after = m_settings;
    after.scale = scale;
    if (isOk)
        Q_EMIT edited(after, SettingsField::Scale, tr("Scale %1").arg(scale));
    show(m_settings);
}

} // namespace keyaxis
