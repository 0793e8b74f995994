#pragma once

#include "ui/document/document.h"
#include "ui/paint/compositions.h"
#include "ui/paint/sequence.h"

#include <QDialog>

class QComboBox;
class QDoubleSpinBox;
class QLabel;
class QSpinBox;
class QWidget;

namespace keyaxis {

/// What is on the screen, for pictures of it under other settings.
struct SequenceSource {
    Inputs inputs;
    ScoreSettings settings;
    ViewSettings view; ///< what is shown, of (batch, head)
    std::optional<Cell> highlight;
    MapColors colors;
    std::optional<CellWindow> window{}; ///< what the maps are zoomed into
    std::vector<HeadIndex> heads{};     ///< in the order in which they are shown; empty: as stored
    std::shared_ptr<const Results> kept{};  ///< what a difference may be taken from; null: none
    std::shared_ptr<const Layers> layers{}; ///< of the file; null: it has one at most
};

/// Asks for a sweep of τ or a turn of the axis, and writes it as an animation or numbered pictures.
/// Why it cannot be written stands in place. *GUI thread*
class SequenceDialog : public QDialog {
    Q_OBJECT

public:
    enum class Kind { Sweep, Flip };

    SequenceDialog(SequenceSource source, const QString& suggestedName, bool isDark,
                   QWidget* parent = nullptr);

    void setKind(Kind kind);
    void setSweep(double low, double high, int nFrames);
    void setFlipTo(Axis axis);
    /// Writes what the fields say, by the ending of `path`; on a failure its sentence is shown.
    bool writeTo(const QString& path);
    QString problem() const;

private:
    QWidget* buildFields();
    QWidget* buildButtons();
    void showKind();
    void chooseFile();
    void say(const QString& sentence);
    Theme theme() const;
    Result<Sequence> sequence() const;
    Result<Figure> figureUnder(const ScoreSettings& settings) const;
    Result<Figure> cardsUnder(const ScoreSettings& settings) const;
    Result<Figure> headsUnder(const ScoreSettings& settings) const;
    Result<Figure> layersUnder(const ScoreSettings& settings) const;

    SequenceSource m_source;
    QString m_suggestedName;
    QComboBox* m_kind;
    QWidget* m_sweepFields;
    QWidget* m_flipFields;
    QDoubleSpinBox* m_low;
    QDoubleSpinBox* m_high;
    QSpinBox* m_count;
    QComboBox* m_axis;
    QComboBox* m_size;
    QComboBox* m_theme;
    QLabel* m_problem;
};

} // namespace keyaxis
