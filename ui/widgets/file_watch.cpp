#include "ui/widgets/file_watch.h"

#include <QFile>
#include <QFileInfo>
#include <sys/stat.h>

namespace keyaxis {

FileWatch::FileWatch(QObject* parent) : QObject(parent)
{
    constexpr int kCalm = 150; // ms
    m_calm.setSingleShot(true);
    m_calm.setInterval(kCalm);
    connect(&m_calm, &QTimer::timeout, this, &FileWatch::check);
    const auto stir = [this] { m_calm.start(); };
    connect(&m_watcher, &QFileSystemWatcher::fileChanged, this, stir);
    // A file that is replaced as a whole is another file: only its folder tells.
    connect(&m_watcher, &QFileSystemWatcher::directoryChanged, this, stir);
}

FileWatch::Stamp FileWatch::stampOf(const QString& path)
{
    struct stat status {};
    if (::stat(QFile::encodeName(path).constData(), &status) != 0)
        return {};
    return {status.st_mtim.tv_sec, status.st_mtim.tv_nsec, status.st_ino, status.st_size};
}

void FileWatch::watch(const QStringList& paths)
{
    const QStringList before = m_watcher.files() + m_watcher.directories();
    if (!before.isEmpty())
        m_watcher.removePaths(before);
    m_calm.stop();
    m_stamps.clear();
    for (const QString& path : paths) {
        m_stamps[path] = stampOf(path);
        m_watcher.addPaths({path, QFileInfo(path).absolutePath()});
    }
}

void FileWatch::check()
{
    QStringList touched;
    for (auto& [path, stamp] : m_stamps) {
        const Stamp now = stampOf(path);
        if (now.size < 0 || now == stamp)
            continue; // gone for the moment, or another file of the folder
        stamp = now;
        m_watcher.addPath(path); // a new file under the old name
        touched += path;
    }
    if (!touched.isEmpty())
        Q_EMIT changed(touched);
}

} // namespace keyaxis
