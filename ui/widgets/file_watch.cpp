#include "ui/widgets/file_watch.h"

#include <QFileInfo>

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
    const QFileInfo info(path);
    return info.exists() ? Stamp{info.lastModified(), info.size()} : Stamp{};
}

void FileWatch::watch(const QString& path)
{
    const QStringList before = m_watcher.files() + m_watcher.directories();
    if (!before.isEmpty())
        m_watcher.removePaths(before);
    m_calm.stop();
    m_path = path;
    if (path.isEmpty())
        return;
    m_stamp = stampOf(path);
    m_watcher.addPaths({path, QFileInfo(path).absolutePath()});
}

void FileWatch::check()
{
    const Stamp now = stampOf(m_path);
    if (now.size < 0 || now == m_stamp)
        return; // gone for the moment, or another file of the folder
    m_stamp = now;
    m_watcher.addPath(m_path); // a new file under the old name
    Q_EMIT changed(m_path);
}

} // namespace keyaxis
