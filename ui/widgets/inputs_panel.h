#pragma once

#include "ui/document/commands.h"
#include "ui/paint/heatmap_layout.h"
#include "ui/paint/theme.h"

#include <QWidget>
#include <array>
#include <functional>

class QButtonGroup;
class QLabel;
class QMenu;
class QToolButton;

namespace keyaxis {

class LayerRow;
class SizeBox;
class Stepper;
class TensorTable;
struct Place;

/// The left dock: Q, K, V and the mask of one (batch, head), the sizes, and fills. It shows a
/// document and reports edits; it never writes to the document.
class InputsPanel : public QWidget {
    Q_OBJECT

public:
    /// `document` must outlive the panel. `samples` is shown by the button Sample…
    InputsPanel(const Document& document, QMenu* samples, QWidget* parent = nullptr);

    void setTheme(const Theme& theme);
    /// Marks the row that the weight of `cell` comes from: its query's in Q, its key's in K and V.
    void point(Cell cell);
    TensorTable& table() const { return *m_table; }
    InputTensor shownTensor() const { return m_which; }

Q_SIGNALS:
    void cellsEdited(keyaxis::InputTensor which, const std::vector<keyaxis::CellEdit>& cells,
                     const QString& text, keyaxis::Gesture gesture);
    void inputsReplaced(const keyaxis::Inputs& inputs, const QString& text,
                        keyaxis::Gesture gesture = 0);
    void shownTensorChanged();
    void maskPaintingAsked(); ///< on the map
    void maskFileAsked();
    void viewEdited(const keyaxis::ViewSettings& view);
    void layerChosen(std::size_t layer); ///< an index into the document's layers
    void openRequested();
    /// The row of the table under the pointer, or of its current cell, as a cell of the maps.
    void cellHovered(std::optional<keyaxis::Cell> cell);
    void cellClicked(keyaxis::Cell cell);
    void refused(const QString& sentence);
    void asked(const QString& sentence, const QStringList& answers, std::function<void(int)> then);

private:
    void connectTable();
    void orderTabs();
    std::optional<Cell> cellOf(std::optional<Index> row) const;
    QWidget* makeTabs();
    QWidget* makeMaskBar();
    QWidget* makeShape();
    QWidget* makeFills(QMenu* samples);
    QToolButton* button(const QString& text, const QString& tip);
    void onChanged(Changes changes);
    void refresh();
    void showGiven(const Inputs& inputs);
    QString tableWords(const Inputs& inputs, const Sizes& sizes) const;
    void showTensor();
    void showMask();
    void editMask(const std::vector<CellEdit>& cells, const QString& text, Gesture gesture);
    void showMark();
    void editSize(std::size_t which);
    /// Reports `make` of the present inputs, unless `sizes` are more than a memory holds.
    void replace(const Sizes& sizes, const QString& text,
                 const std::function<Inputs(const Inputs&)>& make);
    void askForSentence();
    void askToGrow(int row, int col, const Matrix& block);
    void putBlock(InputTensor which, const Place& from, const Matrix& block);

    const Document& m_document;
    InputTensor m_which = InputTensor::Q;
    std::optional<Cell> m_cell;
    QButtonGroup* m_tabs;
    QToolButton* m_open = nullptr;
    Stepper* m_batch;
    Stepper* m_head;
    LayerRow* m_layer;
    QLabel* m_sharing; ///< "Heads 1 and 2 read this."; of the mask, what 1 means
    QWidget* m_maskBar;
    TensorTable* m_table;
    std::array<SizeBox*, 7> m_sizes;        ///< B H G Tq Tk dk dv
    std::vector<QWidget*> m_fillsOfQueries; ///< those that make Q and K
    quint64 m_seed = 1;
};

} // namespace keyaxis
