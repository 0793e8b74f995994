// What leaves the window as pictures.
#include "ui/widgets/centre_view.h"
#include "ui/widgets/export_dialog.h"
#include "ui/widgets/heatmap_view.h"
#include "ui/widgets/main_window.h"
#include "ui/widgets/one_slice.h"
#include "ui/widgets/sequence_dialog.h"
#include "ui/widgets/window_actions.h"

#include <QFileInfo>

namespace keyaxis {

void MainWindow::askForExport()
{
    if (!m_shown)
        return;
    const Results& results = *m_shown->results;
    Figure figure = m_centre->figure();
    if (const auto& window = m_centre->maps().figure().window)
        figure.window = window->whole();
    auto* dialog =
        new ExportDialog(std::move(figure), m_cursor.cell(),
                         QString::fromStdString(results.inputs.name), m_theme.isDark, this);
    dialog->offerSession([this] {
        Session session = sessionOf(m_document);
        // Where it lies on this machine is nobody's business.
        session.source = QFileInfo(m_document.filePath()).fileName().toStdString();
        return sessionBytes(session);
    });
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->open();
}

void MainWindow::askForSequence()
{
    if (!m_shown)
        return;
    const Results& results = *m_shown->results;
    const ViewSettings& view = m_document.view();
    auto* dialog = new SequenceDialog(
        {results.inputs, results.settings, results.batch, results.head, view.stage,
         view.mode == ViewSettings::Mode::Compare, m_cursor.cell(), m_centre->colors()},
        QString::fromStdString(results.inputs.name), m_theme.isDark, this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->open();
}

} // namespace keyaxis
