#pragma once

#include "ui/document/document.h"

#include <QMenu>

namespace keyaxis {

/// What helps with maps of real models: heads sorted by their entropy, the mean over the heads, and
/// a range of tokens. It shows a view and reports edits of it.
class LookMenu : public QMenu {
    Q_OBJECT

public:
    explicit LookMenu(QWidget* parent = nullptr);

    void show(const ViewSettings& view, const Sizes& sizes);

    QAction* sortHeads() const { return m_sort; }
    QAction* meanHead() const { return m_mean; }
    QAction* wholeMap() const { return m_whole; }
    /// Cuts the maps down to the tokens that two texts name ("3-10"), counted from 1; an empty one
    /// is all. False where one names no such range.
    bool cropTo(const QString& queries, const QString& keys);

Q_SIGNALS:
    void edited(const keyaxis::ViewSettings& view);

private:
    void askForCrop();

    ViewSettings m_view;
    Sizes m_sizes;
    QAction* m_sort;
    QAction* m_mean;
    QAction* m_crop;
    QAction* m_whole;
};

} // namespace keyaxis
