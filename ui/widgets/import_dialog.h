#pragma once

#include "core/io/attention_file.h"
#include "ui/paint/theme.h"

#include <QDialog>
#include <functional>
#include <vector>

class QCheckBox;
class QComboBox;
class QFormLayout;
class QLabel;
class QPushButton;

namespace keyaxis {

class HeatmapView;

/// How a file is to be read where that is open: its choices at the left, what they give at the
/// right, sizes and the weights of the first head. Every alternative says what it would give.
class ImportDialog : public QDialog {
    Q_OBJECT

public:
    ImportDialog(const QString& path, const ReadingChoices& choices, const Theme& theme,
                 QWidget* parent);

    ReadingChoices choices() const;
    bool isRemembered() const; ///< files named like this are to be read so too
    QString outcome() const;   ///< of the present choices: sizes, or why they do not fit
    HeatmapView& preview() const { return *m_preview; }
    QPushButton* openButton() const { return m_open; }

private:
    /// One choice: its box, and what entry n of it makes of the choices.
    struct Field {
        QComboBox* box = nullptr;
        std::vector<std::function<void(ReadingChoices&)>> apply;
        QStringList texts;
    };
    template <typename T>
    void addField(QFormLayout& form, const QString& label, const QString& name,
                  std::optional<T>& (*member)(ReadingChoices&),
                  const std::vector<std::pair<QString, std::optional<T>>>& options);
    void addFields(QFormLayout& form);
    ReadingChoices choicesWith(std::size_t field, int option) const;
    void refresh();

    QString m_path;
    ReadingChoices m_base;
    std::vector<Field> m_fields;
    QLabel* m_outcome;
    HeatmapView* m_preview;
    QCheckBox* m_remember;
    QPushButton* m_open;
};

} // namespace keyaxis
