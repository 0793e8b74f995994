#pragma once

#include "ui/document/document.h"

#include <QWidget>

class QComboBox;

namespace keyaxis {

class Stepper;

/// Which layer of a file is shown: a step to the next, or any by name. Hidden where there is one
/// layer only.
class LayerRow : public QWidget {
    Q_OBJECT

public:
    explicit LayerRow(QWidget* parent = nullptr);

    void show(const Document& document);

Q_SIGNALS:
    void chosen(std::size_t layer); ///< an index into the document's layers

private:
    Stepper* m_stepper;
    QComboBox* m_names;
    std::shared_ptr<const Layers> m_layers;
};

} // namespace keyaxis
