#include "app/attention_source.h"

#include "core/io/layers.h"
#include "core/io/tensor_file.h"

#include <system_error>
#include <utility>

namespace keyaxis {

namespace {

namespace fs = std::filesystem;

/// What another file has for `role`: the tensor of that name, or its only one.
Result<RawTensor> tensorFor(const std::string& role, const fs::path& path,
                            const FileChoices& reading)
{
    Result<TensorFile> file = readTensorFile(path, reading);
    if (!file)
        return tl::unexpected(file.error());
    if (const RawTensor* named = file->find(role))
        return *named;
    if (file->tensors.size() == 1)
        return std::move(file->tensors.front());
    return fail(Errc::BadInput, path.string() + " has " + std::to_string(file->tensors.size()) +
                                    " tensors, and none of them is called '" + role + "'.");
}

/// Settles where the tensor of `role` is: `source` is a name in `file`, or a file whose tensor is
/// brought into `file`. Returns the name that it has in `file`.
Result<std::string> located(const std::string& role, const std::string& source, TensorFile& file,
                            const AttentionOptions& options)
{
    if (file.find(source))
        return source;
    std::error_code ignored;
    if (!fs::exists(source, ignored))
        return fail(Errc::BadInput, "--" + role + " " + source + " is neither a tensor in " +
                                        options.file.string() + " nor a file.");
    Result<RawTensor> tensor = tensorFor(role, source, options.reading);
    if (!tensor)
        return tl::unexpected(tensor.error());
    tensor->name = role + " of " + source;
    file.tensors.push_back(std::move(*tensor));
    return file.tensors.back().name;
}

/// Where q is: as the user says, or in the only tensor of the file where k is in another one.
std::string sourceOfQueries(const AttentionOptions& options, const TensorFile& file)
{
    if (options.q)
        return *options.q;
    const bool isLone = options.k && file.tensors.size() == 1 && !file.find("q");
    return isLone ? file.tensors.front().name : "q";
}

/// One of the tensors of attention: what the user said about it, and the name it is then read by.
struct Role {
    std::string name;
    const std::optional<std::string>& given;
    std::string& choice;
};

Result<ReadingChoices> choicesOf(const AttentionOptions& options, TensorFile& file)
{
    ReadingChoices choices;
    choices.layout = options.layout;
    choices.maskAxes = options.maskAxes;
    choices.maskKeeps = options.maskKeeps;
    choices.group = options.layer;
    choices.q = sourceOfQueries(options, file); // before other files add theirs
    const Role roles[] = {{"q", options.q, choices.q},
                          {"k", options.k, choices.k},
                          {"v", options.v, choices.v},
                          {"mask", options.mask, choices.mask},
                          {"bias", options.bias, choices.bias},
                          {"scores", options.scores, choices.scores},
                          {"weights", options.weights, choices.weights}};
    for (const Role& role : roles) {
        if (!role.given)
            continue;
        const auto name = located(role.name, *role.given, file, options);
        if (!name)
            return tl::unexpected(name.error());
        role.choice = *name;
    }
    return choices;
}

/// The file's own settings with those that were given over them.
ScoreSettings settingsOver(ScoreSettings settings, const AttentionOptions& options)
{
    settings.axis = options.axis.value_or(settings.axis);
    settings.causal = options.causal.value_or(settings.causal);
    settings.align = options.align.value_or(settings.align);
    settings.alibi = options.alibi.value_or(settings.alibi);
    settings.slopes = options.slopes.value_or(settings.slopes);
    settings.temperature = options.temperature.value_or(settings.temperature);
    settings.empty = options.empty.value_or(settings.empty);
    if (options.scale)
        settings.scale = options.scale;
    return settings;
}

/// Everything that `options` name, in one file, and how it is to be read.
struct Source {
    TensorFile file;
    ReadingChoices choices;
};

Result<Source> readSource(const AttentionOptions& options)
{
    Result<TensorFile> file = readTensorFile(options.file, options.reading);
    if (!file)
        return tl::unexpected(file.error());
    Result<ReadingChoices> choices = choicesOf(options, *file);
    if (!choices)
        return tl::unexpected(choices.error());
    return Source{std::move(*file), std::move(*choices)};
}

Result<AttentionFile> attentionIn(const Source& source, const AttentionOptions& options)
{
    Result<AttentionFile> attention =
        readAttention(source.file, options.file.filename().string(), source.choices);
    if (!attention)
        return tl::unexpected(attention.error());
    attention->settings = settingsOver(attention->settings, options);
    if (const Result<void> valid = checked(attention->settings); !valid)
        return tl::unexpected(valid.error());
    return attention;
}

} // namespace

Result<AttentionFile> readAttention(const AttentionOptions& options)
{
    return readSource(options).and_then(
        [&](const Source& source) { return attentionIn(source, options); });
}

Result<LayeredFile> readLayers(const AttentionOptions& options)
{
    Result<Source> source = readSource(options);
    if (!source)
        return tl::unexpected(source.error());
    std::vector<std::string> names = layersIn(source->file, source->choices);
    if (names.size() < 2)
        return fail(Errc::BadInput, options.file.string() + " has no layers to be shown side by "
                                                            "side: it holds one attention.");
    if (source->choices.group.empty())
        source->choices.group = names.front();
    Result<AttentionFile> shown = attentionIn(*source, options);
    if (!shown)
        return tl::unexpected(shown.error());
    return LayeredFile{std::move(*shown),
                       {std::make_shared<const TensorFile>(std::move(source->file)),
                        source->choices, options.file.filename().string(), std::move(names)}};
}

Result<void> requireValues(const AttentionFile& attention, const AttentionOptions& options)
{
    if (attention.inputs.v)
        return {};
    return fail(Errc::BadInput, options.file.string() +
                                    " has no v, which the output needs; give it "
                                    "with --v, or choose another --stage.");
}

Result<void> requireScores(const AttentionFile& attention, const AttentionOptions& options)
{
    if (!attention.inputs.weights)
        return {};
    return fail(Errc::BadInput,
                options.file.string() +
                    " was read as weights, and there is nothing before them; choose "
                    "--stage weights or output, or say --scores.");
}

} // namespace keyaxis
