// Files that are dropped on the main window.
#include "ui/widgets/drop_overlay.h"
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
            paths += url.toLocalFile();
    return paths;
}

} // namespace

void MainWindow::dragEnterEvent(QDragEnterEvent* event)
{
    const QStringList paths = filesIn(*event->mimeData());
    if (paths.isEmpty())
        return;
    event->acceptProposedAction();
    const QString name = QFileInfo(paths.first()).fileName();
    m_overlay->say(paths.size() == 1
                       ? tr("Drop to open %1").arg(name)
                       : tr("Drop to open %1, the first of %2 files").arg(name).arg(paths.size()));
}

void MainWindow::dragLeaveEvent(QDragLeaveEvent*)
{
    m_overlay->hide();
}

void MainWindow::dropEvent(QDropEvent* event)
{
    m_overlay->hide();
    event->acceptProposedAction();
    open(filesIn(*event->mimeData()).first());
}

} // namespace keyaxis
