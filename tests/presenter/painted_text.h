#pragma once

#include <QPaintDevice>
#include <QPaintEngine>
#include <cmath>
#include <vector>

namespace keyaxis::testing {

/// A piece of text as it was painted, in pixels.
struct PaintedText {
    QString text;
    double px = 0;
};

/// Notes the text that is painted, and nothing else.
class TextEngine : public QPaintEngine {
public:
    explicit TextEngine(std::vector<PaintedText>& texts)
        : QPaintEngine(QPaintEngine::AllFeatures), m_texts(texts)
    {
    }
    bool begin(QPaintDevice*) override { return true; }
    bool end() override { return true; }
    void updateState(const QPaintEngineState& changed) override
    {
        if (changed.state() & DirtyTransform)
            m_transform = changed.transform();
    }
    void drawPixmap(const QRectF&, const QPixmap&, const QRectF&) override {}
    void drawImage(const QRectF&, const QImage&, const QRectF&, Qt::ImageConversionFlags) override
    {
    }
    void drawPath(const QPainterPath&) override {}
    void drawPolygon(const QPointF*, int, PolygonDrawMode) override {}
    void drawTextItem(const QPointF&, const QTextItem& item) override
    {
        const double scale = std::sqrt(std::abs(m_transform.determinant()));
        m_texts.push_back({item.text(), item.font().pixelSize() * scale});
    }
    Type type() const override { return User; }

private:
    std::vector<PaintedText>& m_texts;
    QTransform m_transform;
};

class TextDevice : public QPaintDevice {
public:
    explicit TextDevice(QSize size) : m_size(size), m_engine(texts) {}
    QPaintEngine* paintEngine() const override { return &m_engine; }
    std::vector<PaintedText> texts;

protected:
    int metric(PaintDeviceMetric metric) const override
    {
        switch (metric) {
        case PdmWidth:
            return m_size.width();
        case PdmHeight:
            return m_size.height();
        case PdmDevicePixelRatio:
            return 1;
        case PdmDevicePixelRatioScaled:
            return static_cast<int>(devicePixelRatioFScale());
        case PdmDpiX:
        case PdmDpiY:
        case PdmPhysicalDpiX:
        case PdmPhysicalDpiY:
            return 96;
        case PdmNumColors:
            return 1 << 24;
        case PdmDepth:
            return 32;
        default:
            return 0;
        }
    }

private:
    QSize m_size;
    mutable TextEngine m_engine;
};

} // namespace keyaxis::testing
