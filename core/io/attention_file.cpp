#include "core/io/attention_file.h"

#include "core/io/arrangement.h"
#include "core/io/ascii.h"
#include "core/io/attention_names.h"
#include "core/io/file_metadata.h"
#include "core/io/mask_reading.h"
#include "core/io/session_text.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

namespace keyaxis {

namespace {

constexpr std::array<std::string_view, 4> kLayoutNames{"bhtd", "bthd", "htd", "btd"};

std::string plural(Index n, const char* noun)
{
    return std::to_string(n) + " " + noun + (n == 1 ? "" : "s");
}

/// Names under which token names are looked for.
constexpr std::array<std::string_view, 5> kTokenNames{"query_tokens", "key_tokens", "q_tokens",
                                                      "k_tokens", "tokens"};

bool isTokenName(std::string_view name)
{
    constexpr std::string_view kOwn = "keyaxis.";
    if (lowerAscii(name).starts_with(kOwn))
        name.remove_prefix(kOwn.size());
    return std::ranges::any_of(kTokenNames, [&](auto known) { return isSameName(known, name); });
}

class Reader {
public:
    Reader(const TensorFile& file, const std::string& name, const ReadingChoices& choices)
        : m_file(file), m_name(name), m_choices(choices), m_metadata(file)
    {
    }

    Result<AttentionFile> read()
    {
        m_result.inputs.name = m_name;
        m_result.notes = m_file.notes;
        for (const auto& [name, why] : m_file.skipped)
            m_result.notes.push_back(why.message);
        noteForeignTexts();
        for (const auto step : {&Reader::settleNames, &Reader::readTensors, &Reader::readSettings,
                                &Reader::readTokens, &Reader::readMask, &Reader::readBias})
            if (const auto done = (this->*step)(); !done)
                return tl::unexpected(done.error());
        auto inputs = validated(std::move(m_result.inputs));
        if (!inputs)
            return bad(inputs.error().message);
        m_result.inputs = std::move(*inputs);
        return std::move(m_result);
    }

private:
    tl::unexpected<Error> bad(const std::string& what) const
    {
        return fail(Errc::BadInput, m_name + ": " + what + ".");
    }

    void note(const std::string& sentence)
    {
        m_result.notes.push_back(m_name + ": " + sentence + ".");
    }

    void noteForeignTexts()
    {
        for (const RawTensor& tensor : m_file.tensors)
            if (tensor.type == ElementType::Text && !tensor.shape.empty() &&
                !isTokenName(tensor.name))
                note(tensor.name + " holds text and was passed over");
    }

    /// The tensor called `name`, null where there is none.
    Result<const RawTensor*> find(const std::string& name) const
    {
        const RawTensor* found = m_file.find(name);
        for (const auto& [skipped, why] : m_file.skipped)
            if (!found && isSameName(skipped, name))
                return tl::unexpected(why);
        if (found && found->type == ElementType::Text)
            return bad(found->name + " holds text, not numbers");
        return found;
    }

    SharedTensor convert(const RawTensor& raw, const AxisPlaces& places)
    {
        Narrowing narrowing;
        auto tensor = share(arranged(raw, places, narrowing));
        // Decimal numbers of a text are hardly ever float32; only what it cannot hold is said.
        if (raw.printed ? narrowing.nOverflows > 0 : narrowing.nChanged > 0)
            note(plural(narrowing.nChanged, "value") + " of " + raw.name + " (" +
                 std::string(typeName(raw.type)) + ") changed on the way to float32" +
                 (narrowing.nOverflows > 0
                      ? ", " + std::to_string(narrowing.nOverflows) + " of them to infinity"
                      : ""));
        return tensor;
    }

    Result<void> settleNames()
    {
        auto settled = withFoundNames(m_choices, m_file);
        if (!settled)
            return placed(settled.error());
        m_choices = std::move(*settled);
        return {};
    }

    /// Why the file has no Q or K: it may have the projections that make them.
    tl::unexpected<Error> missing(const std::string& name) const
    {
        for (const RawTensor& tensor : m_file.tensors)
            if (isProjection(tensor.name))
                return bad("'" + name + "' is missing; " + tensor.name +
                           " is a projection, which makes Q, K or V out of the tokens' vectors; "
                           "save Q, K and V themselves, as they go into attention");
        return bad("'" + name + "' is missing; the file holds " + listed());
    }

