#include "app/convert.h"

#include "app/report.h"
#include "core/io/settings_metadata.h"
#include "core/io/tensor_file.h"

namespace keyaxis {

namespace {

/// `file` with only the tensor called `name`.
Result<TensorFile> onlyTensor(TensorFile file, const std::string& name, const std::string& path)
{
    std::string names;
    for (const RawTensor& tensor : file.tensors)
        names += (names.empty() ? "" : ", ") + tensor.name;
    for (const auto& [skipped, why] : file.skipped)
        if (skipped == name)
            return tl::unexpected(why);
    const RawTensor* found = file.find(name);
    if (!found)
        return fail(Errc::BadValue, path + " has no tensor '" + name + "'; it holds " +
                                        (names.empty() ? "none" : names) + ".");
    TensorFile only{{*found}, {}, std::move(file.notes)};
    return only;
}

/// The settings of a session become metadata where the format has room for that, and it is said
/// what is not kept.
Result<void> keepSettings(TensorFile& file, const ConvertCommand& command)
{
    const std::string output = command.output.string();
    const std::string session = "the session " + command.file.string();
    if (!holdsMetadata(command.output)) {
        printNotes({output + " has no room for the settings of " + session + "."});
        return {};
    }
    const auto state = parseSession(file.session, command.file.string());
    if (!state)
        return tl::unexpected(state.error());
    file.metadata.merge(settingsMetadata(*state));
    printNotes({output + " keeps the settings and token names of " + session +
                " as metadata; what was looked at is dropped."});
    return {};
}

} // namespace

Result<void> convert(const ConvertCommand& command)
{
    Result<TensorFile> file = readTensorFile(command.file, command.reading);
    if (file && command.tensor)
        file = onlyTensor(std::move(*file), *command.tensor, command.file.string());
    if (!file)
        return tl::unexpected(file.error());
    // Every tensor is kept, or none is written.
    if (!file->skipped.empty())
        return tl::unexpected(file->skipped.begin()->second);
    printNotes(file->notes);
    if (file->tensors.empty())
        return fail(Errc::BadInput, command.file.string() + " holds no tensors.");
    if (!holdsMetadata(command.output) && !file->metadata.empty())
        printNotes({command.output.string() + " has no room for the metadata of " +
                    command.file.string() + "."});
    if (!holdsSession(command.output) && !file->session.empty())
        if (const auto kept = keepSettings(*file, command); !kept)
            return kept;
    return writeTensorFile(command.output, *file);
}

} // namespace keyaxis
