// The main window's dealings with files, and the windows beside it.
#include "core/io/tensor_file.h"
#include "ui/document/samples.h"
#include "ui/widgets/banner.h"
#include "ui/widgets/centre_view.h"
#include "ui/widgets/command_palette.h"
#include "ui/widgets/dropped_files.h"
#include "ui/widgets/figures.h"
#include "ui/widgets/file_reading.h"
#include "ui/widgets/heatmap_view.h"
#include "ui/widgets/help_window.h"
#include "ui/widgets/main_window.h"
#include "ui/widgets/one_slice.h"
#include "ui/widgets/user_settings.h"
#include "ui/widgets/window_actions.h"

#include <QCloseEvent>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QGuiApplication>
#include <QMenu>
#include <QMenuBar>
#include <QMessageBox>
#include <QSettings>

namespace keyaxis {

namespace {

const QLatin1String kSessionEnding(".keyaxis");
const QLatin1String kRecent("recent");

/// `path` comes first among the recent files.
void remember(const QString& path)
{
    constexpr qsizetype kMost = 8;
    QSettings settings = userSettings();
    QStringList recent = settings.value(kRecent).toStringList();
    recent.removeAll(path);
    recent.prepend(path);
    settings.setValue(kRecent, QStringList(recent.first(std::min(kMost, recent.size()))));
}

} // namespace

QString MainWindow::autosaveFolder()
{
    return QFileInfo(userSettings().fileName()).absolutePath() + QStringLiteral("/autosave");
}

void MainWindow::question(const QString& sentence, const QStringList& answers,
                          std::function<void(int)> then)
{
    m_banner->ask(sentence, answers);
    // One question at a time: the last one's answer is not this one's.
    m_banner->disconnect(this);
    connect(m_banner, &Banner::answered, this, [this, then = std::move(then)](int index) {
        m_banner->hide(); // what follows may say something
        then(index);
    });
}

/// Another file takes the place of unsaved work: it is kept, and offered again.
void MainWindow::putAside()
{
    if (m_document.undoStack().isClean() || m_document.inputs().isEmpty())
        return;
    const Session aside = sessionOf(m_document);
    question(tr("The unsaved edits of %1 were put aside.")
                 .arg(QString::fromStdString(aside.inputs.name)),
             {tr("Bring them back")},
             [this, aside, origin = m_origin, layers = m_document.layers()](int) {
                 const QString path = QString::fromStdString(aside.source);
                 m_document.load(aside.inputs, aside.settings, path, 0, 0, layers);
                 m_document.setView(viewFrom(aside.view, m_document.view()));
                 m_document.markRecovered(path);
                 m_origin = origin;
                 m_watch.watch(origin.files);
             });
}

void MainWindow::adopt(AttentionFile file, const QStringList& files, const ReadingChoices& reading,
                       Index head, std::shared_ptr<const Layers> layers)
{
    m_banner->hide();
    if (!m_isRereading)
        putAside();
    QStringList notes;
    for (const std::string& note : file.notes)
        notes += QString::fromStdString(note);
    const QString path = files.size() == 1 ? files.front() : QString();
    m_origin = {files, reading, file.inputs, file.settings};
    m_document.load(std::move(file.inputs), file.settings, path, 0, head, std::move(layers));
    if (!file.view.empty())
        m_document.setView(viewFrom(file.view, m_document.view()));
    m_watch.watch(files);
    if (!path.isEmpty())
        remember(path);
    if (!notes.isEmpty() && !m_banner->isVisible())
        m_banner->say(notes.join(QLatin1Char(' ')), Banner::Kind::Note);
}

bool MainWindow::saveTo(const QString& path)
{
    m_centre->setFocus(); // an edit that is still open in a table is kept
    m_watch.watch({});    // our own writing is no change by somebody else
    const auto saved = saveDocument(m_document, path.toStdString());
    if (saved) // a session leaves nothing open
        m_origin = {{m_document.filePath()}, {}, m_document.inputs(), m_document.settings()};
    m_watch.watch(m_origin.files);
    if (!saved) {
        m_banner->say(sentenceOf(saved.error()), Banner::Kind::Refusal);
        return false;
    }
    remember(path);
    return true;
}

bool MainWindow::save()
{
    const QString& path = m_document.filePath();
    return path.endsWith(kSessionEnding) ? saveTo(path) : saveAs();
}

bool MainWindow::saveAs()
{
    const QFileInfo file(m_document.filePath());
    const QString name = QString::fromStdString(m_document.inputs().name);
    QString path = QFileDialog::getSaveFileName(
        this, tr("Save"),
        QDir(file.absolutePath()).filePath(QFileInfo(name).completeBaseName() + kSessionEnding),
        tr("Keyaxis documents (*.keyaxis)"));
    if (path.isEmpty())
        return false;
    if (!path.endsWith(kSessionEnding))
        path += kSessionEnding;
    return saveTo(path);
}

void MainWindow::filesChanged(const QStringList& paths)
{
    // Numbers that the user has edited are never replaced unasked.
    if (m_isFollowing && (m_document.undoStack().isClean() || isAsRead())) {
        reload();
        return;
    }
    question(paths.size() == 1 ? tr("%1 has changed on disk.").arg(namesOfFiles(paths))
                               : tr("%1 have changed on disk.").arg(namesOfFiles(paths)),
             {tr("Reload"), m_origin.files.size() == 1 ? tr("Follow it") : tr("Follow them")},
             [this](int answer) {
                 if (answer == 1)
                     m_actions->follow->setChecked(true);
                 reload();
             });
}

void MainWindow::showRecent()
{
    QMenu& menu = *m_actions->recentMenu;
    menu.clear();
    for (const QString& path : userSettings().value(kRecent).toStringList()) {
        QAction* action = menu.addAction(QFileInfo(path).fileName());
        action->setStatusTip(path);
        connect(action, &QAction::triggered, this, [this, path] { open(path); });
    }
    if (menu.isEmpty())
        menu.addAction(tr("No files yet"))->setEnabled(false);
}

void MainWindow::offerLeftover()
{
    const QString path = m_autosave.leftover();
    if (path.isEmpty())
        return;
    auto file = readAttentionFile(path, {});
    if (!file) {
        m_autosave.discardLeftover(); // cut off while it was written: nothing to offer
        return;
    }
    question(
        tr("Keyaxis ended before %1 was saved.").arg(QString::fromStdString(file->inputs.name)),
        {tr("Restore it"), tr("Discard it")}, [this, file = std::move(*file)](int answer) {
            if (answer == 0) {
                adopt(file, {}, {}, 0);
                m_document.markRecovered(QString());
            }
            m_autosave.discardLeftover();
        });
}

bool MainWindow::openSample(const Sample& sample)
{
    auto file = readSample(sample);
    if (!file) {
        m_banner->say(sentenceOf(file.error()), Banner::Kind::Refusal);
        return false;
    }
    adopt(std::move(*file), {}, {}, sample.head);
    return true;
}

void MainWindow::askForFile()
{
    const QString path = QFileDialog::getOpenFileName(
        this, tr("Open"), QFileInfo(m_document.filePath()).absolutePath(),
        tr("Tensors (*.keyaxis *.npz *.npy *.safetensors *.json *.csv *.tsv *.txt);;Figures with "
           "their data (*.png *.svg *.pdf);;All files "
           "(*)"));
    if (!path.isEmpty())
        open(path);
}

/// Everything that is in a menu.
void MainWindow::findCommand()
{
    showRecent();
    auto* palette =
        new CommandPalette(commandsOf(*menuWidget()->findChild<QMenuBar*>()), m_theme, this);
    palette->setAttribute(Qt::WA_DeleteOnClose);
    palette->show();
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

/// Unsaved work is asked about; the third answer leaves the window open.
bool MainWindow::mayClose()
{
    if (m_document.undoStack().isClean())
        return true;
    QMessageBox box(
        QMessageBox::NoIcon, tr("Keyaxis"),
        tr("%1 has unsaved edits.").arg(QString::fromStdString(m_document.inputs().name)),
        QMessageBox::Save | QMessageBox::Discard | QMessageBox::Cancel, this);
    box.setDefaultButton(QMessageBox::Save);
    switch (box.exec()) {
    case QMessageBox::Save:
        return save();
    case QMessageBox::Discard:
        return true;
    default:
        return false;
    }
}

void MainWindow::closeEvent(QCloseEvent* event)
{
    if (!mayClose()) {
        event->ignore();
        return;
    }
    keepLayout();
    event->accept();
}

} // namespace keyaxis
