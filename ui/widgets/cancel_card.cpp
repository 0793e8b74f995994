#include "ui/widgets/cancel_card.h"

#include "ui/paint/color_choice.h"
#include "ui/paint/heatmap_image.h"

#include <QBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <algorithm>

namespace keyaxis {

/// The two maps side by side, and their common range.
class CancelCard::Maps : public QWidget {
public:
    using QWidget::QWidget;

    void show(const BiasParts* parts, const Theme& theme)
    {
        m_parts = parts;
        m_theme = theme;
        update();
    }
    QSize sizeHint() const override { return {200, 132}; }

protected:
    void paintEvent(QPaintEvent*) override
    {
        if (!m_parts)
            return;
        QPainter painter(this);
        const ColorMap colors =
            colorMapFor({Palette::BlueRed, RangeRule::Symmetric, {}, false},
                        {{viewOf(m_parts->cancelled), viewOf(m_parts->cancelled)},
                         {viewOf(m_parts->surviving), viewOf(m_parts->surviving)}});
        const double half = (width() - 16) / 2.0;
        paintPart(painter, {0, 0, half, double(height())}, m_parts->cancelled, tr("cancels"),
                  colors);
        paintPart(painter, {half + 16, 0, half, double(height())}, m_parts->surviving,
                  tr("survives"), colors);
    }

private:
    void paintPart(QPainter& painter, const QRectF& box, const Matrix& values, const QString& title,
                   const ColorMap& colors) const
    {
        const GlyphColors glyphs{m_theme.paper.rgb(), m_theme.invalid.rgb(), m_theme.ink.rgb()};
        const double room = std::min(box.width(), box.height() - 36);
        const double cell =
            room / static_cast<double>(std::max<Index>(1, std::max(values.rows(), values.cols())));
        const QRectF map(box.left() + (box.width() - cell * double(values.cols())) / 2, 18,
                         cell * double(values.cols()), cell * double(values.rows()));
        const QSize pixels = (map.size() * devicePixelRatioF()).toSize();
        painter.drawImage(map,
                          heatmapImage(viewOf(values), viewOf(values), colors, glyphs, pixels));
        painter.setPen(m_theme.hairline);
        painter.drawRect(map);
        drawLabel(painter, {box.left(), 0, box.width(), 16}, Qt::AlignHCenter, Label(title),
                  uiFont(11), m_theme.ink);
        const QString range = tr("%1 … %2").arg(shortNumber(double(colors.range().low)),
                                                shortNumber(double(colors.range().high)));
        drawLabel(painter, {box.left(), map.bottom() + 2, box.width(), 16}, Qt::AlignHCenter,
                  Label(range), uiFont(11), m_theme.muted);
    }

    const BiasParts* m_parts = nullptr;
    Theme m_theme = Theme::light();
};

CancelCard::CancelCard(QWidget* parent)
    : QWidget(parent),
      m_open(new QPushButton(tr("What cancels"), this)),
      m_maps(new Maps(this)),
      m_sentence(new QLabel(this))
{
    m_open->setCheckable(true);
    m_open->setToolTip(
        tr("Which part of the bias the softmax over this axis cancels, and which survives"));
    m_sentence->setFont(uiFont(12));
    m_sentence->setWordWrap(true);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(6);
    column->addWidget(m_open, 0, Qt::AlignLeft);
    column->addWidget(m_maps);
    column->addWidget(m_sentence);
    connect(m_open, &QPushButton::toggled, this, &CancelCard::refresh);
    refresh();
    hide();
}

void CancelCard::setTheme(const Theme& theme)
{
    m_theme = theme;
    refresh();
}

bool CancelCard::isOpen() const
{
    return m_open->isChecked();
}

QString CancelCard::sentence() const
{
    return m_sentence->text();
}

void CancelCard::show(const std::shared_ptr<const ShownResults>& shown)
{
    m_shown = shown;
    setVisible(shown && (shown->results->settings.alibi || shown->results->inputs.bias));
    refresh();
}

void CancelCard::refresh()
{
    m_parts.reset();
    if (isOpen() && m_shown && !isHidden()) {
        const Results& results = *m_shown->results;
        m_parts = biasParts(results.inputs, results.settings, results.batch, results.head);
    }
    m_maps->setVisible(m_parts.has_value());
    m_sentence->setVisible(m_parts.has_value());
    m_maps->show(m_parts ? &*m_parts : nullptr, m_theme);
    if (m_parts)
        m_sentence->setText(QString::fromStdString(m_parts->sentence));
}

} // namespace keyaxis
