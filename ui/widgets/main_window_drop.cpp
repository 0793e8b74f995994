// Files that are dropped on the main window.
#include "ui/document/commands.h"
#include "ui/widgets/banner.h"
#include "ui/widgets/drop_overlay.h"
#include "ui/widgets/dropped_files.h"
#include "ui/widgets/file_reading.h"
#include "ui/widgets/main_window.h"

#include <QDropEvent>
#include <QFileInfo>
#include <QMimeData>

namespace keyaxis {

namespace {

/// The local files of what is dragged.
QStringList filesIn(const QMimeData& data)
{
    QStringList paths;
    for (const QUrl& url : data.urls())
        if (url.isLocalFile())
            paths += QFileInfo(url.toLocalFile()).absoluteFilePath();
    return paths;
}

} // namespace

void MainWindow::dragEnterEvent(QDragEnterEvent* event)
{
    const QStringList paths = filesIn(*event->mimeData());
    if (paths.isEmpty())
        return;
    event->acceptProposedAction();
    m_overlay->say(dropOf(paths).sentence);
}

void MainWindow::dragLeaveEvent(QDragLeaveEvent*)
{
    m_overlay->hide();
}

void MainWindow::dropEvent(QDropEvent* event)
{
    m_overlay->hide();
    event->acceptProposedAction();
    const QStringList paths = filesIn(*event->mimeData());
    const Drop drop = dropOf(paths);
    switch (drop.kind) {
    case Drop::Kind::Open:
        open(paths.first());
        break;
    case Drop::Kind::OpenTogether:
        openTogether(paths);
        break;
    case Drop::Kind::NameTokens:
        nameTokens(paths.first());
        break;
    case Drop::Kind::Refuse:
        m_banner->say(drop.sentence, Banner::Kind::Refusal);
        break;
    }
}

bool MainWindow::openTogether(const QStringList& paths, const ReadingChoices& choices)
{
    auto file = readTogether(paths, choices);
    if (file) {
        adopt(std::move(*file), paths, choices, 0);
        return true;
    }
    askForReading(
        file.error(), namesOfFiles(paths),
        possibleReadings([&](const ReadingChoices& c) { return readTogether(paths, c); }, choices),
        [this, paths](const ReadingChoices& chosen) { openTogether(paths, chosen); });
    return false;
}

void MainWindow::nameTokens(const QString& path)
{
    const QString label = QFileInfo(path).fileName();
    const auto names = tokenNamesIn(path);
    if (!names)
        return;
    const auto inputs = withTokenNames(m_document.inputs(), *names, label);
    if (inputs)
        m_document.undoStack().push(
            new ReplaceInputs(m_document, *inputs, tr("Token names from %1").arg(label)));
    else
        m_banner->say(sentenceOf(inputs.error()), Banner::Kind::Refusal);
}

} // namespace keyaxis
