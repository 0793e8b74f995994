#pragma once

#include "ui/document/commands.h"
#include "ui/paint/theme.h"
#include "ui/paint/words.h"

#include <QFrame>

class QTabBar;
class QTableWidget;

namespace keyaxis {

/// The numbers of a step as a table that a hand may change in front of the class. Reports edits and
/// writes nothing itself. *GUI thread*
class NumbersPanel : public QFrame {
    Q_OBJECT

public:
    explicit NumbersPanel(const Words& words, QWidget* parent = nullptr);

    void setTheme(const Theme& theme);
    /// Shows the looked-at example and head of `document`. Where the scores themselves were given,
    /// they are what is edited.
    void show(const Document& document);
    QTableWidget& table() { return *m_table; }

Q_SIGNALS:
    void edited(keyaxis::InputTensor which, const keyaxis::CellEdit& edit);
    void closed();

protected:
    void keyPressEvent(QKeyEvent* event) override;

private:
    void fill();
    void onCellChanged(int row, int column);

    Words m_words; ///< of the lesson's language
    QTabBar* m_tabs;
    QTableWidget* m_table;
    SharedTensor m_shown;
    InputTensor m_which = InputTensor::Q;
    Inputs m_inputs;
    Index m_batch = 0;
    Index m_head = 0;
    bool m_isFilling = false;
};

/// Whether q holds the scores themselves: k is the identity and nothing is scaled.
bool holdsScores(const Inputs& inputs, const ScoreSettings& settings);

} // namespace keyaxis
