#pragma once

#include <QDateTime>
#include <QFileSystemWatcher>
#include <QObject>
#include <QTimer>

namespace keyaxis {

/// Tells when a file was changed by somebody else, once for each burst of writing. *GUI thread*
class FileWatch : public QObject {
    Q_OBJECT

public:
    explicit FileWatch(QObject* parent = nullptr);

    /// Watches `path` as it is now; empty: nothing.
    void watch(const QString& path);

Q_SIGNALS:
    void changed(const QString& path);

private:
    /// What tells one state of a file from another.
    struct Stamp {
        QDateTime modified;
        qint64 size = -1;
        bool operator==(const Stamp&) const = default;
    };
    static Stamp stampOf(const QString& path);
    void check();

    QFileSystemWatcher m_watcher;
    QTimer m_calm; ///< runs until the writing has ended
    QString m_path;
    Stamp m_stamp;
};

} // namespace keyaxis
