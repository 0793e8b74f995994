#include "ui/widgets/normaliser_card.h"

#include "ui/paint/heatmap_image.h"
#include "ui/paint/sum_bars.h"

#include <QBoxLayout>
#include <QFontMetrics>
#include <QPainter>
#include <QPushButton>
#include <cmath>

namespace keyaxis {

namespace {

constexpr int kMap = 52;
constexpr int kGap = 10;

QString titleOf(Normaliser::Kind kind)
{
    switch (kind) {
    case Normaliser::Kind::Plain:
        return NormaliserCard::tr("Plain softmax");
    case Normaliser::Kind::Renormalised:
        return NormaliserCard::tr("Each row ÷ its sum");
    case Normaliser::Kind::Joint:
        return NormaliserCard::tr("Heads and keys at once");
    case Normaliser::Kind::Sink:
        return NormaliserCard::tr("With a sink, 1 + Σ eˢ");
    case Normaliser::Kind::Sigmoid:
        break;
    }
    return NormaliserCard::tr("Sigmoid, each on its own");
}

} // namespace

/// The small maps with their titles, marks and sentences.
class NormaliserCard::Rows : public QWidget {
public:
    explicit Rows(QWidget* parent) : QWidget(parent)
    {
        QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Preferred);
        policy.setHeightForWidth(true);
        setSizePolicy(policy);
    }

    void show(const Results& results)
    {
        m_maps = results.normalised;
        m_before = results.axes[0]->before;
        QStringList all;
        for (const NormalisedMap& map : *m_maps)
            all += titleOf(map.normaliser.kind) + QStringLiteral(": ") + sentenceOf(map);
        setAccessibleName(all.join(QLatin1Char(' ')));
        updateGeometry();
        update();
    }
    void setTheme(const Theme& theme)
    {
        m_theme = theme;
        update();
    }
    static QString sentenceOf(const NormalisedMap& map)
    {
        return QString::fromStdString(map.slice.sentence);
    }

    bool hasHeightForWidth() const override { return true; }
    QSize sizeHint() const override { return {300, heightForWidth(300)}; }
    int heightForWidth(int width) const override
    {
        int height = 0;
        if (m_maps)
            for (const NormalisedMap& map : *m_maps)
                height += rowHeight(map, width);
        return height;
    }

protected:
    void paintEvent(QPaintEvent*) override
    {
        if (!m_maps)
            return;
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        int top = 0;
        for (const NormalisedMap& map : *m_maps) {
            paintRow(painter, map, top);
            top += rowHeight(map, width());
        }
    }

private:
    static int wordsHeight(const NormalisedMap& map, int width)
    {
        return QFontMetrics(uiFont(12))
            .boundingRect(0, 0, width - kMap - kGap, 1000, Qt::TextWordWrap, sentenceOf(map))
            .height();
    }
    static int rowHeight(const NormalisedMap& map, int width)
    {
        return std::max(kMap, 20 + wordsHeight(map, width)) + kGap;
    }
    void paintRow(QPainter& painter, const NormalisedMap& map, int top) const
    {
        const Matrix& weights = map.slice.weights;
        const auto longest = double(std::max<Index>(1, std::max(weights.rows(), weights.cols())));
        const QRectF box(0, top, kMap * double(weights.cols()) / longest,
                         kMap * double(weights.rows()) / longest);
        const GlyphColors glyphs{m_theme.paper.rgb(), m_theme.invalid.rgb(), m_theme.ink.rgb()};
        painter.drawImage(box, heatmapImage(viewOf(weights), viewOf(m_before->logits),
                                            ColorMap(Palette::Viridis, {}), glyphs,
                                            (box.size() * devicePixelRatioF()).toSize()));
        const bool isConvex = map.slice.isConvex;
        const QColor color = m_theme.verdictColor(isConvex);
        const double left = kMap + kGap;
        paintMark(painter, {left, top + 3.0, 11, 11}, isConvex, color);
        drawLabel(painter, {left + 16, double(top), width() - left - 16, 17}, Qt::AlignLeft,
                  Label(titleOf(map.normaliser.kind)), uiFont(12, QFont::DemiBold), color);
        painter.setFont(uiFont(12));
        painter.setPen(m_theme.ink);
        painter.drawText(QRectF(left, top + 18, width() - left, 1000),
                         Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap, sentenceOf(map));
    }

    std::shared_ptr<const std::vector<NormalisedMap>> m_maps;
    std::shared_ptr<const ScoreStages> m_before; ///< whose logits tell what is masked
    Theme m_theme = Theme::light();
};

NormaliserCard::NormaliserCard(QWidget* parent)
    : QWidget(parent),
      m_open(new QPushButton(tr("Other normalisers"), this)),
      m_rows(new Rows(this))
{
    m_open->setCheckable(true);
    m_open->setToolTip(
        tr("What stands beside the plain softmax, and whether its rows are distributions"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(8);
    column->addWidget(m_open, 0, Qt::AlignLeft);
    column->addWidget(m_rows);
    connect(m_open, &QPushButton::toggled, this, &NormaliserCard::refresh);
    refresh();
}

void NormaliserCard::setTheme(const Theme& theme)
{
    m_rows->setTheme(theme);
}

bool NormaliserCard::isOpen() const
{
    return m_open->isChecked();
}

QStringList NormaliserCard::verdicts() const
{
    QStringList lines;
    if (m_shown && m_shown->results->normalised)
        for (const NormalisedMap& map : *m_shown->results->normalised)
            lines += titleOf(map.normaliser.kind) + QStringLiteral(": ") + Rows::sentenceOf(map);
    return lines;
}

void NormaliserCard::show(const std::shared_ptr<const ShownResults>& shown)
{
    // While newer results are on their way the old ones stay, as the maps do.
    if (shown && !shown->results->isComplete && m_shown)
        return;
    m_shown = shown;
    setVisible(shown && shown->results->normalised);
    refresh();
}

void NormaliserCard::refresh()
{
    const bool isShown = isOpen() && m_shown && m_shown->results->normalised;
    m_rows->setVisible(isShown);
    if (isShown)
        m_rows->show(*m_shown->results);
}

} // namespace keyaxis
