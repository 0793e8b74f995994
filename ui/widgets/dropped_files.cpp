#include "ui/widgets/dropped_files.h"

#include "core/io/attention_names.h"
#include "core/io/delimited_text.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <algorithm>

namespace keyaxis {

namespace {

QString tr(const char* text)
{
    return QCoreApplication::translate("Drop", text);
}

bool isSeparator(QChar c)
{
    return c == '_' || c == '-' || c == '.' || c == ' ';
}

/// How many characters all `names` begin with, up to a separator.
qsizetype sharedStart(const QStringList& names)
{
    qsizetype n = 0;
    const auto agrees = [&](qsizetype at) {
        return std::ranges::all_of(names, [&](const QString& name) {
            return at < name.size() && name[at] == names.front()[at];
        });
    };
    while (agrees(n))
        ++n;
    while (n > 0 && !isSeparator(names.front()[n - 1]))
        --n;
    return n;
}

/// What the tensors of `paths` are called, without what the names of the files have in common.
struct CommonNames {
    QStringList own;  ///< "q", "k"
    QString document; ///< "run1", or the folder's name
};

CommonNames namesOf(const QStringList& paths)
{
    CommonNames names;
    for (const QString& path : paths)
        names.own << QFileInfo(path).completeBaseName();
    const qsizetype nShared = paths.size() > 1 ? sharedStart(names.own) : 0;
    names.document = nShared > 0 ? names.own.front().left(nShared - 1)
                                 : QFileInfo(paths.front()).absoluteDir().dirName();
    for (QString& own : names.own)
        own.remove(0, nShared);
    return names;
}

} // namespace

QString namesOfFiles(const QStringList& paths)
{
    QStringList names;
    for (const QString& path : paths)
        names << QFileInfo(path).fileName();
    const QString last = names.takeLast();
    return names.isEmpty() ? last : tr("%1 and %2").arg(names.join(QLatin1String(", ")), last);
}

std::optional<std::vector<std::string>> tokenNamesIn(const QString& path)
{
    constexpr qint64 kMost = 1 << 18;
    const QString ending = QFileInfo(path).suffix().toLower();
    QFile file(path);
    if (!(ending.isEmpty() || ending == "txt") || !file.open(QIODevice::ReadOnly) ||
        file.size() > kMost)
        return std::nullopt;
    const QByteArray bytes = file.readAll();
    const QByteArray text = bytes.startsWith("\xEF\xBB\xBF") ? bytes.mid(3) : bytes;
    // A faulty file of numbers is refused as one: its lines are no names.
    if (text.contains('\0') || QString::fromUtf8(text).toUtf8() != text ||
        looksDelimited(text.toStdString()) || readTensorFile(path.toStdString()))
        return std::nullopt;
    std::vector<std::string> names;
    for (const QByteArray& line : text.split('\n'))
        names.push_back(line.trimmed().toStdString());
    while (!names.empty() && names.back().empty())
        names.pop_back();
    if (names.empty() || std::ranges::any_of(names, &std::string::empty))
        return std::nullopt;
    return names;
}

Result<Inputs> withTokenNames(const Inputs& inputs, const std::vector<std::string>& names,
                              const QString& label)
{
    const Sizes sizes = sizesOf(inputs);
    const auto n = static_cast<Index>(names.size());
    const TokenNames all(static_cast<std::size_t>(sizes.B), names);
    if (n != sizes.Tq && n != sizes.Tk)
        return fail(Errc::BadInput, tr("%1 names %2 tokens; there are %3 queries and %4 keys.")
                                        .arg(label)
                                        .arg(n)
                                        .arg(sizes.Tq)
                                        .arg(sizes.Tk)
                                        .toStdString());
    Inputs result = inputs;
    if (n == sizes.Tq)
        result.queryTokens = all;
    if (n == sizes.Tk)
        result.keyTokens = all;
    return result;
}

Drop dropOf(const QStringList& paths)
{
    if (paths.size() == 1) {
        const QString name = QFileInfo(paths.front()).fileName();
        if (tokenNamesIn(paths.front()))
            return {Drop::Kind::NameTokens, tr("Drop to name the tokens by %1").arg(name)};
        return {Drop::Kind::Open, tr("Drop to open %1").arg(name)};
    }
    if (!rolesOf(paths).empty())
        return {Drop::Kind::OpenTogether,
                tr("Drop to open %1 as one document").arg(namesOfFiles(paths))};
    return {Drop::Kind::Refuse,
            tr("%1 are no q, k and v by their names: drop one file, or those that belong together.")
                .arg(namesOfFiles(paths))};
}

std::vector<std::pair<QString, QString>> rolesOf(const QStringList& paths)
{
    const QStringList own = namesOf(paths).own;
    TensorFile file;
    for (const QString& name : own)
        file.tensors.push_back({name.toStdString(), ElementType::F32, {}, {}, {}});
    const auto attentions = attentionsIn(file);
    if (attentions.size() != 1 || !attentions.front().isComplete())
        return {};
    const AttentionNames& names = attentions.front();
    std::vector<std::pair<QString, QString>> roles;
    for (const auto& [role, name] :
         {std::pair{"q", &names.q}, std::pair{"scores", &names.scores},
          std::pair{"weights", &names.weights}, std::pair{"k", &names.k}, std::pair{"v", &names.v},
          std::pair{"mask", &names.mask}, std::pair{"bias", &names.bias}})
        // Beside q and k they are somebody's result.
        if (!name->empty() &&
            !(names.hasQueriesAndKeys() && (name == &names.scores || name == &names.weights)))
            roles.emplace_back(QLatin1String(role),
                               paths[own.indexOf(QString::fromStdString(*name))]);
    return roles;
}

Result<AttentionFile> readTogether(const QStringList& paths, const ReadingChoices& choices)
{
    const CommonNames names = namesOf(paths);
    TensorFile joined;
    for (qsizetype n = 0; n < paths.size(); ++n) {
        auto file = readTensorFile(paths[n].toStdString(), choices.file);
        if (!file)
            return tl::unexpected(file.error());
        if (file->tensors.size() != 1)
            return fail(Errc::BadInput, tr("%1 holds %2 tensors, not one: drop it alone.")
                                            .arg(QFileInfo(paths[n]).fileName())
                                            .arg(file->tensors.size())
                                            .toStdString());
        file->tensors.front().name = names.own[n].toStdString();
        joined.tensors.push_back(std::move(file->tensors.front()));
        for (std::string& note : file->notes)
            joined.notes.push_back(std::move(note));
    }
    return readAttention(joined, names.document.toStdString(), choices);
}

} // namespace keyaxis
