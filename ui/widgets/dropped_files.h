#pragma once

#include "core/io/attention_file.h"

#include <QString>
#include <QStringList>
#include <optional>
#include <utility>
#include <vector>

namespace keyaxis {

/// What dropping some files on the window does.
struct Drop {
    enum class Kind { Open, OpenTogether, NameTokens, Refuse };
    Kind kind = Kind::Open;
    QString sentence; ///< "Drop to open q.npy, k.npy and v.npy as one document"
};

/// What will happen to `paths`, told by their names; a small text is looked into.
///
/// @param paths  at least one.
Drop dropOf(const QStringList& paths);

/// "q.npy, k.npy and v.npy"
QString namesOfFiles(const QStringList& paths);

/// What each of `paths` holds by its name, such as {"k", "run1_k.npy"}; q, or what stands in its
/// place, comes first. Empty where they are not one attention.
std::vector<std::pair<QString, QString>> rolesOf(const QStringList& paths);

/// q, k, v, a mask or a bias that lie in files of their own, by the names of the files:
/// "run1_q.npy" and "run1_k.npy" are q and k.
///
/// @errors as `readTensorFile` and `readAttention`.
Result<AttentionFile> readTogether(const QStringList& paths, const ReadingChoices& choices = {});

/// Names of tokens, one a line; nothing where `path` is something else: too large, binary, or a
/// file of numbers.
std::optional<std::vector<std::string>> tokenNamesIn(const QString& path);

/// `inputs` with its tokens called `names` in every example: the queries, the keys, or both,
/// whichever they are as many as.
///
/// @errors BadInput naming the counts where they are as many as neither.
Result<Inputs> withTokenNames(const Inputs& inputs, const std::vector<std::string>& names,
                              const QString& label);

} // namespace keyaxis
