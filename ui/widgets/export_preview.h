#pragma once

#include "ui/paint/export.h"

#include <QWidget>

namespace keyaxis {

/// A page as it will be written, as large as there is room.
class ExportPreview : public QWidget {
    Q_OBJECT

public:
    explicit ExportPreview(QWidget* parent = nullptr);

    /// @param options  of a PNG.
    void show(const Figure& figure, const Theme& theme, const ExportOptions& options);
    QRectF pageRect() const; ///< where the page lies

    QSize sizeHint() const override { return {520, 420}; }
    QSize minimumSizeHint() const override { return {260, 220}; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    Figure m_figure;
    Theme m_theme = Theme::light();
    ExportOptions m_options;
};

} // namespace keyaxis