    Result<void> readTensors()
    {
        std::array<const RawTensor*, 3> found{};
        for (std::size_t n = 0;
             const std::string* name : {&m_choices.q, &m_choices.k, &m_choices.v}) {
            const auto tensor = find(*name);
            if (!tensor)
                return tl::unexpected(tensor.error());
            found[n++] = *tensor;
        }
        const auto [q, k, v] = found;
        if (!q || !k)
            return missing(q ? m_choices.k : m_choices.q);
        for (const RawTensor* tensor : {k, v})
            if (tensor && tensor->shape.size() != q->shape.size())
                return bad(described(*q) + " and " + described(*tensor) +
                           "; they need equally many axes");
        const auto places = readLayout(q->shape);
        if (!places)
            return tl::unexpected(places.error());
        m_result.inputs.q = convert(*q, *places);
        m_result.inputs.k = convert(*k, *places);
        if (v)
            m_result.inputs.v = convert(*v, *places);
        return {};
    }

    /// Which axis of `shape` is which, never by a silent guess between batch and head.
    Result<AxisPlaces> readLayout(const std::vector<Index>& shape)
    {
        const std::size_t rank = shape.size();
        const std::string q = "q " + shapeText(shape);
        const std::optional<Layout> wanted = m_choices.layout ? m_choices.layout : ownLayout();
        if (m_choices.layout && layoutName(*wanted).size() != rank)
            return bad("the layout " + std::string(layoutName(*wanted)) + " has " +
                       std::to_string(layoutName(*wanted).size()) + " axes and " + q + " has " +
                       std::to_string(rank));
        if (rank == 2)
            return lastPlaces(2);
        if (rank != 3 && rank != 4)
            return bad(q + " has " + std::to_string(rank) + (rank == 1 ? " axis" : " axes") +
                       "; two (tokens, features), three or four are read");
        if (wanted && layoutName(*wanted).size() == rank)
            m_result.layout = *wanted;
        else if (rank == 3)
            return ambiguous(q, {shape[0], shape[1], shape[2]});
        return placesOf(m_result.layout);
    }

    tl::unexpected<Error> ambiguous(const std::string& q, const std::array<Index, 3>& sizes) const
    {
        const std::string rest =
            ", " + plural(sizes[1], "token") + ", " + plural(sizes[2], "feature");
        return fail(Errc::Ambiguous, m_name + ": " + q + " may be " + plural(sizes[0], "head") +
                                         rest + " (--layout htd) or " +
                                         plural(sizes[0], "batch item") + rest +
                                         " (--layout btd); say which.");
    }

    /// The layout in the metadata: "bhtd", or "[B,H,T,d] float32, little endian".
    std::optional<Layout> ownLayout()
    {
        const auto text = m_metadata.text({"layout"});
        if (!text)
            return std::nullopt;
        std::string letters;
        for (const char c : lowerAscii(text->substr(0, text->find(']'))))
            if (c >= 'a' && c <= 'z')
                letters += c;
        const auto layout = layoutNamed(letters);
        noteUnless(layout.has_value(), "layout");
        return layout;
    }

    /// A note where the file says something under `name` that was not understood.
    void noteUnless(bool isUnderstood, std::string_view name)
    {
        const auto text = m_metadata.text({name});
        if (!isUnderstood && text)
            note("its " + std::string(name) + ", '" + *text +
                 "', is not understood and was passed over");
    }

    Result<void> readSettings()
    {
        ScoreSettings& settings = m_result.settings;
        for (auto [name, value] :
             {std::pair{"causal", &settings.causal}, std::pair{"alibi", &settings.alibi}}) {
            const auto flag = m_metadata.flag({name});
            noteUnless(flag.has_value(), name);
            *value = flag.value_or(false);
        }
        for (const std::string_view name : {"softmax_scale", "scale"}) {
            const auto scale = m_metadata.number({name});
            noteUnless(scale.has_value(), name);
            // 1/√dk as a file's decimal number is the default, not a setting of its own.
            const double own = 1.0 / std::sqrt(static_cast<double>(sizes().dk));
            if (scale)
                settings.scale = std::abs(*scale - own) > 1e-6 * own ? scale : std::nullopt;
        }
        if (const auto align = m_metadata.text({"align"})) {
            noteUnless(isSameName(*align, "start") || isSameName(*align, "end"), "align");
            settings.align = isSameName(*align, "end") ? Align::End : Align::Start;
        }
        if (const auto valid = checked(settings); !valid)
            return bad(valid.error().message);
        return m_file.session.empty() ? Result<void>() : readSession();
    }

    Result<void> readSession()
    {
        auto state = parseSession(m_file.session, m_name, {m_result.settings, {}, {}, {}, {}});
        if (!state)
            return tl::unexpected(state.error());
        m_result.settings = state->settings;
        m_result.view = std::move(state->view);
        m_result.inputs.queryTokens = std::move(state->queryTokens);
        m_result.inputs.keyTokens = std::move(state->keyTokens);
        return {};
    }

