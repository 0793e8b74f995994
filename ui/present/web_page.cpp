#include "ui/present/web_page.h"

#include "core/attention/alibi.h"
#include "core/attention/attention.h"
#include "core/attention/masked.h"
#include "core/attention/scores.h"
#include "core/io/file_bytes.h"
#include "ui/paint/color_map.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <cmath>

namespace keyaxis {

namespace {

constexpr Index kMostScores = 16384; ///< above it a page answers too slowly

/// What no JSON number can say is a text that the page turns back into one.
QJsonValue valueOf(float value)
{
    if (std::isnan(value))
        return QStringLiteral("NaN");
    if (std::isinf(value))
        return value > 0 ? QStringLiteral("Infinity") : QStringLiteral("-Infinity");
    return static_cast<double>(value);
}

/// Names of each example, none where the document has none.
QJsonArray namesOf(const TokenNames& tokens)
{
    QJsonArray examples;
    for (const auto& example : tokens) {
        QJsonArray names;
        for (const std::string& token : example)
            names.append(QString::fromStdString(token));
        examples.append(names);
    }
    return examples;
}

/// Scaled and biased scores without ALiBi, and what the document's own mask allows: flat, in order
/// (b, h, i, j).
Result<void> addScores(const StepState& state, const Sizes& sizes, QJsonObject& data)
{
    ScoreSettings settings = state.settings;
    settings.axis = Axis::Key;
    settings.alibi = settings.causal = false; // the page adds them
    QJsonArray scores;
    QJsonArray allowed;
    for (Index b = 0; b < sizes.B; ++b) {
        for (Index h = 0; h < sizes.H; ++h) {
            const auto stages = attendSlice(state.inputs, settings, b, h);
            if (!stages)
                return tl::unexpected(stages.error());
            const Matrix& biased = stages->before->biased;
            for (Index n = 0; n < biased.size(); ++n) {
                scores.append(valueOf(biased.data()[n]));
                allowed.append(stages->before->logits.data()[n] == kMasked ? 0 : 1);
            }
        }
    }
    data["scores"] = scores;
    data["allowed"] = allowed;
    return {};
}

void addSettings(const StepState& state, const Sizes& sizes, QJsonObject& data)
{
    const ScoreSettings& s = state.settings;
    data["axis"] = QString::fromUtf8(names(s.axis).name.data());
    data["causal"] = s.causal;
    data["alibi"] = s.alibi;
    data["tau"] = static_cast<double>(s.temperature);
    data["emptyIsZero"] = s.empty == EmptySlice::Zero;
    data["offset"] = static_cast<double>(offsetOf(s, sizes));
    data["batch"] = static_cast<double>(state.batch);
    data["head"] = static_cast<double>(state.head);
    QJsonArray slopes;
    for (const float slope : alibiSlopes(sizes.H, s.slopes))
        slopes.append(static_cast<double>(slope));
    data["slopes"] = slopes;
    QJsonArray colors;
    const ColorMap map(Palette::Viridis, Range{});
    for (int n = 0; n < 256; ++n)
        colors.append(map.step(n).name());
    data["colors"] = colors;
}

} // namespace

Result<QByteArray> webPage(const StepState& state)
{
    const Sizes sizes = sizesOf(state.inputs);
    if (sizes.weights().size() > kMostScores)
        return fail(Errc::BadInput, "A page computes up to " + std::to_string(kMostScores) +
                                        " scores while it is read; this document has " +
                                        std::to_string(sizes.weights().size()) + ".");
    QJsonObject data;
    data["name"] = QString::fromStdString(state.inputs.name);
    data["examples"] = static_cast<double>(sizes.B);
    data["heads"] = static_cast<double>(sizes.H);
    data["queries"] = static_cast<double>(sizes.Tq);
    data["keys"] = static_cast<double>(sizes.Tk);
    data["queryTokens"] = namesOf(state.inputs.queryTokens);
    data["keyTokens"] = namesOf(state.inputs.keyTokens);
    addSettings(state, sizes, data);
    if (const auto done = addScores(state, sizes, data); !done)
        return tl::unexpected(done.error());

    QByteArray json = QJsonDocument(data).toJson(QJsonDocument::Compact);
    json.replace("<", "\\u003c"); // so that no name can end the script that holds it
    QFile page(QStringLiteral(":/web/page.html"));
    page.open(QIODevice::ReadOnly); // compiled in: it is there
    return page.readAll().replace("@DATA@", json);
}

Result<void> writeWebPage(const StepState& state, const std::filesystem::path& path)
{
    const auto page = webPage(state);
    if (!page)
        return tl::unexpected(page.error());
    return writeBytes(path, bytesOf(page->toStdString()));
}

} // namespace keyaxis
