#pragma once

#include "ui/paint/theme.h"

#include <QWidget>

namespace keyaxis {

/// Lies over the window while a file hangs over it, and says what dropping it will do.
class DropOverlay : public QWidget {
    Q_OBJECT

public:
    explicit DropOverlay(QWidget* parent);

    void setTheme(const Theme& theme) { m_theme = theme; }
    void say(const QString& text);
    const QString& text() const { return m_text; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    Theme m_theme = Theme::light();
    QString m_text;
};

} // namespace keyaxis
