#include "core/attention/code_text.h"

#include "core/attention/alibi.h"
#include "core/attention/scores.h"

namespace keyaxis {

namespace {

/// A program in the words of one library.
class Program {
public:
    Program(CodeLibrary library, const Inputs& inputs, const ScoreSettings& settings)
        : m_library(library), m_inputs(inputs), m_settings(settings), m_sizes(sizesOf(inputs))
    {
        m_axis = std::to_string(names(settings.axis).torchDim);
    }

    std::string text(std::string_view file)
    {
        addImports();
        add("data = np.load(" + quoted(file) + ")");
        addTensors();
        if (m_inputs.weights) {
            add("weights = " + loaded("weights") + "  # [B, H, Tq, Tk], as they are");
        } else {
            addScores();
            addMask();
            addSoftmax();
        }
        if (m_inputs.v)
            add("output = weights @ v  # [B, H, Tq, dv]");
        return std::move(m_text);
    }

private:
    void add(const std::string& line) { m_text += line + "\n"; }

    bool isTorch() const { return m_library == CodeLibrary::PyTorch; }

    /// "torch.exp", "np.exp", "jnp.exp".
    std::string call(const std::string& function) const
    {
        const char* module = isTorch() ? "torch." : m_library == CodeLibrary::Jax ? "jnp." : "np.";
        return module + function;
    }

    /// "dim=-1, keepdim=True" or "axis=-1, keepdims=True".
    std::string along() const { return (isTorch() ? "dim=" : "axis=") + m_axis; }
    std::string alongKept() const
    {
        return along() + (isTorch() ? ", keepdim=True" : ", keepdims=True");
    }

    static std::string quoted(std::string_view name)
    {
        std::string text = "\"";
        for (const char c : name) {
            if (c == '"' || c == '\\')
                text += '\\';
            text += c;
        }
        return text + "\"";
    }

    /// data["q"] as float32 of the library.
    std::string loaded(const std::string& name) const
    {
        const std::string array = "data[\"" + name + "\"]";
        if (isTorch())
            return "torch.from_numpy(" + array + ").float()";
        return m_library == CodeLibrary::Jax ? "jnp.asarray(" + array + ", dtype=jnp.float32)"
                                             : array + ".astype(np.float32)";
    }

    void addImports()
    {
        add("import numpy as np");
        if (isTorch())
            add("import torch");
        if (m_library == CodeLibrary::Jax)
            m_text += "import jax\nimport jax.numpy as jnp\n";
        if (m_library == CodeLibrary::NumPy)
            add("\nnp.seterr(divide=\"ignore\", invalid=\"ignore\")  # 0/0 is NaN where no key is "
                "allowed");
        add("");
    }

    void addTensors()
    {
        if (m_inputs.q)
            add("q = " + loaded("q") + "  # [B, H, Tq, dk]");
        const Index n = m_sizes.headsPerGroup();
        for (const std::string name : {"k", "v"}) {
            if (!(name == "v" ? m_inputs.v : m_inputs.k))
                continue;
            std::string tensor = loaded(name);
            if (n > 1)
                tensor = isTorch()
                             ? tensor + ".repeat_interleave(" + std::to_string(n) + ", dim=1)"
                             : call("repeat(") + tensor + ", " + std::to_string(n) + ", axis=1)";
            add(name + " = " + tensor +
                (n > 1 ? "  # heads of a group share it" : "  # [B, G, Tk, d" + name + "]"));
        }
    }

