#pragma once

#include "core/proof/influence.h"
#include "core/proof/nudge.h"
#include "ui/paint/label.h"
#include "ui/paint/theme.h"

#include <QPainter>
#include <QRectF>
#include <optional>

namespace keyaxis {

/// One map: column, what is nudged; row, what moves.
struct InfluenceMap {
    Nudged nudged = Nudged::Token;
    Influence influence;
    std::vector<Label> rowNames;
    std::vector<Label> columnNames;
    Index offset = 0; ///< of tokens: the position of query i is i + offset

    QString title() const; ///< "tokens"
    /// Whether nothing should move there: a later token moves an earlier output, or one of several
    /// independent things moves another.
    bool isLeak(Index row, Index column) const;
    /// "sat does not move when mat is nudged."
    QString words(Index row, Index column) const;
};

/// What moves when one thing is nudged: a few small maps and what they say.
struct InfluenceFigure {
    std::vector<InfluenceMap> maps;
    QString sentence;
};

struct InfluenceLayout {
    std::vector<QRectF> boxes; ///< of the cells, by map
    QRectF words;
};

struct InfluenceHit {
    std::size_t map = 0;
    Index row = 0;
    Index column = 0;
    bool operator==(const InfluenceHit&) const = default;
};

InfluenceLayout layoutInfluence(const InfluenceFigure& figure, QSizeF size);
double influenceHeight(const InfluenceFigure& figure, double width);
std::optional<InfluenceHit> hitInfluence(const InfluenceFigure& figure,
                                         const InfluenceLayout& layout, QPointF point);

/// Cells are green where something may move, by how much of the largest; leaks have the colour of
/// invalid and a dot; exactly 0 is grey and undefined hatched.
void paintInfluence(QPainter& painter, const InfluenceFigure& figure, const InfluenceLayout& layout,
                    const Theme& theme);

} // namespace keyaxis
