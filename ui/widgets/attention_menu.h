#pragma once

#include "ui/document/commands.h"

#include <QObject>
#include <array>

class QAction;
class QMenu;

namespace keyaxis {

/// The finer settings of the menu Attention: where the mask begins, the slopes of ALiBi, the scale,
/// what an empty slice becomes, the limit τ = 0. They are edits like any other.
class AttentionMenu : public QObject {
    Q_OBJECT

public:
    explicit AttentionMenu(QObject* parent = nullptr);

    void fill(QMenu& menu);
    /// Marks what is on.
    void show(const ScoreSettings& settings);

Q_SIGNALS:
    void edited(const keyaxis::ScoreSettings& after, keyaxis::SettingsField field,
                const QString& text);

private:
    /// One alternative: what it makes of the settings.
    struct Choice {
        QAction* action = nullptr;
        void (*apply)(ScoreSettings&) = nullptr;
        SettingsField field = SettingsField::Align;
    };
    QMenu*
    addGroup(QMenu& menu, const QString& title, SettingsField field,
             std::initializer_list<std::pair<const char*, void (*)(ScoreSettings&)>> choices);
    void askForScale(QWidget* parent);

    ScoreSettings m_settings;
    std::vector<Choice> m_choices;
    QAction* m_ownScale = nullptr;
};

} // namespace keyaxis
