#pragma once

#include "ui/paint/stage_words.h"
#include "ui/paint/theme.h"
#include "ui/widgets/choice_widget.h"
#include "ui/widgets/one_slice.h"

#include <QImage>
#include <QTimer>
#include <array>
#include <optional>

namespace keyaxis {

/// The way of the scores, stage by stage, each with a live thumbnail. A stage that is off is dimmed
/// and looks like the one before it; all signed stages share one range. A click chooses the stage
/// that the single map shows.
class StageStrip : public ChoiceWidget {
    Q_OBJECT

public:
    static constexpr int kStages = 7;

    explicit StageStrip(QWidget* parent = nullptr);

    void setTheme(const Theme& theme);
    void show(const std::shared_ptr<const ShownResults>& shown);
    void select(Stage stage);
    /// How much height it takes: small thumbnails, or those without the line below their names.
    /// Low: a name stands beside its thumbnail instead of below it.
    enum class Height { Roomy, Compact, Low };
    void setRoom(Height room);
    QRect box(Stage stage) const; ///< where it is, for hit tests and tests
    bool isOff(Stage stage) const { return m_items[static_cast<std::size_t>(stage)].words.isOff; }
    QString caption(Stage stage) const; ///< "÷ τ, τ = 0.5"

    int nChoices() const override { return kStages; }
    Choice choice(int index) const override;
    void pick(int index) override;

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

Q_SIGNALS:
    void stageChosen(keyaxis::Stage stage);
    /// The pointer rests on a stage; none: it left.
    void stageHovered(std::optional<keyaxis::Stage> stage);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool event(QEvent* event) override;

private:
    struct Item {
        StageWords words;
        QImage cells; ///< one pixel a cell, or a block of cells
    };
    int thumbnail() const;
    int arrow() const; ///< the width between two stages
    QFont nameFont(double width, bool isSelected, const Label& name) const;
    void paintNames(QPainter& painter, const Item& item, const QRectF& frame,
                    bool isSelected) const;
    double lowWidth(Stage stage) const; ///< of one with its arrow, its name beside its thumbnail
    void makeThumbnails();
    /// At once for a small map; of a large one ten times a second, so that no frame waits for it.
    void makeThumbnailsSoon(const std::array<QImage, kStages>& old);
    void setHovered(std::optional<Stage> stage);
    std::optional<Stage> stageAt(const QPoint& point) const;
    void paintItem(QPainter& painter, Stage stage) const;

    Theme m_theme = Theme::light();
    std::shared_ptr<const ShownResults> m_shown;
    std::array<Item, kStages> m_items; ///< by Stage
    Stage m_selected = Stage::Weights;
    Height m_room = Height::Roomy;
    QTimer m_soon;
    QTimer m_resting; ///< how long the pointer stays on `m_hovered`
    std::optional<Stage> m_hovered;
};

} // namespace keyaxis
