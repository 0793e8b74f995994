#pragma once

#include "core/inputs.h"
#include "core/settings.h"
#include "ui/document/layers.h"
#include "ui/document/results.h"

#include <QFlags>
#include <QObject>
#include <QString>
#include <QUndoStack>
#include <array>
#include <memory>
#include <optional>

namespace keyaxis {

/// Queries and keys from a first to before an end, which a map is cut down to.
struct CellCrop {
    Index firstQuery = 0;
    Index endQuery = 0;
    Index firstKey = 0;
    Index endKey = 0;

    bool operator==(const CellCrop&) const = default;
};

/// What is looked at. A change repaints (or asks for another slice) and is not undone.
struct ViewSettings {
    Index batch = 0;
    Index head = 0;
    enum class Mode { Compare, Single, Heads, Difference, Layers };
    Mode mode = Mode::Compare;
    Stage stage = Stage::Weights;                ///< of the single map
    std::optional<Axis> reference = Axis::Query; ///< of the difference; none: the kept state
    bool sortsHeads = false;                     ///< the small maps by their entropy
    bool showsMean = false;                      ///< a small map of the mean over the heads
    std::optional<CellCrop> crop{};              ///< which tokens the maps show; none: all
    bool leavesOutPadding = false;               ///< padded queries count in no verdict

    bool operator==(const ViewSettings&) const = default;
};

/// What changed, so that each view may ignore what it does not show.
enum class Change {
    Inputs = 1,   ///< tensors, token names, name
    Settings = 2, ///< score settings
    View = 4,     ///< what is looked at
    Results = 8,  ///< new results arrived
    File = 16,    ///< another file, or saved: path and modified mark
};
Q_DECLARE_FLAGS(Changes, Change)
Q_DECLARE_OPERATORS_FOR_FLAGS(Changes)

/// A document: inputs, settings and their undo history. Knows no widget. *GUI thread*
///
/// Views read and listen; panels emit edits, which the composition root turns into the commands of
/// commands.h. Only commands call the setters of inputs and score settings.
class Document : public QObject {
    Q_OBJECT

public:
    explicit Document(QObject* parent = nullptr);

    const Inputs& inputs() const { return m_inputs; }
    Sizes sizes() const { return sizesOf(m_inputs); }
    const ScoreSettings& settings() const { return m_settings; }
    const ViewSettings& view() const { return m_view; }
    /// The newest results; null before the first ones. They may be older than `inputs()`.
    std::shared_ptr<const Results> results() const { return m_results; }
    QUndoStack& undoStack() { return m_undoStack; }
    const QString& filePath() const { return m_filePath; } ///< empty for samples and new documents
    /// The layers of its file; null where there is one only.
    const std::shared_ptr<const Layers>& layers() const { return m_layers; }

    /// Replaces everything and clears the history. The view goes to (batch, head), clamped.
    void load(Inputs inputs, const ScoreSettings& settings, const QString& filePath,
              Index batch = 0, Index head = 0, std::shared_ptr<const Layers> layers = nullptr);

    /// It lives in `filePath` from now on, and is unmodified.
    void markSaved(const QString& filePath);
    /// Like `load` of what a crash left behind: modified, without a step to undo.
    void markRecovered(const QString& filePath);

    void setInputs(Inputs inputs);
    void setSettings(const ScoreSettings& settings);
    void setView(ViewSettings view); ///< batch and head are clamped to the sizes
    void setResults(std::shared_ptr<const Results> results);

Q_SIGNALS:
    void changed(keyaxis::Changes changes);

private:
    void clampView();

    Inputs m_inputs;
    ScoreSettings m_settings;
    ViewSettings m_view;
    std::shared_ptr<const Results> m_results;
    std::shared_ptr<const Layers> m_layers;
    QString m_filePath;
    QUndoStack m_undoStack;
};

} // namespace keyaxis
