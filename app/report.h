#pragma once

#include "core/io/attention_file.h"
#include "core/proof/verdict.h"

#include <filesystem>
#include <string>
#include <vector>

namespace keyaxis {

/// Prints how the numbers come about: the settings line, `where` (" · batch 0,
/// head 1"; from 0, as typed), and in a second line how the axes were read. The file's notes go to
/// standard error, and so does everything where `output`, the file that is written, is standard
/// output itself.
void printSettings(const AttentionFile& attention, const std::filesystem::path& output,
                   const std::string& where = {});

/// Prints what the user should know about a file on standard error.
void printNotes(const std::vector<std::string>& notes);

/// Prints one line of the table of verdicts: the axis, its rows, and what that means.
void printVerdict(Axis axis, const Verdict& verdict);

/// Prints one sentence on standard error.
void printError(const std::string& sentence);

} // namespace keyaxis
