#pragma once

#include <QProcess>
#include <QString>
#include <QStringList>

namespace keyaxis::testing {

/// What one run of the program left.
struct Run {
    int exitCode = -1;
    bool crashed = false;
    QString output;
    QString errors;
};

/// Runs the built program with `arguments` under an environment of only `variables`
/// ("LC_ALL=de_DE").
inline Run runProgram(const QStringList& arguments, const QStringList& variables = {},
                      const QString& folder = {})
{
    QProcess process;
    process.setWorkingDirectory(folder);
    // QProcess itself keeps PATH; env -i keeps nothing.
    process.start("/usr/bin/env",
                  QStringList("-i") + variables + QStringList(KEYAXIS_PROGRAM) + arguments);
    process.waitForFinished(120'000);
    return {process.exitCode(), process.exitStatus() == QProcess::CrashExit,
            QString::fromUtf8(process.readAllStandardOutput()),
            QString::fromUtf8(process.readAllStandardError())};
}

/// Runs the program under a limit of its address space.
inline Run runWithin(int megabytes, const QStringList& arguments)
{
    QProcess shell;
    shell.start("/bin/sh", QStringList{"-c", "ulimit -v $0; exec \"$@\"",
                                       QString::number(megabytes * 1024), KEYAXIS_PROGRAM} +
                               arguments);
    shell.waitForFinished(120'000);
    return {shell.exitCode(), shell.exitStatus() == QProcess::CrashExit,
            QString::fromUtf8(shell.readAllStandardOutput()),
            QString::fromUtf8(shell.readAllStandardError())};
}

inline QString samplePath(const QString& name)
{
    return QStringLiteral(KEYAXIS_SOURCE_DIR "/resources/samples/%1.safetensors").arg(name);
}

} // namespace keyaxis::testing
