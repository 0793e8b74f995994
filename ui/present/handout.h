#pragma once

#include "ui/present/lesson.h"

#include <filesystem>
#include <stop_token>

namespace keyaxis {

/// What a hand-out shows.
struct HandoutOptions {
    bool hasAnswers = false; ///< everything revealed; otherwise questions and blanks are open
    bool hasNotes = false;   ///< the speaker's notes, below each step
    int nPerPage = 1;        ///< 1, 2 or 4 steps on a page
};

/// Writes `lesson` by `path`'s ending. A regular file is replaced as a whole.
///
///   .pdf  pages in A4, light, text as text; legible in black and white
///   .txt  its questions for a learning platform, in the Aiken format, which holds the right
///   answers
///
/// @errors BadValue for another ending or number a page, or a .txt of a lesson without questions;
///         Cancelled on stop; BadOutput where the file cannot be written.
Result<void> writeHandout(const Lesson& lesson, const HandoutOptions& options,
                          const std::filesystem::path& path, std::stop_token stop = {});

/// The questions as plain text:
///
///     What is asked
///     A. one answer
///     B. another
///     ANSWER: B
QString questionsAsText(const Lesson& lesson);

} // namespace keyaxis
