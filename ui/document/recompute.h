#pragma once

#include "core/job_runner.h"
#include "ui/document/document.h"

#include <QObject>
#include <memory>

namespace keyaxis {

/// Keeps a document's results up to date from a worker thread; the newest request wins and the
/// window never waits. *GUI thread*
///
/// What is looked at comes first: the slice under all four axes. The certificate of every row under
/// the present axis follows from the same job.
class Recompute : public QObject {
    Q_OBJECT

public:
    /// `document` must outlive this.
    explicit Recompute(Document& document, QObject* parent = nullptr);
    ~Recompute() override;

    bool isBusy() const { return m_isBusy; }

Q_SIGNALS:
    /// A computation ended with an error other than a newer request; one sentence.
    void failed(const QString& sentence);
    void busyChanged(bool isBusy);

private:
    void onChanged(Changes changes);
    void request();
    void arrive(quint64 generation, std::shared_ptr<const Results> results, bool isLast);
    void giveUp(quint64 generation, const QString& sentence);

    Document& m_document;
    quint64 m_generation = 0;
    Index m_batch = -1; ///< of the newest request, which need not have arrived yet
    Index m_head = -1;
    bool m_keepsLayers = false;
    KeptMaps m_keeps;
    bool m_isBusy = false;
    std::shared_ptr<KeptAttention> m_kept; ///< touched by jobs only, one at a time
    JobRunner m_runner;                    ///< last: joined before anything a job may touch goes
};

} // namespace keyaxis
