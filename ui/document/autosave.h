#pragma once

#include "ui/document/document.h"

#include <QLockFile>
#include <QTimer>
#include <memory>

namespace keyaxis {

/// Keeps unsaved work in a file of its own, a little after each edit, until it is saved or given
/// up. After a crash the file is still there, and nobody holds its lock. *GUI thread*
class Autosave : public QObject {
    Q_OBJECT

public:
    /// `document` must outlive this. The folder is made when it is first needed.
    Autosave(Document& document, QString folder, QObject* parent = nullptr);
    /// Its own file goes: the work was saved or given up.
    ~Autosave() override;

    /// How long after an edit the file is written.
    void setDelay(int milliseconds) { m_timer.setInterval(milliseconds); }
    QString path() const { return m_path; }

    /// The newest file that a crash left behind; empty: none. It is held from now on, so that two
    /// windows do not both offer it.
    QString leftover();
    /// Deletes the left-over file.
    void discardLeftover();

Q_SIGNALS:
    /// The work could not be kept; one sentence, said once.
    void failed(const QString& sentence);

private:
    void follow();
    void write();
    void remove();

    Document& m_document;
    QString m_folder;
    QString m_path;
    QTimer m_timer;
    std::unique_ptr<QLockFile> m_lock;     ///< of our own file, once it is there
    std::unique_ptr<QLockFile> m_leftLock; ///< of the left-over one
    QString m_leftover;
    bool m_hasFailed = false;
};

} // namespace keyaxis
