// The main window's dealings with files, and the windows beside it.
#include "ui/document/samples.h"
#include "ui/widgets/banner.h"
#include "ui/widgets/centre_view.h"
#include "ui/widgets/command_palette.h"
#include "ui/widgets/export_dialog.h"
#include "ui/widgets/figures.h"
#include "ui/widgets/file_reading.h"
#include "ui/widgets/heatmap_view.h"
#include "ui/widgets/help_window.h"
#include "ui/widgets/main_window.h"
#include "ui/widgets/one_slice.h"
#include "ui/widgets/window_actions.h"

#include <QCloseEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QMenu>
#include <QMenuBar>
#include <QMessageBox>
#include <QSettings>
#include <QStyle>

namespace keyaxis {

namespace {

/// Raised when the set of docks changes: an older arrangement is then forgotten.
constexpr int kLayoutVersion = 1;

QSettings userSettings()
{
    return QSettings(QStringLiteral("Keyaxis"), QStringLiteral("Keyaxis"));
}

} // namespace

void MainWindow::adopt(AttentionFile file, const QString& path, Index head)
{
    m_banner->hide();
    QStringList notes;
    for (const std::string& note : file.notes)
        notes += QString::fromStdString(note);
    m_document.load(std::move(file.inputs), file.settings, path, 0, head);
    if (!notes.isEmpty())
        m_banner->say(notes.join(QLatin1Char(' ')), Banner::Kind::Note);
}

bool MainWindow::openSample(const Sample& sample)
{
    auto file = readSample(sample);
    if (!file) {
        m_banner->say(sentenceOf(file.error()), Banner::Kind::Refusal);
        return false;
    }
    adopt(std::move(*file), QString(), sample.head);
    return true;
}

bool MainWindow::open(const QString& path, const ReadingChoices& choices)
{
    auto file = readAttentionFile(path, choices);
    if (file) {
        adopt(std::move(*file), QFileInfo(path).absoluteFilePath(), 0);
        return true;
    }
    if (file.error().code == Errc::Ambiguous)
        askForReading(path, choices, file.error());
    else
        m_banner->say(sentenceOf(file.error()), Banner::Kind::Refusal);
    return false;
}

void MainWindow::askForReading(const QString& path, const ReadingChoices& choices,
                               const Error& error)
{
    const std::vector<Reading> readings = possibleReadings(path, choices);
    QStringList answers;
    for (const Reading& reading : readings)
        answers += reading.label;
    if (answers.isEmpty()) {
        m_banner->say(
            tr("%1 cannot be read: no way of reading it gives q, k and v that fit together.")
                .arg(QFileInfo(path).fileName()),
            Banner::Kind::Refusal);
        return;
    }
    m_banner->ask(sentenceOf(error), answers);
    // One question at a time: the last one's answer is not this one's.
    m_banner->disconnect(this);
    connect(m_banner, &Banner::answered, this, [this, path, readings](int index) {
        open(path, readings[static_cast<std::size_t>(index)].choices);
    });
}

void MainWindow::askForFile()
{
    const QString path = QFileDialog::getOpenFileName(
        this, tr("Open"), QFileInfo(m_document.filePath()).absolutePath(),
        tr("Tensors (*.keyaxis *.npz *.npy *.safetensors *.json *.csv *.tsv *.txt);;All files "
           "(*)"));
    if (!path.isEmpty())
        open(path);
}

void MainWindow::askForExport()
{
    if (!m_shown)
        return;
    const Results& results = *m_shown->results;
    Figure figure = m_centre->figure();
    if (const auto& window = m_centre->maps().figure().window)
        figure.window = window->whole();
    auto* dialog =
        new ExportDialog(std::move(figure), m_cursor.cell(),
                         QString::fromStdString(results.inputs.name), m_theme.isDark, this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->open();
}

/// Everything that is in a menu.
void MainWindow::findCommand()
{
    QList<QAction*> actions;
    QList<QMenu*> menus;
    for (QAction* action : menuWidget()->findChild<QMenuBar*>()->actions())
        menus += action->menu();
    for (qsizetype n = 0; n < menus.size(); ++n)
        for (QAction* action : menus[n]->actions())
            action->menu() ? menus.push_back(action->menu()) : actions.push_back(action);
    auto* palette = new CommandPalette(actions, this);
    palette->setAttribute(Qt::WA_DeleteOnClose);
    palette->open();
}

void MainWindow::showHelp()
{
    if (!m_help)
        m_help = new HelpWindow(this);
    m_help->show();
    m_help->raise();
    m_help->activateWindow();
}

void MainWindow::showAbout()
{
    auto* box = new QMessageBox(
        QMessageBox::NoIcon, tr("About Keyaxis"),
        tr("<h3>Keyaxis %1</h3><p>How attention works, and why the softmax runs over the key axis."
           "</p><p>MIT licence. Its typeface is Inter with tabular figures, under the Open Font "
           "License; the samples are CC0.</p>")
            .arg(QStringLiteral(KEYAXIS_VERSION)),
        QMessageBox::Close, this);
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->open();
}

void MainWindow::restoreLayout()
{
    const QSettings settings = userSettings();
    restoreGeometry(settings.value(QStringLiteral("geometry")).toByteArray());
    m_hasOwnLayout =
        restoreState(settings.value(QStringLiteral("docks")).toByteArray(), kLayoutVersion);
    const int theme = settings.value(QStringLiteral("theme"), 0).toInt();
    if (theme >= 0 && theme <= static_cast<int>(ThemeChoice::HighContrast))
        setThemeChoice(static_cast<ThemeChoice>(theme));
    // A desktop without animations asks for none here either.
    const bool isStill = style()->styleHint(QStyle::SH_Widget_Animation_Duration) == 0;
    m_actions->reduceMotion->setChecked(
        settings.value(QStringLiteral("reduceMotion"), isStill).toBool());
}

void MainWindow::closeEvent(QCloseEvent* event)
{
    QSettings settings = userSettings();
    settings.setValue(QStringLiteral("geometry"), saveGeometry());
    settings.setValue(QStringLiteral("docks"), saveState(kLayoutVersion));
    settings.setValue(QStringLiteral("theme"), static_cast<int>(m_themeChoice));
    settings.setValue(QStringLiteral("reduceMotion"), m_actions->reduceMotion->isChecked());
    event->accept();
}

} // namespace keyaxis
