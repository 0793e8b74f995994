#pragma once

#include "core/proof/nan_story.h"
#include "ui/paint/theme.h"
#include "ui/widgets/one_slice.h"

#include <QWidget>
#include <optional>

class QLabel;
class QPushButton;

namespace keyaxis {

/// How the NaN under the pointer came about: the slice that was emptied or the input that is odd,
/// what hides its cells, which outputs it spoils, and what each policy makes of it.
class NanCard : public QWidget {
    Q_OBJECT

public:
    explicit NanCard(QWidget* parent = nullptr);

    void setTheme(const Theme& theme);
    /// Shown where the weight of `cell`, or else the output of its query, is undefined.
    void show(const std::shared_ptr<const ShownResults>& shown, Cell cell);

    const std::optional<NanStory>& story() const { return m_story; }
    QString text() const; ///< all that is said

Q_SIGNALS:
    void zeroPolicyAsked();

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void say();

    Theme m_theme = Theme::light();
    std::shared_ptr<const ShownResults> m_shown;
    std::optional<Cell> m_cell;
    std::optional<NanStory> m_story;
    QLabel* m_head;
    QLabel* m_sentence;
    QLabel* m_hidden;
    QLabel* m_spoils;
    QLabel* m_nan;
    QLabel* m_zero;
    QPushButton* m_try; ///< policy zero
};

} // namespace keyaxis
