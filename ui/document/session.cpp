#include "ui/document/session.h"

#include <array>
#include <charconv>
#include <utility>

namespace keyaxis {

namespace {

constexpr std::array<std::pair<ViewSettings::Mode, const char*>, 5> kModes{
    {{ViewSettings::Mode::Compare, "compare"},
     {ViewSettings::Mode::Single, "single"},
     {ViewSettings::Mode::Heads, "heads"},
     {ViewSettings::Mode::Difference, "difference"},
     {ViewSettings::Mode::Layers, "layers"}}};

constexpr std::array<std::pair<bool, const char*>, 2> kYesNo{{{true, "yes"}, {false, "no"}}};

constexpr std::array<std::pair<Stage, const char*>, 7> kStages{{{Stage::Scores, "scores"},
                                                                {Stage::Scaled, "scaled"},
                                                                {Stage::Biased, "biased"},
                                                                {Stage::Tempered, "tempered"},
                                                                {Stage::Logits, "logits"},
                                                                {Stage::Weights, "weights"},
                                                                {Stage::Output, "output"}}};

template <typename Table, typename Value>
const char* wordOf(const Table& table, Value value)
{
    for (const auto& [each, word] : table)
        if (each == value)
            return word;
    return "";
}

template <typename Table, typename Value>
void readWord(const Table& table, const std::map<std::string, std::string>& words,
              const std::string& key, Value& into)
{
    const auto found = words.find(key);
    for (const auto& [each, word] : table)
        if (found != words.end() && found->second == word)
            into = each;
}

void readIndex(const std::map<std::string, std::string>& words, const std::string& key, Index& into)
{
    const auto found = words.find(key);
    Index value = 0;
    if (found == words.end())
        return;
    const char* end = found->second.data() + found->second.size();
    const auto read = std::from_chars(found->second.data(), end, value);
    if (read.ec == std::errc() && read.ptr == end && value >= 0)
        into = value;
}

} // namespace

std::map<std::string, std::string> viewWords(const ViewSettings& view)
{
    std::map<std::string, std::string> words{{"batch", std::to_string(view.batch)},
                                             {"head", std::to_string(view.head)},
                                             {"mode", wordOf(kModes, view.mode)},
                                             {"stage", wordOf(kStages, view.stage)}};
    if (view.reference)
        words["reference"] = names(*view.reference).name;
    words["sort_heads"] = wordOf(kYesNo, view.sortsHeads);
    words["mean_head"] = wordOf(kYesNo, view.showsMean);
    words["leave_out_padding"] = wordOf(kYesNo, view.leavesOutPadding);
    if (view.crop) {
        const CellCrop& crop = *view.crop;
        for (const auto& [key, index] : {std::pair{"first_query", crop.firstQuery},
                                         {"end_query", crop.endQuery},
                                         {"first_key", crop.firstKey},
                                         {"end_key", crop.endKey}})
            words[key] = std::to_string(index);
    }
    return words;
}

ViewSettings viewFrom(const std::map<std::string, std::string>& words, ViewSettings view)
{
    readIndex(words, "batch", view.batch);
    readIndex(words, "head", view.head);
    readWord(kModes, words, "mode", view.mode);
    readWord(kStages, words, "stage", view.stage);
    readWord(kYesNo, words, "sort_heads", view.sortsHeads);
    readWord(kYesNo, words, "mean_head", view.showsMean);
    readWord(kYesNo, words, "leave_out_padding", view.leavesOutPadding);
    CellCrop crop;
    readIndex(words, "first_query", crop.firstQuery);
    readIndex(words, "end_query", crop.endQuery);
    readIndex(words, "first_key", crop.firstKey);
    readIndex(words, "end_key", crop.endKey);
    if (crop != CellCrop())
        view.crop = crop;
    if (const auto found = words.find("reference"); found != words.end())
        if (const auto axis = axisNamed(found->second))
            view.reference = axis;
    return view;
}

Session sessionOf(const Document& document)
{
    Session session;
    session.inputs = document.inputs();
    session.settings = document.settings();
    session.view = viewWords(document.view());
    session.source = document.filePath().toStdString();
    return session;
}

Result<void> saveDocument(Document& document, const std::filesystem::path& path)
{
    if (auto written = writeSession(path, sessionOf(document)); !written)
        return written;
    document.markSaved(QString::fromStdString(path.string()));
    return {};
}

} // namespace keyaxis
