#pragma once

#include "ui/paint/export.h"

#include <QDialog>
#include <functional>

class QCheckBox;
class QComboBox;
class QDoubleSpinBox;
class QFormLayout;
class QLabel;
class QLineEdit;

namespace keyaxis {

class ExportPreview;

/// Asks how large a picture becomes and in which look, and shows it as it will be; then writes it
/// to a file or copies it. Why a picture cannot be written stands in place, before it is painted.
class ExportDialog : public QDialog {
    Q_OBJECT

public:
    /// The sizes that people need.
    enum class Page { Screen, SingleColumn, DoubleColumn, Slide, OwnPixels, OwnMillimetres };

    /// @param figure     what is on the screen, without an outline.
    /// @param highlight  the outlined cell, drawn if asked.
    ExportDialog(Figure figure, std::optional<Cell> highlight, const QString& suggestedName,
                 bool isDark, QWidget* parent = nullptr);

    /// Offers to put what `session` gives, the bytes of NAME.keyaxis, into the file; not unless
    /// asked, for data must not travel unseen.
    void offerSession(std::function<Result<std::vector<std::byte>>()> session);
    QCheckBox& sessionBox() { return *m_session; }

    /// Writes what the dialog's fields say; on a failure its sentence is shown.
    bool writeTo(const QString& path);
    QString problem() const;

    void setPage(Page page);
    /// What the fields make of the figure, and the page it is painted on in the format of `ending`.
    Figure chosenFigure() const;
    ExportOptions options(const QString& ending) const;

private:
    void build();
    QWidget* buildFields();
    QWidget* buildButtons();
    void chooseFile();
    void onPageChosen();
    void showPreview();
    void say(const QString& sentence);
    bool isInMillimetres() const;
    Theme theme() const;
    void copyImage();
    void copyTable();
    void copyCaption();

    Figure m_figure;
    std::optional<Cell> m_highlight;
    QString m_suggestedName;
    ExportPreview* m_preview;
    QComboBox* m_page;
    QDoubleSpinBox* m_width;
    QDoubleSpinBox* m_height;
    QComboBox* m_dpi;
    QComboBox* m_theme;
    QLineEdit* m_maps;
    QCheckBox* m_settings;
    QCheckBox* m_colorBar;
    QCheckBox* m_outline;
    QCheckBox* m_window;
    QCheckBox* m_paths;
    QCheckBox* m_session;
    std::function<Result<std::vector<std::byte>>()> m_makeSession;
    QLabel* m_problem;
};

} // namespace keyaxis
