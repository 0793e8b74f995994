#pragma once

#include <QSpinBox>

namespace keyaxis {

class LabelWidget;

/// A small field for one size: its letter at the left (Tₖ with a lowered index), the number at the
/// right. Steps with the arrow keys and the wheel, reports a typed number when it is complete.
class SizeBox : public QSpinBox {
    Q_OBJECT

public:
    static constexpr int kLargest = 4096; ///< unless a file brought more

    /// @param letter  "T" and "q" are drawn as T with a lowered q; `index` may be empty.
    SizeBox(const QString& letter, const QString& index, const QString& tip, QWidget* parent);

    /// Shows `size` without reporting it. Files may have 0.
    void showSize(int size);
    void setNameColor(const QColor& color);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void fit(); ///< type and name to what the number leaves of the box

    LabelWidget* m_name;
};

} // namespace keyaxis
