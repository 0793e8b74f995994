// The main window's dealings with the layers of a file, and with what a dump beside them tells.
#include "ui/document/commands.h"
#include "ui/document/diagnosis.h"
#include "ui/widgets/banner.h"
#include "ui/widgets/diagnosis_window.h"
#include "ui/widgets/file_reading.h"
#include "ui/widgets/main_window.h"

#include <QFileInfo>

namespace keyaxis {

/// Another layer of the file in place of this one: one step to undo, and the settings stay.
void MainWindow::showLayer(std::size_t layer)
{
    const auto layers = m_document.layers();
    auto inputs = layers->inputs(layer);
    if (!inputs) {
        m_banner->say(sentenceOf(inputs.error()), Banner::Kind::Refusal);
        return;
    }
    m_document.undoStack().push(
        new ReplaceInputs(m_document, inPlaceOf(m_document.inputs(), std::move(*inputs)),
                          tr("Layer %1").arg(QString::fromStdString(layers->names[layer]))));
}

/// Weights without q and k: what they are is told by their sums. Weights or an output beside q, k
/// and v are explained; the window does not wait for it.
void MainWindow::diagnose(const QString& path, const AttentionFile& file,
                          std::shared_ptr<const TensorFile> content)
{
    if (file.inputs.given()) {
        if (const auto diagnosis = diagnosisOfWeights(*content))
            (new DiagnosisWindow(QFileInfo(path).fileName(), *diagnosis, this))->show();
        return;
    }
    m_diagnosing.submit([this, file, content](const std::stop_token& stop) {
        const auto diagnosis = diagnosisBeside(file, *content, stop);
        if (!diagnosis)
            return;
        const auto name = QString::fromStdString(file.inputs.name);
        QMetaObject::invokeMethod(
            this,
            [this, name, diagnosis] { (new DiagnosisWindow(name, *diagnosis, this))->show(); },
            Qt::QueuedConnection);
    });
}

} // namespace keyaxis
