#pragma once

#include "core/attention/attention.h"
#include "core/proof/certificate.h"
#include "core/proof/hull.h"
#include "core/proof/principal_plane.h"
#include "ui/paint/label.h"
#include "ui/paint/theme.h"
#include "ui/paint/words.h"

#include <QPainter>
#include <QRectF>
#include <optional>

namespace keyaxis {

/// A point of the plane of the value rows; y is up.
using PlanePoint = Eigen::Vector2d;

/// One query's output among the value rows, in a plane through them: values, no positions.
struct ValuePlaneFigure {
    Axis axis = Axis::Key;
    Index query = 0;                        ///< whose weights are the lines
    Label queryName;                        ///< of `query`
    std::optional<Index> key;               ///< whose row is framed and named in bold
    Labels names;                           ///< by key
    std::vector<PlanePoint> values;         ///< by key; NaN where a row is not finite
    std::vector<bool> isAllowed;            ///< by key: `query` may use it
    std::vector<float> weights;             ///< by key: of `query`
    std::vector<PlanePoint> outputs;        ///< by query; NaN where undefined
    std::vector<bool> isValid;              ///< by query: its weights are a distribution
    PlanePoint origin = PlanePoint::Zero(); ///< the zero row
    /// Where the weights are >= 0 with a sum r > 0 that is not 1: o = r × c.
    struct Mixture {
        double mass = 1;                    ///< r
        PlanePoint at = PlanePoint::Zero(); ///< c
    };
    std::optional<Mixture> mixture;
    /// Where the output is outside: the way, of unit length in all dimensions, that no mixture of
    /// the rows goes as far along, as the plane shows it.
    std::optional<PlanePoint> witness;
    bool isOutside = false; ///< of the hull of the rows that `query` may use, in all dimensions
    QString sentence;       ///< the same in words
    QString note;           ///< of a projection: what it leaves out; else empty
    bool hasTitle = false;  ///< "Value plane · query sat", where no head stands above the picture
    QString settingsLine;   ///< below everything; empty: none
    Words words;            ///< of the language of what is painted besides these
    double visible = 1;     ///< 0 … 1: on its way out of nothing; see `appearing`

    bool isEmpty() const { return values.empty(); }
};

/// The plane of `query` of slice (b, h); empty without V.
///
/// @param plane  of the value rows that slice reads; kept by the caller while a row is dragged.
ValuePlaneFigure makeValuePlane(const Inputs& inputs, const ScoreSettings& settings, Index b,
                                Index h, const SliceStages& stages, const Certificate& certificate,
                                Index query, const PrincipalPlane& plane);

/// What lies at a point of the picture.
struct PlaneHit {
    enum class Kind { Nothing, Value, Output };
    Kind kind = Kind::Nothing;
    Index index = 0; ///< key or query

    bool operator==(const PlaneHit&) const = default;
};

/// One entry of the legend: a sign and its words.
struct PlaneLegend {
    enum class Sign { Value, Output, Hull, Mixture, Witness };
    Sign sign = Sign::Value;
    Label text;
    QRectF box;
};
inline constexpr int kLegendPx = 11;      ///< of its words
inline constexpr double kLegendSign = 13; ///< the width of a sign

/// Where the parts lie. Both directions of the plane have one scale, so distances are true.
struct ValuePlaneLayout {
    QRectF title;
    QRectF box;                      ///< the field with the points
    std::vector<PlaneLegend> legend; ///< as many lines as it needs
    QRectF words; ///< the sentence and the note; in a wide picture beside the box
    QRectF settingsLine;
    double scale = 1;                       ///< points per unit of the plane
    PlanePoint middle = PlanePoint::Zero(); ///< what lies in the middle of the box

    QPointF at(const PlanePoint& point) const;
    PlanePoint from(QPointF point) const;
    PlaneHit hitTest(const ValuePlaneFigure& figure, QPointF point) const;
};

ValuePlaneLayout layoutValuePlane(const ValuePlaneFigure& figure, QSizeF size);

/// How high a picture of `width` becomes with a field in good proportion and all its words.
double valuePlaneHeight(const ValuePlaneFigure& figure, double width);

void paintValuePlane(QPainter& painter, const ValuePlaneFigure& figure,
                     const ValuePlaneLayout& layout, const Theme& theme);

} // namespace keyaxis
