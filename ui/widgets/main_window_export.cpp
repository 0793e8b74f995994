// What leaves the window as pictures.
#include "ui/widgets/banner.h"
#include "ui/widgets/centre_view.h"
#include "ui/widgets/copied_command.h"
#include "ui/widgets/export_dialog.h"
#include "ui/widgets/file_reading.h"
#include "ui/widgets/heatmap_view.h"
#include "ui/widgets/main_window.h"
#include "ui/widgets/one_slice.h"
#include "ui/widgets/sequence_dialog.h"
#include "ui/widgets/window_actions.h"

#include <QClipboard>
#include <QFileInfo>
#include <QGuiApplication>

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
    SequenceSource source{results.inputs,
                          results.settings,
                          m_document.view(),
                          m_cursor.cell(),
                          m_centre->colors(),
                          m_centre->maps().figure().window,
                          {},
                          m_centre->kept(),
                          m_document.layers()};
    source.view.batch = results.batch; // what is shown, while another head is being computed
    source.view.head = results.head;
    if (source.view.mode == ViewSettings::Mode::Heads)
        for (const MapFigure& map : m_centre->maps().figure().maps)
            if (!map.isMean)
                source.heads.push_back({map.batch, map.head});
    auto* dialog = new SequenceDialog(
        std::move(source), QString::fromStdString(results.inputs.name), m_theme.isDark, this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->open();
}

void MainWindow::copyCommand(bool isFigure)
{
    const auto& [files, reading, inputs, settings] = m_origin;
    const auto command =
        isFigure ? renderCommand(m_document, files, reading, m_centre->colors(), m_theme.isDark)
                 : computeCommand(m_document, files, reading);
    if (!command) {
        m_banner->say(sentenceOf(command.error()), Banner::Kind::Refusal);
        return;
    }
    QGuiApplication::clipboard()->setText(*command);
    m_banner->say(tr("Copied: %1").arg(*command), Banner::Kind::Note);
}

} // namespace keyaxis
