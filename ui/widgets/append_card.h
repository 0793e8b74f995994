#pragma once

#include "ui/paint/theme.h"
#include "ui/widgets/one_slice.h"

#include <QWidget>

class QLabel;
class QPushButton;

namespace keyaxis {

/// "Append a token": a button, then in large type how many earlier outputs changed, and each one
/// marked. Once asked for, it stays true while the axis and everything else change.
class AppendCard : public QWidget {
    Q_OBJECT

public:
    explicit AppendCard(QWidget* parent = nullptr);

    void setTheme(const Theme& theme);
    void show(const std::shared_ptr<const ShownResults>& shown);

    bool isOpen() const;
    QString count() const;    ///< "6 of 6"
    QString sentence() const; ///< what it means

Q_SIGNALS:
    /// The appended token is to stay.
    void keepAsked();

private:
    void refresh();

    Theme m_theme = Theme::light();
    std::shared_ptr<const ShownResults> m_shown;
    QPushButton* m_open;
    QPushButton* m_keep;
    QLabel* m_count;
    QLabel* m_words;
    class MarkRow;
    MarkRow* m_marks;
    QLabel* m_sentence;
};

} // namespace keyaxis
