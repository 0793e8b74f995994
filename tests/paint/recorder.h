#pragma once

#include <QColor>
#include <QPaintDevice>
#include <QPaintEngine>
#include <QPainter>
#include <QPainterPath>
#include <QPolygonF>
#include <cmath>
#include <vector>

namespace keyaxis::testing {

/// A piece of text as it was drawn.
struct DrawnText {
    QString text;
    QPolygonF ink; ///< around its letters, on the page
    QColor color;
    double px = 0; ///< the size of its type on the page
};

/// Paper that remembers which text was drawn where. One unit is a point.
class Recorder : public QPaintDevice {
public:
    explicit Recorder(QSize size) : m_size(size) {}

    const std::vector<DrawnText>& texts() const { return m_engine.texts; }
    QPaintEngine* paintEngine() const override { return &m_engine; }

protected:
    int metric(PaintDeviceMetric which) const override
    {
        switch (which) {
        case PdmWidth:
            return m_size.width();
        case PdmHeight:
            return m_size.height();
        case PdmDpiX:
        case PdmDpiY:
        case PdmPhysicalDpiX:
        case PdmPhysicalDpiY:
            return 96;
        case PdmDevicePixelRatio:
            return 1;
        case PdmDevicePixelRatioScaled:
            return static_cast<int>(devicePixelRatioFScale());
        case PdmDepth:
            return 32;
        default:
            return 0;
        }
    }

private:
    struct Engine : QPaintEngine {
        Engine() : QPaintEngine(AllFeatures) {}
        bool begin(QPaintDevice*) override { return true; }
        bool end() override { return true; }
        Type type() const override { return User; }
        void updateState(const QPaintEngineState& now) override
        {
            if (now.state() & DirtyTransform)
                transform = now.transform();
            if (now.state() & DirtyPen)
                color = now.pen().color();
        }
        void drawTextItem(const QPointF& from, const QTextItem& item) override
        {
            QPainterPath outlines; // metrics are whole points wide
            outlines.addText(from, item.font(), item.text());
            const QRectF ink = outlines.boundingRect();
            const double scale = std::sqrt(std::abs(transform.determinant()));
            if (!ink.isEmpty())
                texts.push_back({item.text(), transform.map(QPolygonF(ink)), color,
                                 item.font().pixelSize() * scale});
        }
        void drawPath(const QPainterPath&) override {}
        void drawRects(const QRectF*, int) override {}
        void drawPolygon(const QPointF*, int, PolygonDrawMode) override {}
        void drawEllipse(const QRectF&) override {}
        void drawLines(const QLineF*, int) override {}
        void drawPixmap(const QRectF&, const QPixmap&, const QRectF&) override {}
        void drawImage(const QRectF&, const QImage&, const QRectF&,
                       Qt::ImageConversionFlags) override
        {
        }

        QTransform transform;
        QColor color;
        std::vector<DrawnText> texts;
    };

    QSize m_size;
    mutable Engine m_engine;
};

} // namespace keyaxis::testing
