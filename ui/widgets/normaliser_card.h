#pragma once

#include "ui/paint/theme.h"
#include "ui/widgets/one_slice.h"

#include <QWidget>

class QPushButton;

namespace keyaxis {

/// "Other normalisers": behind one button, the looked-at map under what stands beside the plain
/// softmax, each as a small map with its verdict.
class NormaliserCard : public QWidget {
    Q_OBJECT

public:
    explicit NormaliserCard(QWidget* parent = nullptr);

    void setTheme(const Theme& theme);
    void show(const std::shared_ptr<const ShownResults>& shown);

    bool isOpen() const;
    /// One line a normaliser: "÷ row sum: Convex: …".
    QStringList verdicts() const;

private:
    class Rows;
    void refresh();

    std::shared_ptr<const ShownResults> m_shown;
    QPushButton* m_open;
    Rows* m_rows;
};

} // namespace keyaxis
