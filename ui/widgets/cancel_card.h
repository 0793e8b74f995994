#pragma once

#include "core/proof/invariance.h"
#include "ui/paint/theme.h"
#include "ui/widgets/one_slice.h"

#include <QWidget>
#include <optional>

class QLabel;
class QPushButton;

namespace keyaxis {

/// "What cancels": behind one button, the part of the bias that the softmax over the present axis
/// cancels and the part that survives, as two small maps in one signed colour scale.
class CancelCard : public QWidget {
    Q_OBJECT

public:
    explicit CancelCard(QWidget* parent = nullptr);

    void setTheme(const Theme& theme);
    /// Shown where there is a bias or ALiBi is on.
    void show(const std::shared_ptr<const ShownResults>& shown);

    const std::optional<BiasParts>& parts() const { return m_parts; }
    bool isOpen() const;
    QString sentence() const;

private:
    class Maps;
    void refresh();

    Theme m_theme = Theme::light();
    std::shared_ptr<const ShownResults> m_shown;
    std::optional<BiasParts> m_parts; ///< while open
    QPushButton* m_open;
    Maps* m_maps;
    QLabel* m_sentence;
};

} // namespace keyaxis
