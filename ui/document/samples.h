#pragma once

#include "core/io/attention_file.h"

#include <QString>
#include <span>

namespace keyaxis {

/// A shipped set of tensors, trained for this project.
struct Sample {
    const char* file;  ///< "tiny_lm_layer2"
    const char* title; ///< untranslated
    const char* tip;
    Index head; ///< the one to look at first
};

std::span<const Sample> samples();

/// The sample that a new window shows.
const Sample& defaultSample();

/// Its tensors, token names and settings.
Result<AttentionFile> readSample(const Sample& sample);

} // namespace keyaxis
