#pragma once

#include "ui/paint/export.h"

#include <QDialog>

class QCheckBox;
class QComboBox;
class QLabel;
class QSpinBox;

namespace keyaxis {

/// Asks how large a picture becomes and in which look, then for its file; says in place why a file
/// could not be written.
class ExportDialog : public QDialog {
    Q_OBJECT

public:
    /// @param figure     what is on the screen, without an outline.
    /// @param highlight  the outlined cell, drawn if asked.
    ExportDialog(Figure figure, std::optional<Cell> highlight, const QString& suggestedName,
                 bool isDark, QWidget* parent = nullptr);

    /// Writes what the dialog's fields say; on a failure its sentence is shown.
    bool writeTo(const QString& path);
    QString problem() const;

private:
    void chooseFile();

    Figure m_figure;
    std::optional<Cell> m_highlight;
    QString m_suggestedName;
    QSpinBox* m_width;
    QSpinBox* m_height;
    QComboBox* m_dpi;
    QComboBox* m_theme;
    QCheckBox* m_settings;
    QCheckBox* m_outline;
    QLabel* m_problem;
};

} // namespace keyaxis
