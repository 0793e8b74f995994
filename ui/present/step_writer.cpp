#include "ui/present/step_writer.h"

#include "core/io/file_bytes.h"

#include <QFileInfo>
#include <cmath>

namespace keyaxis {

namespace {

constexpr Index kMostNumbers = 4096; ///< of one tensor: what a person scrolls past in a text

QString numberText(float value)
{
    if (std::isnan(value))
        return QStringLiteral("nan");
    return QString::fromStdString(shortest(value));
}

/// "[[0.5, 1.0], [2.0, 3.0]]" of one slice.
QString sliceText(const MatrixView& slice)
{
    QStringList rows;
    for (Index i = 0; i < slice.rows(); ++i) {
        QStringList numbers;
        for (Index j = 0; j < slice.cols(); ++j)
            numbers += numberText(slice(i, j));
        rows += '[' + numbers.join(QStringLiteral(", ")) + ']';
    }
    return '[' + rows.join(QStringLiteral(", ")) + ']';
}

/// All four axes, a line for each head.
QString tensorText(const Tensor& tensor)
{
    QStringList examples;
    for (Index b = 0; b < tensor.shape().batch; ++b) {
        QStringList heads;
        for (Index h = 0; h < tensor.shape().heads; ++h)
            heads += sliceText(tensor.slice(b, h));
        examples += '[' + heads.join(QStringLiteral(",\n  ")) + ']';
    }
    return '[' + examples.join(QStringLiteral(",\n ")) + ']';
}

/// A TOML string: quotes, backslashes and control characters escaped.
QString quoted(const std::string& text)
{
    QString escaped;
    for (const QChar c : QString::fromStdString(text)) {
        if (c == '"' || c == '\\')
            escaped += '\\';
        if (c.unicode() < 0x20 || c.unicode() == 0x7f)
            escaped += QStringLiteral("\\u%1").arg(c.unicode(), 4, 16, QLatin1Char('0'));
        else
            escaped += c;
    }
    return '"' + escaped + '"';
}

QString namesText(const TokenNames& names)
{
    QStringList examples;
    for (const auto& example : names) {
        QStringList tokens;
        for (const std::string& token : example)
            tokens += quoted(token);
        examples += '[' + tokens.join(QStringLiteral(", ")) + ']';
    }
    return '[' + examples.join(QStringLiteral(", ")) + ']';
}

QString nameOf(Stage stage)
{
    static const QStringList names{"scores", "scaled",  "biased", "tempered",
                                   "logits", "weights", "output"};
    return names[static_cast<qsizetype>(stage)];
}

QString inputLines(const Inputs& inputs)
{
    QString lines;
    const std::initializer_list<std::pair<const char*, const SharedTensor*>> tensors{
        {"q", &inputs.q}, {"k", &inputs.k},       {"logits", &inputs.scores},
        {"v", &inputs.v}, {"mask", &inputs.mask}, {"bias", &inputs.bias}};
    for (const auto& [key, tensor] : tensors)
        if (*tensor)
            lines += QStringLiteral("%1 = %2\n").arg(QLatin1String(key), tensorText(**tensor));
    if (!inputs.queryTokens.empty())
        lines += "query_tokens = " + namesText(inputs.queryTokens) + '\n';
    if (!inputs.keyTokens.empty())
        lines += "key_tokens = " + namesText(inputs.keyTokens) + '\n';
    return lines;
}

/// What differs from the defaults of new inputs.
QString settingLines(const StepState& state)
{
    const ScoreSettings& s = state.settings;
    const ScoreSettings usual;
    QString lines;
    const auto add = [&](bool isUnusual, const char* key, const QString& value) {
        if (isUnusual)
            lines += QStringLiteral("%1 = %2\n").arg(QLatin1String(key), value);
    };
    add(true, "axis", quoted(std::string(names(s.axis).name)));
    add(s.causal, "causal", "true");
    add(s.align != usual.align, "align", "\"end\"");
    add(s.alibi, "alibi", "true");
    add(s.slopes != usual.slopes, "slopes", "\"geometric\"");
    add(s.temperature != usual.temperature, "tau", numberText(s.temperature));
    add(s.scale.has_value(), "scale", QString::fromStdString(shortest(s.scale.value_or(1))));
    add(s.empty != usual.empty, "empty", "\"zero\"");
    add(state.batch != 0, "batch", QString::number(state.batch));
    add(state.head != 0, "head", QString::number(state.head));
    add(state.picture == StepState::Picture::Compare, "view", "\"compare\"");
    add(state.picture == StepState::Picture::None, "view", "\"none\"");
    add(state.stage != Stage::Weights, "stage", '"' + nameOf(state.stage) + '"');
    if (state.highlight)
        add(true, "highlight",
            QStringLiteral("[%1, %2]").arg(state.highlight->row).arg(state.highlight->col));
    if (state.plane)
        add(true, "plane", QString::number(*state.plane));
    return lines;
}

} // namespace

Result<QString> stepText(const StepState& state, const QString& title)
{
    if (state.inputs.weights)
        return fail(Errc::BadInput, "A lesson computes its weights; those of this document were "
                                    "loaded, and there are no scores to compute them from.");
    for (const SharedTensor& tensor : {state.inputs.q, state.inputs.k, state.inputs.scores,
                                       state.inputs.v, state.inputs.mask, state.inputs.bias})
        if (tensor && tensor->size() > kMostNumbers)
            return fail(Errc::BadInput,
                        "A tensor of " + std::to_string(tensor->size()) +
                            " numbers is too large for a lesson, which is a text; " +
                            std::to_string(kMostNumbers) + " are the limit.");
    return QStringLiteral("## %1\n\n```toml\n%2%3```\n")
        .arg(title, inputLines(state.inputs), settingLines(state));
}

Result<void> saveAsStep(const QString& path, const StepState& state, const QString& title)
{
    const auto step = stepText(state, title);
    if (!step)
        return tl::unexpected(step.error());
    const QString name = QFileInfo(path).fileName();
    QString text = QStringLiteral("# %1\n").arg(QFileInfo(path).completeBaseName());
    if (QFileInfo(path).size() > 0) {
        if (const auto lesson = readLesson(path); !lesson)
            return tl::unexpected(lesson.error());
        const auto bytes = readBytes(path.toStdString());
        if (!bytes)
            return tl::unexpected(bytes.error());
        text = QString::fromUtf8(textOf(*bytes).data(), std::ssize(*bytes)).trimmed() + '\n';
    }
    text += "\n---\n\n" + *step;
    if (const auto lesson = parseLesson(text, name); !lesson)
        return tl::unexpected(lesson.error());
    return writeBytes(path.toStdString(), bytesOf(text.toStdString()));
}

} // namespace keyaxis
