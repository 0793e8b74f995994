#pragma once

#include "core/io/attention_file.h"
#include "core/proof/verdict.h"

#include <string>

namespace keyaxis {

/// Prints on standard output how the numbers come about: the settings line, `where` (" · batch 0,
/// head 1"; from 0, as typed), and in a second line how the axes were read. The file's notes go to
/// standard error.
void printSettings(const AttentionFile& attention, const std::string& where = {});

/// Prints one line of the table of verdicts: the axis, its rows, and what that means.
void printVerdict(Axis axis, const Verdict& verdict);

/// Prints one sentence on standard error.
void printError(const std::string& sentence);

} // namespace keyaxis
