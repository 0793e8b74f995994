#pragma once

#include "core/inputs.h"

#include <QColor>
#include <QFont>
#include <QString>
#include <memory>
#include <vector>

class QPainter;
class QRectF;

namespace keyaxis {

/// A line of text of which some parts are raised or lowered. Superscripts and indices are drawn
/// smaller, not looked up as characters that a font may lack.
struct Label {
    enum class Place { Base, Super, Sub };
    struct Run {
        QString text;
        Place place = Place::Base;
        bool isBold = false;
        bool operator==(const Run&) const = default;
    };
    std::vector<Run> runs;

    Label() = default;
    Label(const QString& text) : runs{{text, Place::Base, false}} {}
    Label& add(const QString& text) { return run(text, Place::Base, false); }
    Label& bold(const QString& text) { return run(text, Place::Base, true); }
    Label& super(const QString& text) { return run(text, Place::Super, false); }
    Label& sub(const QString& text) { return run(text, Place::Sub, false); }

    bool operator==(const Label&) const = default;
    QString plain() const; ///< "e^-0.48", "the_0": for screen readers and copying
    double width(const QFont& font) const;
    /// Cut to `width` with an ellipsis; indices stay.
    Label elided(const QFont& font, double width) const;

private:
    Label& run(const QString& text, Place place, bool isBold);
};

/// The names of rows or of columns, shared by all maps that show them. *immutable*
class Labels {
public:
    Labels() = default;
    Labels(std::vector<Label> all)
        : m_all(std::make_shared<const std::vector<Label>>(std::move(all)))
    {
    }
    const std::vector<Label>& all() const
    {
        static const std::vector<Label> none;
        return m_all ? *m_all : none;
    }
    std::size_t size() const { return all().size(); }
    auto begin() const { return all().begin(); }
    auto end() const { return all().end(); }
    const Label& operator[](std::size_t n) const { return all()[n]; }

private:
    std::shared_ptr<const std::vector<Label>> m_all;
};

/// Draws `label` in one line, aligned in `box`; nothing is drawn outside it sideways.
void drawLabel(QPainter& painter, const QRectF& box, Qt::Alignment alignment, const Label& label,
               const QFont& font, const QColor& color);

/// A token as it is written on a map: literal, with ␠ ⏎ ⇥ ∅ for what cannot be seen.
QString visibleToken(const std::string& token);

/// `text` with the code point (U+4E2D) in place of each sign that no font here can draw.
QString drawable(const QString& text);

/// Labels of the tokens of batch item b: a token that occurs several times has its position as an
/// index (the₀, the₄). Without names: q0 … or k0 …, by `fallback`. Those last asked for are kept: a
/// document's maps, tables and planes all ask for the same.
Labels tokenLabels(const TokenNames& names, Index b, Index n, char fallback);

} // namespace keyaxis
