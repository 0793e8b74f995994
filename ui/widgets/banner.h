#pragma once

#include "ui/paint/theme.h"

#include <QList>
#include <QWidget>

class QLabel;
class QPushButton;
class QToolButton;

namespace keyaxis {

/// One sentence across the window, next to what caused it: a refused file, a note, a choice between
/// readings. It stops nobody and goes away by its button or the next good outcome.
class Banner : public QWidget {
    Q_OBJECT

public:
    enum class Kind { Refusal, Note };

    explicit Banner(QWidget* parent = nullptr);

    void setTheme(const Theme& theme);
    void say(const QString& sentence, Kind kind);
    /// A question with its answers as buttons.
    void ask(const QString& sentence, const QStringList& answers);
    QString sentence() const; ///< empty while nothing is said
    QList<QPushButton*> answers() const { return m_answers; }

Q_SIGNALS:
    void answered(int index);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void colour();

    Theme m_theme = Theme::light();
    Kind m_kind = Kind::Note;
    QLabel* m_text;
    QList<QPushButton*> m_answers;
    QToolButton* m_close;
};

} // namespace keyaxis
