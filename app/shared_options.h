#pragma once

#include "app/command_line.h"
#include "app/option_reader.h"

#include <span>
#include <string_view>

namespace keyaxis {

/// The one file that a subcommand works on.
std::filesystem::path readFile(const QStringList& files, OptionReader& reader);

/// What the user says about a file that it does not say itself.
FileChoices readFileChoices(OptionReader& reader);

/// `-o OUT` in a format for tensors.
std::filesystem::path readTensorOutput(OptionReader& reader);

/// `-o OUT` with one of `endings`. What is there and no regular file, such as a pipe, needs none.
std::filesystem::path readOutput(OptionReader& reader, std::span<const std::string_view> endings);

std::optional<Axis> readAxis(const QString& option, OptionReader& reader);

AttentionOptions readAttentionOptions(const QStringList& files, OptionReader& reader);

} // namespace keyaxis
