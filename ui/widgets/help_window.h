#pragma once

#include <QTextBrowser>

namespace keyaxis {

/// The mathematics of Keyaxis as a page in a window of its own, so that the maps stay in sight.
class HelpWindow : public QTextBrowser {
    Q_OBJECT

public:
    explicit HelpWindow(QWidget* parent = nullptr);
};

} // namespace keyaxis
