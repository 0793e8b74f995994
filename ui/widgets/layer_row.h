#pragma once

#include "ui/document/document.h"

#include <QWidget>

class QToolButton;

namespace keyaxis {

class LayerTree;
class Stepper;

/// Which layer of a file is shown: a step to the next, or any out of a tree of their names. Hidden
/// where there is one layer only.
class LayerRow : public QWidget {
    Q_OBJECT

public:
    explicit LayerRow(QWidget* parent = nullptr);

    void show(const Document& document);
    QToolButton* name() const { return m_name; } ///< opens the tree
    LayerTree* tree() const { return m_tree; }

Q_SIGNALS:
    void chosen(std::size_t layer); ///< an index into the document's layers

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void openTree();
    void elide();

    Stepper* m_stepper;
    QToolButton* m_name;
    QWidget* m_popup;
    LayerTree* m_tree;
    QString m_fullName;
    std::shared_ptr<const Layers> m_layers;
};

} // namespace keyaxis
