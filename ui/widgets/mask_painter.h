#pragma once

#include "ui/document/commands.h"
#include "ui/paint/heatmap_layout.h"

#include <QObject>
#include <optional>

namespace keyaxis {

/// A mask painted with the pointer: a stroke that begins on a hidden cell shows cells, another
/// hides them. One stroke, one undo step. Reports what the document becomes. *GUI thread*
class MaskPainter : public QObject {
    Q_OBJECT

public:
    /// `document` must outlive it.
    explicit MaskPainter(const Document& document, QObject* parent = nullptr);

    void begin(Cell cell);
    /// Takes in the cells between the last one and `cell`: a fast pointer skips some.
    void extend(Cell cell);
    void end() { m_stroke.reset(); }

Q_SIGNALS:
    void painted(const keyaxis::Inputs& inputs, keyaxis::Gesture gesture);
    void refused(const QString& sentence);

private:
    struct Stroke {
        Cell last;
        bool mayAttend = true;
        Gesture gesture = 0;
    };
    void paint(const std::vector<Cell>& cells);

    const Document& m_document;
    std::optional<Stroke> m_stroke;
};

} // namespace keyaxis
