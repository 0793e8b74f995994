#include "ui/document/document.h"

#include <algorithm>

namespace keyaxis {

Document::Document(QObject* parent) : QObject(parent)
{
    connect(&m_undoStack, &QUndoStack::cleanChanged, this,
            [this] { Q_EMIT changed(Change::File); });
}

void Document::load(Inputs inputs, const ScoreSettings& settings, const QString& filePath,
                    Index batch, Index head, std::shared_ptr<const Layers> layers)
{
    m_inputs = std::move(inputs);
    m_settings = settings;
    m_filePath = filePath;
    m_layers = std::move(layers);
    m_view.crop.reset(); // of other tokens
    m_results.reset();   // of other sizes and tokens: nothing of it is true any more
    m_view.batch = batch;
    m_view.head = head;
    clampView();
    m_undoStack.clear(); // announces a clean state: listeners must find all of the above
    Q_EMIT changed(Change::Inputs | Change::Settings | Change::View | Change::File |
                   Change::Results);
}

void Document::markSaved(const QString& filePath)
{
    m_filePath = filePath;
    m_undoStack.setClean();
    Q_EMIT changed(Change::File);
}

void Document::markRecovered(const QString& filePath)
{
    m_filePath = filePath;
    m_undoStack.resetClean();
    Q_EMIT changed(Change::File | Change::Inputs);
}

void Document::setInputs(Inputs inputs)
{
    if (inputs == m_inputs)
        return;
    const bool keepsSizes = sizesOf(inputs) == sizes();
    m_inputs = std::move(inputs);
    Changes changes = Change::Inputs;
    if (!keepsSizes) {
        clampView();
        m_results.reset();
        changes |= Change::View | Change::Results;
    }
    Q_EMIT changed(changes);
}

void Document::setSettings(const ScoreSettings& settings)
{
    if (settings == m_settings)
        return;
    m_settings = settings;
    Q_EMIT changed(Change::Settings);
}

void Document::setView(ViewSettings view)
{
    std::swap(m_view, view);
    clampView();
    if (m_view != view)
        Q_EMIT changed(Change::View);
}

void Document::setResults(std::shared_ptr<const Results> results)
{
    m_results = std::move(results);
    Q_EMIT changed(Change::Results);
}

void Document::clampView()
{
    const Sizes s = sizes();
    m_view.batch = std::clamp<Index>(m_view.batch, 0, std::max<Index>(0, s.B - 1));
    m_view.head = std::clamp<Index>(m_view.head, 0, std::max<Index>(0, s.H - 1));
    if (!m_layers && m_view.mode == ViewSettings::Mode::Layers)
        m_view.mode = ViewSettings::Mode::Compare;
    if (!m_view.crop)
        return;
    CellCrop& crop = *m_view.crop;
    crop.endQuery = std::min(crop.endQuery, s.Tq);
    crop.endKey = std::min(crop.endKey, s.Tk);
    const bool isWhole = crop == CellCrop{0, s.Tq, 0, s.Tk};
    if (isWhole || crop.firstQuery >= crop.endQuery || crop.firstKey >= crop.endKey)
        m_view.crop.reset();
}

} // namespace keyaxis
