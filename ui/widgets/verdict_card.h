#pragma once

#include "core/proof/verdict.h"
#include "ui/paint/theme.h"

#include <QWidget>

class QLabel;

namespace keyaxis {

/// A verdict on a tint of valid or invalid: its mark, its headline, its sentence.
class VerdictCard : public QWidget {
    Q_OBJECT

public:
    explicit VerdictCard(QWidget* parent = nullptr);

    void setTheme(const Theme& theme);
    void setVerdict(const Verdict& verdict);
    QString headline() const;
    QString sentence() const;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void colour();
    QColor color() const; ///< of the headline; its tint is the card's

    Theme m_theme = Theme::light();
    bool m_isValid = true;
    bool m_hasRows = true;
    QLabel* m_headline;
    QLabel* m_sentence;
};

} // namespace keyaxis
