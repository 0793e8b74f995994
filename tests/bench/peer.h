#pragma once

#include "tests/bench/interleaved.h"

#include <QProcess>
#include <QSize>
#include <QString>
#include <QStringList>

namespace keyaxis::bench {

/// The environment of a Python peer: as many threads as ours, and the processor that OpenBLAS finds
/// by itself.
QProcessEnvironment peerEnvironment(int nThreads);

/// The Python that Debian's packages are for, where there is one.
QString python();

/// PyTorch, NumPy and Matplotlib in a child process that times itself, one repetition a request.
class Peer {
public:
    Peer(int nThreads, QSize picture);
    ~Peer();
    Peer(const Peer&) = delete;
    Peer& operator=(const Peer&) = delete;

    bool has(const QString& module) const { return m_modules.contains(module); }
    /// Asks for one repetition of `task`, such as "softmax 2".
    Repetition repetition(const QString& task);

private:
    QString answer();

    QProcess m_process;
    QStringList m_modules;
};

} // namespace keyaxis::bench
