#include "tests/bench/peer.h"

#include <QFileInfo>
#include <QProcessEnvironment>

namespace keyaxis::bench {

QProcessEnvironment peerEnvironment(int nThreads)
{
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    for (const char* name : {"OPENBLAS_CORETYPE", "OPENBLAS_L2_SIZE"})
        environment.remove(QLatin1String(name));
    for (const char* name : {"OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"})
        environment.insert(QLatin1String(name), QString::number(nThreads));
    environment.insert(QStringLiteral("MPLBACKEND"), QStringLiteral("Agg"));
    return environment;
}

QString python()
{
    const QString debians = QStringLiteral("/usr/bin/python3");
    return QFileInfo(debians).isExecutable() ? debians : QStringLiteral("python3");
}

Peer::Peer(int nThreads, QSize picture)
{
    m_process.setProcessEnvironment(peerEnvironment(nThreads));
    m_process.setProcessChannelMode(QProcess::ForwardedErrorChannel);
    m_process.start(python(), {QStringLiteral(KEYAXIS_SOURCE_DIR "/tests/bench/peer.py"),
                               QString::number(nThreads), QString::number(picture.width()),
                               QString::number(picture.height())});
    m_modules = answer().split(' ').mid(1);
}

Peer::~Peer()
{
    m_process.closeWriteChannel();
    m_process.waitForFinished();
}

Repetition Peer::repetition(const QString& task)
{
    return [this, request = task.toUtf8() + '\n'] {
        m_process.write(request);
        bool isNumber = false;
        const double seconds = answer().toDouble(&isNumber);
        return isNumber ? seconds : -1;
    };
}

/// The next line; empty where the process is gone.
QString Peer::answer()
{
    while (!m_process.canReadLine())
        if (!m_process.waitForReadyRead(120'000))
            return {};
    return QString::fromUtf8(m_process.readLine()).trimmed();
}

} // namespace keyaxis::bench
