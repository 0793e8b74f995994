#pragma once

#include "ui/paint/influence_figure.h"
#include "ui/widgets/one_slice.h"

#include <QImage>
#include <QWidget>

namespace keyaxis {

/// What moves when one thing is nudged. A click on a column asks for that nudge.
class InfluenceView : public QWidget {
    Q_OBJECT

public:
    explicit InfluenceView(QWidget* parent = nullptr);

    void setTheme(const Theme& theme);
    /// Shows nothing until the movements have been computed.
    void show(const std::shared_ptr<const ShownResults>& shown);

    const InfluenceFigure& figure() const { return m_figure; }
    const InfluenceLayout& layoutOfFigure() const { return m_layout; }

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

private:
    Theme m_theme = Theme::light();
    std::shared_ptr<const Movements> m_moves;
    InfluenceFigure m_figure;
    InfluenceLayout m_layout;
    QImage m_painted; ///< the figure; null when it must be painted again
};

} // namespace keyaxis
