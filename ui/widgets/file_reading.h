#pragma once

#include "core/io/attention_file.h"

#include <QString>
#include <functional>
#include <vector>

namespace keyaxis {

/// One way of reading a file that can be read in several.
struct Reading {
    QString label; ///< "1 × 4 × 10 × 16 (batch, heads, tokens, features)"
    ReadingChoices choices;
};

/// Reads q, k, v and what comes with them from `path`.
Result<AttentionFile> readAttentionFile(const QString& path, const ReadingChoices& choices = {});

/// "1 head" or "4 heads": `many` has a place for the number. Both are translated as "Reading".
QString counted(Index n, const char* one, const char* many);

/// "2 examples, 4 heads, 10 tokens, 16 features"; "weights of 1 example, 2 heads, 3 queries, 5
/// keys"
QString sizesLabel(const AttentionFile& file);

/// Reads one file or several under some choices.
using AttentionReader = std::function<Result<AttentionFile>(const ReadingChoices&)>;

/// The readings between which the user must choose where `read` says Ambiguous.
std::vector<Reading> possibleReadings(const AttentionReader& read, const ReadingChoices& choices);

/// The same where `readAttentionFile` says Ambiguous.
std::vector<Reading> possibleReadings(const QString& path, const ReadingChoices& choices);

/// `inputs` with the mask that `path` holds: its tensor called mask, or its only one. One that is
/// added to the scores becomes the bias.
///
/// @errors as `readTensorFile` and `readMask`; BadInput where it does not fit.
Result<Inputs> withMaskFrom(const QString& path, const Inputs& inputs,
                            const ReadingChoices& choices = {});

/// The readings between which the user must choose where `withMaskFrom` says Ambiguous.
std::vector<Reading> possibleMaskReadings(const QString& path, const Inputs& inputs,
                                          const ReadingChoices& choices);

/// The sentence of an error as the window says it: without the options of the command line.
QString sentenceOf(const Error& error);

} // namespace keyaxis
