#pragma once

#include "core/io/attention_file.h"
#include "core/job_runner.h"
#include "ui/paint/theme.h"

#include <QDialog>
#include <deque>
#include <functional>
#include <memory>
#include <vector>

class QCheckBox;
class QComboBox;
class QFormLayout;
class QHBoxLayout;
class QLabel;
class QPushButton;

namespace keyaxis {

class HeatmapView;

/// How a file is to be read where that is open: its layers and choices at the left, what they give
/// at the right, sizes and the weights of the first head. Every alternative says what it would
/// give.
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
    using Content = Result<std::shared_ptr<const TensorFile>>;
    struct Known {
        FileChoices choices;
        Content content;
    };
    const Content& content(const FileChoices& choices);
    Result<AttentionFile> read(const ReadingChoices& choices);
    void addLayers(QHBoxLayout& columns);
    void showPreview(const std::shared_ptr<const AttentionFile>& file);
    template <typename T>
    void addField(QFormLayout& form, const QString& label, const QString& name,
                  std::optional<T>& (*member)(ReadingChoices&),
                  const std::vector<std::pair<QString, std::optional<T>>>& options);
    void addFields(QFormLayout& form);
    ReadingChoices choicesWith(std::size_t field, int option) const;
    void refresh();

    QString m_path;
    ReadingChoices m_base;
    std::deque<Known> m_contents; ///< stays where it is while it grows
    std::vector<Field> m_fields;
    QLabel* m_outcome;
    HeatmapView* m_preview;
    QCheckBox* m_remember;
    QPushButton* m_open;
    quint64 m_wanted = 0; ///< the newest preview
    JobRunner m_painting; ///< last: joined before anything that its jobs speak to goes
};

} // namespace keyaxis
