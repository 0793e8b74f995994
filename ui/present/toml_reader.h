#pragma once

#include "core/tensor.h"
#include "ui/present/lesson_error.h"

#include <QStringList>
#include <initializer_list>
#include <toml++/toml.h>

namespace keyaxis {

/// A parsed block of TOML that stands inside a lesson.
struct TomlBlock {
    toml::table table;
    LessonPlace fence; ///< of the opening fence; line n of the block is n lines below it

    LessonPlace placeOf(const toml::node& node) const
    {
        return fence.atLine(fence.line + static_cast<int>(node.source().begin.line));
    }
};

/// @errors BadInput with the parser's own sentence, at its line.
Result<TomlBlock> parseToml(const QString& text, const LessonPlace& fence);

/// Refuses a key that is not one of `known`, naming the nearest of them where one is near.
Result<void> onlyKnownKeys(const toml::table& table, const TomlBlock& block,
                           const QStringList& known);

/// The readers of one value; each names its line and what was expected.
Result<QString> readString(const toml::node& node, const TomlBlock& block, const QString& key);
Result<bool> readBool(const toml::node& node, const TomlBlock& block, const QString& key);
Result<Index> readIndex(const toml::node& node, const TomlBlock& block, const QString& key);
/// A number, or a string such as "ln 4" or "2/7".
Result<double> readNumber(const toml::node& node, const TomlBlock& block, const QString& key);
Result<std::vector<std::string>> readStrings(const toml::node& node, const TomlBlock& block,
                                             const QString& key);
/// A list of pairs of indices.
Result<std::vector<std::pair<Index, Index>>> readPairs(const toml::node& node,
                                                       const TomlBlock& block, const QString& key);
/// A pair of indices.
Result<std::pair<Index, Index>> readPair(const toml::node& node, const TomlBlock& block,
                                         const QString& key);
/// Nested lists of numbers, two to four deep; fewer axes are rows and columns of one head, or of
/// one example.
Result<Tensor> readTensor(const toml::node& node, const TomlBlock& block, const QString& key);

/// "ln 4", "2/7", "0.5", "-3", "nan"; none for anything else.
std::optional<double> numberOf(const QString& text);

} // namespace keyaxis
