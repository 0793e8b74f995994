#pragma once

#include "tests/core/sample_values.h"
#include "ui/widgets/inputs_panel.h"
#include "ui/widgets/size_box.h"
#include "ui/widgets/tensor_model.h"
#include "ui/widgets/tensor_table.h"

#include <QMenu>
#include <QTest>
#include <QToolButton>
#include <functional>

namespace keyaxis::testing {

/// A document with its panel, connected as the window connects them.
struct Bench {
    Document document;
    QMenu samples;
    InputsPanel panel{document, &samples};
    QStringList refusals;
    QStringList questions;
    std::function<void(int)> answer; ///< to the last question

    explicit Bench(Sizes sizes = {2, 4, 2, 3, 3, 4, 2})
    {
        QObject::connect(&panel, &InputsPanel::cellsEdited, &document,
                         [this](InputTensor which, const std::vector<CellEdit>& cells,
                                const QString& text, Gesture gesture) {
                             document.undoStack().push(
                                 new EditCells(document, which, cells, text, gesture));
                         });
        QObject::connect(&panel, &InputsPanel::inputsReplaced, &document,
                         [this](const Inputs& inputs, const QString& text) {
                             document.undoStack().push(new ReplaceInputs(document, inputs, text));
                         });
        QObject::connect(&panel, &InputsPanel::viewEdited, &document, &Document::setView);
        QObject::connect(&panel, &InputsPanel::refused, &document,
                         [this](const QString& sentence) { refusals << sentence; });
        QObject::connect(&panel, &InputsPanel::asked, &document,
                         [this](const QString& sentence, const QStringList&,
                                const std::function<void(int)>& then) {
                             questions << sentence;
                             answer = then;
                         });
        document.load(randomInputs(sizes, 1), {}, {});
        panel.resize(320, 900);
        panel.show();
        panel.activateWindow();
        isReady = QTest::qWaitForWindowActive(&panel);
    }

    ~Bench() { panel.hide(); } // an open editor commits while all of it is there

    TensorTable& table() { return panel.table(); }
    QPoint centre(int row, int col)
    {
        return table().visualRect(table().model()->index(row, col)).center();
    }
    void press(const QString& text)
    {
        for (QToolButton* button : panel.findChildren<QToolButton*>())
            if (button->text() == text)
                QTest::mouseClick(button, Qt::LeftButton);
    }
    SizeBox& size(const char* name) { return *panel.findChild<SizeBox*>(QLatin1String(name)); }
    float q(Index row, Index col) { return document.inputs().q->at(0, 0, row, col); }
    int nSteps() { return document.undoStack().count(); }

    bool isReady = false;
};

} // namespace keyaxis::testing
