#include "ui/widgets/help_window.h"

#include "ui/paint/theme.h"

#include <QFile>

namespace keyaxis {

HelpWindow::HelpWindow(QWidget* parent) : QTextBrowser(parent)
{
    setWindowFlag(Qt::Window);
    setWindowTitle(tr("The mathematics of Keyaxis"));
    setOpenExternalLinks(true);
    setFont(uiFont(14));
    document()->setDocumentMargin(28);
    resize(780, 860);
    QFile page(QStringLiteral(":/help/mathematics.md"));
    if (page.open(QIODevice::ReadOnly))
        setMarkdown(QString::fromUtf8(page.readAll()));
}

} // namespace keyaxis
