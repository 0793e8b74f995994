#pragma once

#include "ui/paint/theme.h"
#include "ui/widgets/one_slice.h"

#include <QWidget>
#include <optional>

namespace keyaxis {

class LabelWidget;

/// The line at the bottom: the pointed-at cell with its substituted formula and row sum; at the
/// right the sizes and the time of the last computation.
class StatusStrip : public QWidget {
    Q_OBJECT

public:
    explicit StatusStrip(QWidget* parent = nullptr);

    void setTheme(const Theme& theme);
    /// Nothing is shown for a cell that is not there.
    void show(const std::shared_ptr<const ShownResults>& shown, Cell cell);
    QString formulaText() const; ///< as plain text

protected:
    void resizeEvent(QResizeEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    void fitFormula();

    Theme m_theme = Theme::light();
    std::optional<OneSlice> m_slice;
    LabelWidget* m_names;
    LabelWidget* m_formula;
    LabelWidget* m_rowSum;
    LabelWidget* m_sizes;
};

} // namespace keyaxis
