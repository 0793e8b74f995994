#include "app/check.h"

#include "app/checked_tensor.h"
#include "app/exit_code.h"
#include "app/report.h"
#include "core/settings.h"

#include <algorithm>
#include <cmath>
#include <iostream>
#include <nlohmann/json.hpp>

namespace keyaxis {

namespace {

using Json = nlohmann::ordered_json; // fields in the order in which they are documented

const char* alignmentOf(Triangle triangle)
{
    return triangle == Triangle::Start ? "start" : triangle == Triangle::End ? "end" : nullptr;
}

Json numberOrNull(double value)
{
    return std::isfinite(value) ? Json(value) : Json(nullptr);
}

/// How far a sum may be from 1; of an output, a number from what explains it.
double toleranceOf(const CheckedTensor& checked)
{
    return checked.findings.sums.empty() && checked.replayed ? checked.replayed->replay.tolerance
                                                             : checked.findings.tolerance;
}

Json jsonOf(const CheckedTensor& checked, const CheckCommand& command)
{
    const Findings& findings = checked.findings;
    const char* align = alignmentOf(findings.triangle);
    Json json{{"file", checked.file},   {"tensor", checked.tensor},
              {"shape", checked.shape}, {"dims", checked.dims},
              {"dtype", checked.dtype}, {"tolerance", toleranceOf(checked)},
              {"axes", Json::object()}, {"causal", align != nullptr}};
    for (const AxisSums& sums : findings.sums)
        json["axes"][sums.axes.name()] = {{"max_deviation", numberOrNull(sums.largestDeviation)},
                                          {"holds", sums.holds}};
    json["align"] = align ? Json(align) : Json(nullptr);
    json["min"] = numberOrNull(findings.smallest);
    json["max"] = numberOrNull(findings.largest);
    json["nan"] = findings.nNan;
    json["findings"] = findings.sentences;
    json["expect"] = command.expect ? Json(command.expect->name()) : Json(nullptr);
    json["holds"] = checked.holds;
    if (checked.replayed) {
        for (const std::string& sentence : wordsOf(*checked.replayed))
            json["findings"].push_back(sentence);
        json["replay"] = jsonOf(*checked.replayed);
    }
    return json;
}

void printSums(const AxisSums& sums)
{
    std::string name = sums.axes.name();
    name.resize(std::max<std::size_t>(name.size(), 6), ' ');
    std::cout << "  " << (sums.holds ? "✓ " : "✗ ") << name << ' ' << sumsText(sums) << '\n';
}

/// What was expected, in words: "key, causal (end)"; empty where nothing was.
std::string expectationOf(const CheckCommand& command)
{
    std::string text = command.expect ? command.expect->name() : "";
    if (command.causal)
        text += text.empty() ? "causal" : ", causal";
    if (command.align)
        text += *command.align == Align::Start ? " (start)" : " (end)";
    return text;
}

/// The findings in words: the single axes always, a set of several where it holds.
void print(const CheckedTensor& checked, const CheckCommand& command)
{
    std::cout << checked.file << ": " << checked.tensor << ' ' << shapeText(checked.shape) << ' '
              << checked.dtype;
    if (!checked.dims.empty())
        std::cout << ", read as " << checked.dims;
    std::cout << ", tolerance " << shortest(toleranceOf(checked));
    if (!checked.toleranceOf.empty())
        std::cout << " (" << checked.toleranceOf << ')';
    std::cout << '\n';
    for (const AxisSums& sums : checked.findings.sums) {
        const bool isSingle = sums.axes.name().find('+') == std::string::npos;
        if (isSingle || sums.holds || sums.axes == command.expect)
            printSums(sums);
    }
    for (const std::string& sentence : checked.findings.sentences)
        std::cout << "  " << sentence << '\n';
    if (checked.replayed)
        for (const std::string& line : wordsOf(*checked.replayed))
            std::cout << "  " << line << '\n';
    if (!checked.notReplayed.empty())
        std::cout << "  Not replayed from q and k: " << checked.notReplayed << '\n';
    const std::string expectation = expectationOf(command);
    if (expectation.empty())
        return;
    std::cout << "  " << (checked.holds ? "As expected: " : "Not as expected: ") << expectation;
    const bool isSummed = command.expect && !checked.findings.sums.empty();
    const AxisSums* expected = isSummed ? &checked.findings.along(*command.expect) : nullptr;
    if (expected && expected->holds && expected->nUndefined > 0)
        std::cout << ", for undefined sums are no distributions";
    std::cout << ".\n";
}

} // namespace

int check(const CheckCommand& command)
{
    int code = 0;
    Json all = Json::array();
    for (const std::string& file : command.files) {
        const Result<CheckedTensor> checked = checkedTensor(file, command);
        if (!checked) {
            printError(checked.error().message);
            code = std::max(code, exitCode(checked.error().code));
            continue;
        }
        code = std::max(code, checked->holds ? 0 : 1);
        if (command.asJson)
            all.push_back(jsonOf(*checked, command));
        else
            print(*checked, command);
    }
    // Names come from files and may be any bytes; JSON is UTF-8.
    const auto text = [](const Json& json) {
        return json.dump(2, ' ', false, Json::error_handler_t::replace);
    };
    if (command.asJson && (command.files.size() > 1 || !all.empty()))
        std::cout << text(command.files.size() > 1 ? all : all.front()) << '\n';
    return code;
}

} // namespace keyaxis
