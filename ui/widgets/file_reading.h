#pragma once

#include "core/io/attention_file.h"

#include <QString>
#include <vector>

namespace keyaxis {

/// One way of reading a file that can be read in several.
struct Reading {
    QString label; ///< "1 × 4 × 10 × 16 (batch, heads, tokens, features)"
    ReadingChoices choices;
};

/// Reads q, k, v and what comes with them from `path`.
Result<AttentionFile> readAttentionFile(const QString& path, const ReadingChoices& choices = {});

/// The readings between which the user must choose where `readAttentionFile` says Ambiguous.
std::vector<Reading> possibleReadings(const QString& path, const ReadingChoices& choices);

/// The sentence of an error as the window says it: without the options of the command line.
QString sentenceOf(const Error& error);

} // namespace keyaxis
