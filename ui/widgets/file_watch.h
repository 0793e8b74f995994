#pragma once

#include <QFileSystemWatcher>
#include <QObject>
#include <QStringList>
#include <QTimer>
#include <map>

namespace keyaxis {

/// Tells when files were changed by somebody else, once for each burst of writing. *GUI thread*
class FileWatch : public QObject {
    Q_OBJECT

public:
    explicit FileWatch(QObject* parent = nullptr);

    /// Watches `paths` as they are now, and nothing else.
    void watch(const QStringList& paths);

Q_SIGNALS:
    void changed(const QStringList& paths);

private:
    /// What tells one state of a file from another. Two writes may fall within one tick of the
    /// clock: a file that was replaced is told by its number.
    struct Stamp {
        qint64 seconds = 0;
        qint64 nanoseconds = 0;
        quint64 number = 0;
        qint64 size = -1;
        bool operator==(const Stamp&) const = default;
    };
    static Stamp stampOf(const QString& path);
    void check();

    QFileSystemWatcher m_watcher;
    QTimer m_calm;                     ///< runs until the writing has ended
    std::map<QString, Stamp> m_stamps; ///< of what is watched
};

} // namespace keyaxis
