#include "ui/paint/stage_words.h"

#include <optional>

namespace keyaxis {

namespace {

StageWords scaledWords(const Inputs& inputs, const ScoreSettings& settings)
{
    const bool isWithoutWidth = !settings.scale && !inputs.q; // of loaded scores: no scale
    if (isWithoutWidth)
        return {Label(QStringLiteral("× 1")), QStringLiteral("off"),
                QStringLiteral("The scores times the scale"), true};
    const Label name = settings.scale ? Label(QStringLiteral("× %1").arg(QString::fromStdString(
                                            shortest(static_cast<float>(*settings.scale)))))
                                      : Label(QStringLiteral("÷ √d")).sub(QStringLiteral("k"));
    return {name, QStringLiteral("scaled"), QStringLiteral("The scores times the scale"),
            settings.scale == 1.0};
}

StageWords biasedWords(const Inputs& inputs, const ScoreSettings& settings)
{
    const bool hasBias = inputs.bias != nullptr;
    const QString name = !hasBias         ? QStringLiteral("+ ALiBi")
                         : settings.alibi ? QStringLiteral("+ bias + ALiBi")
                                          : QStringLiteral("+ bias");
    const bool isOff = !settings.alibi && !hasBias;
    return {Label(name), isOff ? QStringLiteral("off") : QStringLiteral("biased"),
            QStringLiteral("A loaded bias and ALiBi are added to the scaled scores"), isOff};
}

} // namespace

namespace {

/// What stands where scores or weights were loaded in place of Q and K.
std::optional<StageWords> givenWords(const Inputs& inputs, Stage stage)
{
    if (inputs.scores && stage == Stage::Scores)
        return StageWords{Label(QStringLiteral("scores")), QStringLiteral("as loaded"),
                          QStringLiteral("The scores of the file; there are no Q and K"), false};
    if (!inputs.weights || stage == Stage::Output)
        return std::nullopt;
    if (stage == Stage::Weights)
        return StageWords{Label(QStringLiteral("weights")), QStringLiteral("as loaded"),
                          QStringLiteral("The weights of the file: nothing was computed"), false};
    return StageWords{Label(QStringLiteral("–")), QStringLiteral("not in the file"),
                      QStringLiteral("Loaded weights do not tell what was before them"), true,
                      true};
}

} // namespace

StageWords stageWords(const Inputs& inputs, const ScoreSettings& settings, Stage stage)
{
    if (auto words = givenWords(inputs, stage))
        return *std::move(words);
    const bool isMasked = settings.causal || inputs.mask || inputs.bias;
    switch (stage) {
    case Stage::Scores:
        return {Label(QStringLiteral("Q K")).super(QStringLiteral("T")), QStringLiteral("scores"),
                QStringLiteral("Every query times every key, raw"), false};
    case Stage::Scaled:
        return scaledWords(inputs, settings);
    case Stage::Biased:
        return biasedWords(inputs, settings);
    case Stage::Tempered:
        return {
            Label(QStringLiteral("÷ τ")),
            QStringLiteral("τ = %1").arg(QString::fromStdString(shortest(settings.temperature))),
            settings.temperature == 0.0F
                ? QStringLiteral("τ = 0 is a limit: the values are shown undivided")
                : QStringLiteral("Scores and bias divided by the temperature"),
            settings.temperature == 1.0F};
    case Stage::Logits:
        return {Label(QStringLiteral("mask")),
                isMasked ? QStringLiteral("logits") : QStringLiteral("off"),
                QStringLiteral("-∞ replaces the value of a key that is not allowed"), !isMasked};
    case Stage::Weights:
        return {
            Label(QStringLiteral("softmax")),
            QStringLiteral("over %1").arg(QString::fromLatin1(names(settings.axis).members.data())),
            QStringLiteral("Each slice along the axis is normalised to 1"), false};
    case Stage::Output:
        break;
    }
    return {Label(QStringLiteral("· V")),
            inputs.v ? QStringLiteral("output") : QStringLiteral("no V"),
            QStringLiteral("The weights times the value rows"), inputs.v == nullptr};
}

} // namespace keyaxis
