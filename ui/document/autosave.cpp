#include "ui/document/autosave.h"

#include "ui/document/session.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QUuid>

namespace keyaxis {

namespace {

constexpr int kDelay = 4000; ///< ms
const QLatin1String kEnding(".keyaxis");
const QLatin1String kLockEnding(".lock");

std::unique_ptr<QLockFile> lockOf(const QString& path)
{
    auto lock = std::make_unique<QLockFile>(path + kLockEnding);
    lock->setStaleLockTime(0); // stale only when its process is gone
    return lock;
}

} // namespace

Autosave::Autosave(Document& document, QString folder, QObject* parent)
    : QObject(parent), m_document(document), m_folder(std::move(folder))
{
    m_path = QDir(m_folder).filePath(QUuid::createUuid().toString(QUuid::WithoutBraces) + kEnding);
    m_timer.setSingleShot(true);
    m_timer.setInterval(kDelay);
    connect(&m_timer, &QTimer::timeout, this, &Autosave::write);
    // The stack knows of a step only when it has been done, after the document has said so.
    connect(&document.undoStack(), &QUndoStack::indexChanged, this, &Autosave::follow);
    connect(&document, &Document::changed, this, [this](Changes changes) {
        if (changes & Change::File)
            follow();
    });
}

Autosave::~Autosave()
{
    remove();
}

void Autosave::follow()
{
    if (m_document.undoStack().isClean())
        remove();
    else
        m_timer.start();
}

void Autosave::write()
{
    if (m_document.undoStack().isClean())
        return;
    if (!m_lock) {
        QDir().mkpath(m_folder);
        m_lock = lockOf(m_path);
        m_lock->tryLock(0);
    }
    const auto written = writeSession(m_path.toStdString(), sessionOf(m_document));
    if (!written && !m_hasFailed)
        Q_EMIT failed(tr("Unsaved work cannot be kept for a crash: %1")
                          .arg(QString::fromStdString(written.error().message)));
    m_hasFailed = !written;
}

void Autosave::remove()
{
    m_timer.stop();
    if (!m_lock)
        return;
    QFile::remove(m_path);
    m_lock.reset(); // takes the lock file along
}

QString Autosave::leftover()
{
    if (!m_leftover.isEmpty())
        return m_leftover;
    const QDir folder(m_folder);
    for (const QFileInfo& file :
         folder.entryInfoList({QStringLiteral("*") + kEnding}, QDir::Files, QDir::Time)) {
        auto lock = lockOf(file.absoluteFilePath());
        if (file.absoluteFilePath() == m_path || !lock->tryLock(0))
            continue; // another window's
        m_leftLock = std::move(lock);
        m_leftover = file.absoluteFilePath();
        break;
    }
    return m_leftover;
}

void Autosave::discardLeftover()
{
    if (m_leftover.isEmpty())
        return;
    QFile::remove(m_leftover);
    m_leftover.clear();
    m_leftLock.reset();
}

} // namespace keyaxis
