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

    void setNameColor(const QColor& color);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    LabelWidget* m_name;
};

} // namespace keyaxis
