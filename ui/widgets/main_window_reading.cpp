// How the main window reads a file, and what it asks where that is open.
#include "core/io/tensor_file.h"
#include "ui/document/commands.h"
#include "ui/widgets/banner.h"
#include "ui/widgets/file_reading.h"
#include "ui/widgets/import_dialog.h"
#include "ui/widgets/main_window.h"
#include "ui/widgets/remembered_readings.h"
#include "ui/widgets/user_settings.h"

#include <QFileInfo>
#include <QScopedValueRollback>

namespace keyaxis {

bool MainWindow::open(const QString& path)
{
    const auto remembered = rememberedReading(userSettings(), path);
    if (!remembered || !readAttentionFile(path, *remembered))
        return open(path, {});
    open(path, *remembered);
    question(
        tr("%1 was read as you chose for files named like it.").arg(QFileInfo(path).fileName()),
        {tr("Read it otherwise…")}, [this](int) { readAgain(); });
    return true;
}

bool MainWindow::open(const QString& path, const ReadingChoices& choices)
{
    auto content = readTensorFile(path.toStdString(), choices.file).map([](TensorFile read) {
        return std::make_shared<const TensorFile>(std::move(read));
    });
    const std::string name = QFileInfo(path).completeBaseName().toStdString();
    const auto layers = content ? layersOf(*content, choices, name) : nullptr;
    ReadingChoices chosen = choices;
    if (layers && chosen.group.empty())
        chosen.group = layers->names.front();
    auto file = content ? readAttention(**content, name, chosen)
                        : Result<AttentionFile>(tl::unexpected(content.error()));
    if (file) {
        if (!m_isRereading) // it is said once
            diagnose(path, *file, *content);
        auto behind = layers ? layers : layersBehind(*file);
        adopt(std::move(*file), {QFileInfo(path).absoluteFilePath()}, choices, 0,
              std::move(behind));
        return true;
    }
    askForReading(
        file.error(), QFileInfo(path).fileName(), possibleReadings(path, chosen),
        [this, path](const ReadingChoices& answer) { openAndRemember(path, answer); },
        [this, path, chosen] { compareReadings(path, chosen); });
    return false;
}

void MainWindow::askForReading(const Error& error, const QString& name,
                               const std::vector<Reading>& readings,
                               const std::function<void(const ReadingChoices&)>& then,
                               const std::function<void()>& compare)
{
    if (error.code != Errc::Ambiguous) {
        m_banner->say(sentenceOf(error), Banner::Kind::Refusal);
        return;
    }
    QStringList answers;
    for (const Reading& reading : readings)
        answers += reading.label;
    if (answers.isEmpty()) {
        m_banner->say(tr("%1 cannot be read: no way of reading it fits together.").arg(name),
                      Banner::Kind::Refusal);
        return;
    }
    if (compare)
        answers += tr("Compare…");
    question(sentenceOf(error), answers, [readings, then, compare](int index) {
        const auto chosen = static_cast<std::size_t>(index);
        chosen < readings.size() ? then(readings[chosen].choices) : compare();
    });
}

void MainWindow::openAndRemember(const QString& path, const ReadingChoices& choices)
{
    QSettings settings = userSettings();
    if (open(path, choices))
        rememberReading(settings, path, choices);
}

/// What each reading of `path` gives, beside the others.
void MainWindow::compareReadings(const QString& path, const ReadingChoices& choices)
{
    auto* dialog = new ImportDialog(path, choices, m_theme, this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &QDialog::accepted, this, [this, dialog, path] {
        if (dialog->isRemembered())
            openAndRemember(path, dialog->choices());
        else
            open(path, dialog->choices());
    });
    dialog->open();
}

void MainWindow::readAgain()
{
    if (m_document.filePath().isEmpty() || m_document.filePath().endsWith(".keyaxis"))
        m_banner->say(tr("This document was not read from a file that leaves anything open."),
                      Banner::Kind::Note);
    else
        compareReadings(m_document.filePath(), m_origin.reading);
}

/// Whether the numbers are those of the files: at most another layer of them is looked at.
bool MainWindow::isAsRead() const
{
    const Inputs& now = m_document.inputs();
    if (now == m_origin.inputs)
        return true;
    const auto layer = m_document.layers() ? m_document.layers()->indexOf(now) : std::nullopt;
    const auto read = layer ? m_document.layers()->inputs(*layer) : Result<Inputs>(Inputs());
    return layer && read && areEqual(*read, now);
}

/// Reads the files again. What is looked at stays, and how it is computed, where that was chosen:
/// as one step to undo.
void MainWindow::reload()
{
    if (m_origin.files.isEmpty())
        return;
    const ViewSettings view = m_document.view();
    const ScoreSettings mine = m_document.settings();
    const bool wasAsRead = isAsRead();
    const bool keepsSettings = wasAsRead && mine != m_origin.settings;
    ReadingChoices reading = m_origin.reading;
    if (m_document.layers())
        reading.group = m_document.inputs().layer;
    const QScopedValueRollback isRereading(m_isRereading, wasAsRead);
    const bool isRead = m_origin.files.size() == 1 ? open(m_origin.files.front(), reading)
                                                   : openTogether(m_origin.files, reading);
    if (!isRead)
        return;
    m_document.setView(view);
    if (keepsSettings && mine != m_document.settings())
        m_document.undoStack().push(new EditSettings(m_document, mine, SettingsField::Axis,
                                                     tr("Settings as before reloading")));
}

} // namespace keyaxis
