#pragma once

#include "ui/present/lesson.h"
#include "ui/present/page_text.h"
#include "ui/present/step_figure.h"

#include <QPainter>

namespace keyaxis {

/// A step as it is shown: values, no positions. The screen and the hand-out are one drawing.
struct StepPage {
    QString kicker; ///< above the title: "Along which axis? · step 3 of 12"
    QString title;
    QString body;   ///< Markdown
    QString ask;    ///< the question, where the title does not ask it
    QString hidden; ///< Markdown below the choices; empty until revealed
    struct Answer {
        Choice choice;
        bool isChosen = false;
        int nHands = -1; ///< -1: not counted
    };
    std::vector<Answer> answers;
    bool isRevealed = true;
    Figure figure;            ///< no maps: the text has the page to itself
    ValuePlaneFigure plane;   ///< beside the figure; empty: none
    std::vector<Cell> blanks; ///< cells that stay empty
    int stepIndex = 0;
    int nSteps = 0; ///< of the dots at the foot; 0: none
    QString keys;   ///< at the foot
};

/// Where everything of a page lies, in units of 1/1000 of a tall screen.
struct StepPageLayout {
    QSizeF size;
    QRectF kicker, title, body, ask, hidden, picture, plane, foot;
    std::vector<QRectF> answers;
    int titlePx = 44;
    int bodyPx = 23; ///< smaller only where a text is too long for its page
    bool fits = true;
    double figureScale = 1;      ///< of `figure` and `planeParts`
    FigureLayout figure;         ///< lies at picture.topLeft()
    ValuePlaneLayout planeParts; ///< lies in the card `plane`

    std::optional<char> answerAt(QPointF point) const;
    FigureHit hitTest(QPointF point) const; ///< of the figure
    /// A cell of map 0 on the page.
    QRectF cellRect(Cell cell) const;
    /// A point of the value plane on the page.
    QPointF planePoint(const PlanePoint& point) const;
};

/// The page of a step.
///
/// @param stepIndex  what it says.
/// @param picture  already computed; see `stepPicture`.
StepPage makeStepPage(const Lesson& lesson, int stepIndex, bool isRevealed, StepPicture picture);

StepPageLayout layoutStepPage(const StepPage& page, QSizeF size);

/// Draws `page`; the paper behind it is the caller's.
void paintStepPage(QPainter& painter, const StepPage& page, const StepPageLayout& layout,
                   const Theme& theme);

} // namespace keyaxis