    void addScores()
    {
        const std::string transposed = isTorch() ? "k.transpose(-2, -1)" : "k.swapaxes(-2, -1)";
        const float scale = scaleOf(m_settings, m_sizes.dk);
        const std::string factor = scale == 1.0F ? "" : " * " + shortest(scale);
        if (m_inputs.scores)
            add("scores = " + loaded("scores") + factor + "  # [B, H, Tq, Tk]");
        else
            add("scores = q @ " + transposed + factor +
                (m_settings.scale ? "" : "  # 1 / sqrt(" + std::to_string(m_sizes.dk) + ")"));
        if (m_inputs.bias) {
            add("bias = " + loaded("bias"));
            add("scores = scores + bias");
        }
        if (m_settings.causal || m_settings.alibi) {
            const Index offset = offsetOf(m_settings, m_sizes);
            const std::string shift =
                offset == 0 ? "" : (offset > 0 ? " + " : " - ") + std::to_string(std::abs(offset));
            add("i = " + call("arange(") + std::to_string(m_sizes.Tq) + ")[:, None]" + shift +
                "  # position of each query");
            add("j = " + call("arange(") + std::to_string(m_sizes.Tk) + ")");
        }
        if (!m_settings.alibi)
            return;
        std::string slopes;
        for (const float slope : alibiSlopes(m_sizes.H, m_settings.slopes))
            slopes += (slopes.empty() ? "" : ", ") + shortest(slope);
        add("slopes = " + call(isTorch() ? "tensor([" : "array([") + slopes +
            "], dtype=" + call("float32)") + "  # of each head");
        add("scores = scores - slopes[:, None, None] * " + call("abs(i - j)"));
    }

    void addMask()
    {
        std::string allowed;
        const auto require = [&](const std::string& condition) {
            allowed += (allowed.empty() ? "" : " & ") + condition;
        };
        if (m_settings.causal)
            require("(j <= i)");
        if (m_inputs.mask)
            require("(" + loaded("mask") + " != 0)");
        if (m_inputs.bias)
            require("(bias != -" + call("inf)"));
        if (allowed.empty()) {
            add("logits = scores");
        } else {
            add("allowed = " + allowed);
            add("logits = " + call("where(allowed, scores, ") + minusInfinity() + ")");
        }
    }

    std::string minusInfinity() const { return "-" + call("inf"); }

    /// The plain softmax, then what its slices without an allowed entry, or with a NaN, become.
    void addSoftmax()
    {
        add("");
        add("# Softmax over the " + std::string(names(m_settings.axis).members) + ": " + along());
        const bool isLimit = m_settings.temperature == 0.0F;
        const bool isPlain = m_settings.temperature == 1.0F;
        if (isLimit || !isPlain || m_library == CodeLibrary::NumPy)
            add("top = logits." + std::string(isTorch() ? "amax(" : "max(") + alongKept() + ")");
        const std::string tempered =
            isPlain ? "logits - top" : "(logits - top) / " + shortest(m_settings.temperature);
        if (isLimit) {
            add("powers = " + call("where(logits - top == 0, 1.0, 0.0)") +
                "  # the largest logits share the weight");
            add("weights = powers / powers.sum(" + alongKept() + ")");
        } else if (m_library == CodeLibrary::NumPy) {
            add("powers = np.exp(" + tempered + ")");
            add("weights = powers / powers.sum(" + alongKept() + ")");
        } else {
            add("weights = " + std::string(isTorch() ? "torch" : "jax.nn") + ".softmax(" +
                (isPlain ? "logits" : tempered) + ", " + along() + ")");
        }
        add("hidden = logits == " + minusInfinity());
        if (m_settings.empty == EmptySlice::Zero)
            add("weights = " + call("where(hidden, 0.0, weights)") +
                "  # 0 even where no entry is allowed");
        else
            add("weights = " + call("where(hidden & ~hidden.all(") + alongKept() +
                "), 0.0, weights)  # NaN where no entry is allowed");
    }

    CodeLibrary m_library;
    const Inputs& m_inputs;
    const ScoreSettings& m_settings;
    Sizes m_sizes;
    std::string m_axis; ///< "-1"
    std::string m_text;
};

} // namespace

std::string codeText(CodeLibrary library, const Inputs& inputs, const ScoreSettings& settings,
                     std::string_view file)
{
    return Program(library, inputs, settings).text(file);
}

} // namespace keyaxis
