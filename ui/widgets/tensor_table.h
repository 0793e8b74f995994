#pragma once

#include "ui/document/commands.h"

#include <QTableView>

namespace keyaxis {

class TensorModel;

/// A table of numbers: typed, scrubbed (Alt + drag, or Ctrl + wheel), copied and pasted as a block,
/// cleared with Delete. A plain drag selects. One gesture, one undo step.
class TensorTable : public QTableView {
    Q_OBJECT

public:
    explicit TensorTable(QWidget* parent = nullptr);

    TensorModel& tensorModel() const { return *m_model; }

Q_SIGNALS:
    void edited(const std::vector<keyaxis::CellEdit>& cells, const QString& text,
                keyaxis::Gesture gesture);
    void refused(const QString& sentence);

protected:
    void resizeEvent(QResizeEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;

private:
    /// A number that is being dragged.
    struct Scrub {
        QPersistentModelIndex cell;
        float start = 0.0F;
        double fromX = 0.0;
        Gesture gesture = 0;
    };

    void fitColumns();
    void limitHeight();
    void copy() const;
    void paste();
    void fill(float value, const QString& text);
    void scrubTo(const Scrub& scrub, float value);

    TensorModel* m_model;
    std::optional<Scrub> m_scrub;
    Scrub m_wheel; ///< turns of the wheel are one gesture until another cell is turned
};

} // namespace keyaxis
