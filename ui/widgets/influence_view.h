#pragma once

#include "ui/paint/influence_figure.h"
#include "ui/widgets/choice_widget.h"
#include "ui/widgets/one_slice.h"

#include <QImage>
#include <utility>

namespace keyaxis {

/// What moves when one thing is nudged. A click on a column asks for that nudge; with the focus,
/// left and right choose a column and Return nudges it.
class InfluenceView : public ChoiceWidget {
    Q_OBJECT

public:
    explicit InfluenceView(QWidget* parent = nullptr);

    void setTheme(const Theme& theme);
    /// Shows nothing until the movements have been computed.
    void show(const std::shared_ptr<const ShownResults>& shown);

    const InfluenceFigure& figure() const { return m_figure; }
    const InfluenceLayout& layoutOfFigure() const { return m_layout; }

    int nChoices() const override; ///< the columns of all maps
    Choice choice(int index) const override;
    void pick(int index) override;

    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;
    QSize sizeHint() const override { return {300, heightForWidth(300)}; }
    QSize minimumSizeHint() const override { return {180, heightForWidth(180)}; }

Q_SIGNALS:
    /// The thing called `index` (token, query, example or head) is to be nudged.
    void nudgeAsked(keyaxis::Nudged what, keyaxis::Index index);

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    /// The map and the column of a choice.
    std::pair<std::size_t, Index> columnOf(int index) const;

    Theme m_theme = Theme::light();
    std::shared_ptr<const Movements> m_moves;
    InfluenceFigure m_figure;
    InfluenceLayout m_layout;
    QImage m_painted; ///< the figure; null when it must be painted again
    int m_chosen = 0; ///< by the keyboard
};

} // namespace keyaxis
