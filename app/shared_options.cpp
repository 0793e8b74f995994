#include "app/shared_options.h"

#include "core/io/tensor_file.h"

#include <system_error>

namespace keyaxis {

namespace {

/// `-o OUT` of the command, empty where it was not given.
std::filesystem::path readOutput(OptionReader& reader)
{
    const auto given = reader.text("output");
    if (!given)
        reader.fail("No file to write was given, as in -o OUT.");
    return given.value_or("");
}

} // namespace

std::filesystem::path readFile(const QStringList& files, OptionReader& reader)
{
    if (files.isEmpty())
        reader.fail("No file to read was given.");
    else if (files.size() > 1)
        reader.fail("One file at a time, but '" + files[0].toStdString() + "' and '" +
                    files[1].toStdString() + "' were given.");
    return files.isEmpty() ? std::string() : files[0].toStdString();
}

FileChoices readFileChoices(OptionReader& reader)
{
    FileChoices choices;
    choices.opaqueType =
        reader.oneOf<ElementType>("opaque", {{"bfloat16", ElementType::BF16},
                                             {"float8_e4m3", ElementType::F8E4M3},
                                             {"float8_e5m2", ElementType::F8E5M2}});
    choices.table.separator = reader.oneOf<char>(
        "separator", {{"comma", ','}, {"semicolon", ';'}, {"tab", '\t'}, {"blank", ' '}});
    choices.table.decimalSign = reader.oneOf<char>("decimal", {{"dot", '.'}, {"comma", ','}});
    return choices;
}

std::filesystem::path readTensorOutput(OptionReader& reader)
{
    const std::filesystem::path output = readOutput(reader);
    if (!reader.error() && !isWritable(output))
        reader.reject("output", "the ending tells the format and may be " + writableEndings());
    return output;
}

std::filesystem::path readOutput(OptionReader& reader, std::span<const std::string_view> endings)
{
    const std::filesystem::path output = readOutput(reader);
    std::error_code ignored;
    const auto status = std::filesystem::status(output, ignored);
    if (std::filesystem::is_other(status) && !output.has_extension())
        return output;

    const QString ending = QString::fromStdString(output.extension().string()).toLower();
    std::string allowed;
    for (const std::string_view possible : endings) {
        if (ending.toStdString() == possible)
            return output;
        allowed += (allowed.empty() ? "" : ", ") + std::string(possible);
    }
    reader.reject("output", "the ending tells the format and may be " + allowed);
    return {};
}

std::optional<Axis> readAxis(const QString& option, OptionReader& reader)
{
    return reader.oneOf<Axis>(
        option,
        {{"key", Axis::Key}, {"query", Axis::Query}, {"batch", Axis::Batch}, {"head", Axis::Head}});
}

AttentionOptions readAttentionOptions(const QStringList& files, OptionReader& reader)
{
    AttentionOptions options;
    options.file = readFile(files, reader);
    options.reading = readFileChoices(reader);
    options.q = reader.text("q");
    options.scores = reader.text("scores");
    options.weights = reader.text("weights");
    options.k = reader.text("k");
    options.v = reader.text("v");
    options.mask = reader.text("mask");
    options.bias = reader.text("bias");
    options.layout = reader.oneOf<Layout>("layout", {{"bhtd", Layout::BHTD},
                                                     {"bthd", Layout::BTHD},
                                                     {"htd", Layout::HTD},
                                                     {"btd", Layout::BTD}});
    options.maskAxes = reader.oneOf<MaskAxes>("mask-axes", {{"qk", MaskAxes::QueryKey},
                                                            {"bk", MaskAxes::BatchKey},
                                                            {"hqk", MaskAxes::HeadQueryKey},
                                                            {"bqk", MaskAxes::BatchQueryKey}});
    options.maskKeeps = reader.oneOf<int>("mask-keeps", {{"1", 1}, {"0", 0}});
    options.layer = reader.text("layer").value_or("");
    options.axis = readAxis("axis", reader);
    options.causal = reader.onOff("causal");
    options.align = reader.oneOf<Align>("align", {{"start", Align::Start}, {"end", Align::End}});
    options.alibi = reader.onOff("alibi");
    options.slopes = reader.oneOf<SlopeRule>(
        "slopes", {{"authors", SlopeRule::Authors}, {"geometric", SlopeRule::Geometric}});
    options.temperature = reader.number<float>("temperature");
    options.scale = reader.text("scale") == "none" ? 1.0 : reader.number<double>("scale");
    options.empty =
        reader.oneOf<EmptySlice>("empty", {{"nan", EmptySlice::Nan}, {"zero", EmptySlice::Zero}});
    return options;
}

} // namespace keyaxis
