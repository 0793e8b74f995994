#pragma once

#include <QTreeWidget>
#include <optional>
#include <string>
#include <vector>

namespace keyaxis {

/// The layers of a file by the parts of their names: "layers.3.self_attn" lies in "layers". Parts
/// that have one way on only are one line with it. *GUI thread*
class LayerTree : public QTreeWidget {
    Q_OBJECT

public:
    explicit LayerTree(QWidget* parent = nullptr);

    void setLayers(const std::vector<std::string>& names);
    void setCurrentLayer(std::size_t layer);         ///< without a signal
    std::optional<std::size_t> currentLayer() const; ///< none on a branch

Q_SIGNALS:
    void reached(std::size_t layer); ///< by the arrows, letters or the pointer
    void picked(std::size_t layer);  ///< by a click or Return

protected:
    void showEvent(QShowEvent* event) override; ///< it has its size only now
    void keyPressEvent(
        QKeyEvent* event) override; ///< Return picks, or opens and closes a branch; ← goes to it

private:
    std::vector<QTreeWidgetItem*> m_items; ///< by layer
};

} // namespace keyaxis