    Result<void> readTokens()
    {
        if (m_result.inputs.queryTokens.empty())
            m_result.inputs.queryTokens = m_metadata.tokens({"query_tokens", "q_tokens", "tokens"});
        if (m_result.inputs.keyTokens.empty())
            m_result.inputs.keyTokens = m_metadata.tokens({"key_tokens", "k_tokens", "tokens"});
        const Sizes s = sizes();
        for (auto [names, size, what] : {std::tuple{&m_result.inputs.queryTokens, s.Tq, "query"},
                                         std::tuple{&m_result.inputs.keyTokens, s.Tk, "key"}}) {
            if (names->size() == 1 && s.B > 1)
                names->resize(static_cast<std::size_t>(s.B), names->front()); // one list for all
            const bool fits =
                names->empty() || (std::ssize(*names) == s.B &&
                                   std::ranges::all_of(*names, [n = size](const auto& list) {
                                       return std::ssize(list) == n;
                                   }));
            if (!fits) {
                note("the " + std::string(what) +
                     " tokens do not fit the tensors and were passed over");
                names->clear();
            }
        }
        return {};
    }

    Result<void> readMask()
    {
        const auto found = find(m_choices.mask);
        if (!found)
            return tl::unexpected(found.error());
        if (!*found)
            return {};
        auto mask = keyaxis::readMask(**found, sizes(), m_choices.maskAxes, keeps());
        if (!mask)
            return placed(mask.error());
        for (const std::string& sentence : mask->notes)
            note(sentence);
        (mask->isChoice ? m_result.inputs.mask : m_result.inputs.bias) = mask->tensor;
        return {};
    }

    Result<void> readBias()
    {
        const auto found = find(m_choices.bias);
        if (!found)
            return tl::unexpected(found.error());
        if (!*found)
            return {};
        if (m_result.inputs.bias)
            return bad("it holds " + (*found)->name + " and the float mask " + m_choices.mask +
                       ", which is a bias as well; choose one");
        auto bias = keyaxis::readBias(**found, sizes(), m_choices.maskAxes);
        if (!bias)
            return placed(bias.error());
        for (const std::string& sentence : bias->notes)
            note(sentence);
        m_result.inputs.bias = bias->tensor;
        return {};
    }

    /// The value of a mask that keeps a key, where the user or the file says so.
    std::optional<int> keeps()
    {
        const auto own = m_metadata.number({"mask_keeps"});
        const bool isUnderstood = own == 0.0 || own == 1.0;
        noteUnless(isUnderstood, "mask_keeps");
        return m_choices.maskKeeps || !isUnderstood ? m_choices.maskKeeps
                                                    : std::optional(static_cast<int>(*own));
    }

    tl::unexpected<Error> placed(const Error& error) const
    {
        return fail(error.code, m_name + ": " + error.message + ".");
    }

    static std::string described(const RawTensor& raw)
    {
        return raw.name + " " + shapeText(raw.shape) + " has " + std::to_string(raw.shape.size()) +
               (raw.shape.size() == 1 ? " axis" : " axes");
    }

    Sizes sizes() const { return sizesOf(m_result.inputs); }

    std::string listed() const
    {
        std::string names;
        for (const RawTensor& tensor : m_file.tensors)
            names += (names.empty() ? "" : ", ") + tensor.name;
        return names.empty() ? "no tensors" : names;
    }

    const TensorFile& m_file;
    const std::string& m_name;
    ReadingChoices m_choices; ///< the user's, then with what was found
    FileMetadata m_metadata;
    AttentionFile m_result;
};

} // namespace

std::optional<Layout> layoutNamed(std::string_view name)
{
    const auto found = std::ranges::find(kLayoutNames, lowerAscii(name));
    return found == kLayoutNames.end()
               ? std::nullopt
               : std::optional(static_cast<Layout>(found - kLayoutNames.begin()));
}

std::string_view layoutName(Layout layout)
{
    return kLayoutNames[static_cast<std::size_t>(layout)];
}

Result<AttentionFile> readAttention(const TensorFile& file, const std::string& name,
                                    const ReadingChoices& choices)
{
    return Reader(file, name, choices).read();
}

RawTensor rawTensor(std::string name, const Tensor& tensor)
{
    const Shape& s = tensor.shape();
    RawTensor raw{std::move(name), ElementType::F32, {s.batch, s.heads, s.rows, s.cols}, {}, {}};
    raw.bytes.resize(static_cast<std::size_t>(tensor.size()) * sizeof(float));
    if (!raw.bytes.empty())
        std::memcpy(raw.bytes.data(), tensor.data(), raw.bytes.size());
    return raw;
}

} // namespace keyaxis
