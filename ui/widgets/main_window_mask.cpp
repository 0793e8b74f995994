// The main window's own mask: painted on a map, or read from a file.
#include "ui/widgets/banner.h"
#include "ui/widgets/centre_view.h"
#include "ui/widgets/file_reading.h"
#include "ui/widgets/heatmap_view.h"
#include "ui/widgets/inputs_panel.h"
#include "ui/widgets/main_window.h"

#include <QFileDialog>
#include <QFileInfo>

namespace keyaxis {

void MainWindow::connectMask()
{
    HeatmapView& maps = m_centre->maps();
    connect(&maps, &HeatmapView::strokeBegun, &m_painter, &MaskPainter::begin);
    connect(&maps, &HeatmapView::strokeMoved, &m_painter, &MaskPainter::extend);
    connect(&maps, &HeatmapView::strokeEnded, &m_painter, &MaskPainter::end);
    connect(&m_painter, &MaskPainter::painted, this, [this](const Inputs& inputs, Gesture gesture) {
        m_document.undoStack().push(
            new ReplaceInputs(m_document, inputs, tr("Paint mask"), gesture));
    });
    connect(&m_painter, &MaskPainter::refused, m_banner,
            [this](const QString& sentence) { m_banner->say(sentence, Banner::Kind::Refusal); });
    connect(m_inputs, &InputsPanel::shownTensorChanged, this, &MainWindow::showPainting);
    connect(m_inputs, &InputsPanel::maskFileAsked, this, &MainWindow::askForMask);
    connect(m_inputs, &InputsPanel::maskPaintingAsked, this, [this] {
        ViewSettings view = m_document.view();
        view.mode = ViewSettings::Mode::Single;
        view.stage = Stage::Logits;
        m_document.setView(view);
    });
}

/// A drag paints where the mask is what the panel and the map show.
void MainWindow::showPainting()
{
    const ViewSettings& view = m_document.view();
    m_centre->maps().setPainting(m_inputs->shownTensor() == InputTensor::Mask &&
                                 view.mode == ViewSettings::Mode::Single &&
                                 view.stage == Stage::Logits);
}

void MainWindow::askForMask()
{
    const QString path = QFileDialog::getOpenFileName(
        this, tr("Mask from a file"), QFileInfo(m_document.filePath()).absolutePath(),
        tr("Tensors (*.npz *.npy *.safetensors *.json *.csv *.tsv *.txt);;All files (*)"));
    if (!path.isEmpty())
        loadMask(path);
}

void MainWindow::loadMask(const QString& path, const ReadingChoices& choices)
{
    const auto inputs = withMaskFrom(path, m_document.inputs(), choices);
    if (inputs) {
        m_banner->hide();
        m_document.undoStack().push(new ReplaceInputs(
            m_document, *inputs, tr("Mask from %1").arg(QFileInfo(path).fileName())));
        return;
    }
    askForReading(inputs.error(), QFileInfo(path).fileName(),
                  possibleMaskReadings(path, m_document.inputs(), choices),
                  [this, path](const ReadingChoices& chosen) { loadMask(path, chosen); });
}

} // namespace keyaxis
