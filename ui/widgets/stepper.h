#pragma once

#include <QWidget>

class QLabel;
class QToolButton;

namespace keyaxis {

/// "head ‹ 2 of 4 ›": steps through a few things, counted from 1 on the screen and from 0 inside.
class Stepper : public QWidget {
    Q_OBJECT

public:
    explicit Stepper(const QString& name, QWidget* parent = nullptr);

    void setState(qsizetype index, qsizetype count);

Q_SIGNALS:
    void stepped(qsizetype index);

private:
    QLabel* m_text;
    QToolButton* m_previous;
    QToolButton* m_next;
    qsizetype m_index = 0;
    qsizetype m_count = 0;
};

} // namespace keyaxis
