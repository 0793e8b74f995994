#pragma once

#include <QDirIterator>
#include <QFile>
#include <QStringList>

namespace keyaxis::testing {

/// One text file of the project, by its path from the root.
struct SourceFile {
    QString path; ///< "core/axis.h"
    QString text;
};

/// Every text file below the rooms whose name ends in one of `endings`, sorted by path.
inline std::vector<SourceFile> sourceFiles(const QStringList& endings)
{
    const QDir root(QStringLiteral(KEYAXIS_SOURCE_DIR));
    QStringList paths;
    for (const char* room : {"core", "ui", "app", "tests", "resources"}) {
        QDirIterator walk(root.filePath(QLatin1String(room)), QDir::Files,
                          QDirIterator::Subdirectories);
        while (walk.hasNext())
            paths.append(root.relativeFilePath(walk.next()));
    }
    for (const QString& name : root.entryList(QDir::Files | QDir::Hidden))
        paths.append(name);
    paths.sort();

    std::vector<SourceFile> files;
    for (const QString& path : paths) {
        const bool wanted = std::any_of(endings.begin(), endings.end(),
                                        [&](const QString& end) { return path.endsWith(end); });
        QFile file(root.filePath(path));
        if (wanted && file.open(QIODevice::ReadOnly))
            files.push_back({path, QString::fromUtf8(file.readAll())});
    }
    return files;
}

} // namespace keyaxis::testing
