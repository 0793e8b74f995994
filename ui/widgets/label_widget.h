#pragma once

#include "ui/paint/label.h"

#include <QWidget>

namespace keyaxis {

/// A line of text with raised and lowered parts; cut with an ellipsis where there is no room.
class LabelWidget : public QWidget {
    Q_OBJECT

public:
    explicit LabelWidget(QWidget* parent = nullptr);

    /// `shorter` stands there where `label` does not fit and may be cut.
    void setLabel(const Label& label, const Label& shorter = {});
    const Label& label() const { return m_label; }
    void setColor(const QColor& color);
    /// Whether the text may be cut; otherwise the widget is as wide as its text.
    void setElides(bool elides);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    Label m_label;
    Label m_shorter;
    QColor m_color;
    bool m_elides = false;
};

} // namespace keyaxis
