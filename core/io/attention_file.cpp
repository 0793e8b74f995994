#include "core/io/attention_file.h"

#include "core/io/arrangement.h"
#include "core/io/ascii.h"
#include "core/io/attention_names.h"
#include "core/io/file_metadata.h"
#include "core/io/given_tensor.h"
#include "core/io/layers.h"
#include "core/io/mask_reading.h"
#include "core/io/session_text.h"
#include "core/io/settings_metadata.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <deque>
#include <utility>

namespace keyaxis {

namespace {

std::string plural(Index n, const char* noun)
{
    return std::to_string(n) + " " + noun + (n == 1 ? "" : "s");
}

class Reader {
public:
    Reader(const TensorFile& file, const std::string& name, const ReadingChoices& choices)
        : m_file(file),
          m_name(name),
          m_choices(choices),
          m_asksForGiven(!choices.scores.empty() || !choices.weights.empty()),
          m_metadata(file)
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
        const std::vector<std::string> layers = layersIn(m_file, m_choices);
        if (isStack(m_file, m_choices)) {
            m_layer = std::ranges::find(layers, m_choices.group) - layers.begin();
            if (m_layer == std::ssize(layers))
                return placed(whichLayer(layers, m_choices.group));
            m_result.inputs.layer = std::exchange(m_choices.group, std::string());
        }
        auto settled = withFoundNames(m_choices, m_file);
        if (!settled)
            return placed(settled.error());
        m_choices = std::move(*settled);
        if (!layers.empty() && !m_choices.group.empty())
            m_result.inputs.layer = m_choices.group;
        return {};
    }

    /// The tensor called `name`, of a stack its layer; null where there is none.
    Result<const RawTensor*> findLayer(const std::string& name)
    {
        const auto found = find(name);
        if (!found || !*found || m_layer < 0 || (*found)->shape.size() != kStackRank)
            return found;
        if ((*found)->shape.front() <= m_layer)
            return bad((*found)->name + " " + shapeText((*found)->shape) + " has no layer " +
                       std::to_string(m_layer));
        return &m_slices.emplace_back(layerOf(**found, m_layer));
    }

    /// Why the file has no Q or K: it may have the projections that make them.
    tl::unexpected<Error> missing(const std::string& name, bool hasNeither) const
    {
        for (const RawTensor& tensor : m_file.tensors)
            if (isProjection(tensor.name))
                return bad("'" + name + "' is missing; " + tensor.name +
                           " is a projection, which makes Q, K or V out of the tokens' vectors; "
                           "save Q, K and V themselves, as they go into attention");
        return bad("'" + name + "' is missing" +
                   (hasNeither ? ", and there are neither scores nor weights" : "") +
                   "; the file holds " + listed());
    }

    Result<void> readTensors()
    {
        std::array<const RawTensor*, 3> found{};
        for (std::size_t n = 0;
             const std::string* name : {&m_choices.q, &m_choices.k, &m_choices.v}) {
            const auto tensor = findLayer(*name);
            if (!tensor)
                return tl::unexpected(tensor.error());
            found[n++] = *tensor;
        }
        const auto [q, k, v] = found;
        const auto given =
            q && k && !m_asksForGiven ? std::nullopt : givenTensor(m_file, m_choices);
        if (!given && (!q || !k))
            return missing(q ? m_choices.k : m_choices.q, !q && !k);
        const RawTensor* map = given ? given->tensor : q;
        if (given && m_layer >= 0)
            map = &m_slices.emplace_back(layerOf(*map, m_layer));
        const RawTensor& first = *map;
        for (const RawTensor* tensor : {k, v})
            if (tensor && tensor->shape.size() != first.shape.size())
                return bad(described(first) + " and " + described(*tensor) +
                           "; they need equally many axes");
        const auto places = readLayout(first, given.has_value());
        if (!places)
            return tl::unexpected(places.error());
        if (given) {
            noteGiven(*given);
            (given->isWeights ? m_result.inputs.weights : m_result.inputs.scores) =
                convert(first, *places);
        } else {
            m_result.inputs.q = convert(*q, *places);
            m_result.inputs.k = convert(*k, *places);
        }
        if (v)
            m_result.inputs.v = convert(*v, *places);
        return {};
    }

    /// Says that the file was read as scores or weights, and why.
    void noteGiven(const GivenTensor& given)
    {
        note(given.tensor->name + " was read as " +
             (given.isWeights ? "weights, which are shown as they are"
                              : "scores, from which attention starts") +
             (given.why.empty() ? "" : ": " + given.why));
    }

    /// Which axis of `first` is which, never by a silent guess between batch and head.
    ///
    /// @param isMap  its last axes are queries and keys.
    Result<AxisPlaces> readLayout(const RawTensor& first, bool isMap)
    {
        const std::vector<Index>& shape = first.shape;
        const std::size_t rank = shape.size();
        const std::string q = (isMap ? first.name : "q") + " " + shapeText(shape);
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
            return ambiguous(q, {shape[0], shape[1], shape[2]}, isMap);
        return placesOf(m_result.layout);
    }

    tl::unexpected<Error> ambiguous(const std::string& q, const std::array<Index, 3>& sizes,
                                    bool isMap) const
    {
        const std::string rest =
            isMap ? ", " + std::to_string(sizes[1]) + " × " + std::to_string(sizes[2]) +
                        " queries and keys"
                  : ", " + plural(sizes[1], "token") + ", " + plural(sizes[2], "feature");
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
        std::vector<std::string> clauses;
        const auto settings = keyaxis::readSettings(m_metadata, sizes().dk, clauses);
        for (const std::string& clause : clauses)
            note(clause);
        if (!settings)
            return bad(settings.error().message);
        m_result.settings = *settings;
        return m_file.session.empty() ? Result<void>() : readSession();
    }

    Result<void> readSession()
    {
        auto state = parseSession(m_file.session, m_name, {m_result.settings, {}, {}, {}, {}});
        if (!state)
            return tl::unexpected(state.error());
        m_result.settings = state->settings;
        m_result.view = std::move(state->view);
        m_result.inputs.layer = std::move(state->layer);
        m_result.source = std::move(state->source);
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
        const auto found = findLayer(m_choices.mask);
        if (!found)
            return tl::unexpected(found.error());
        if (!*found || m_result.inputs.weights)
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
        const auto found = findLayer(m_choices.bias);
        if (!found)
            return tl::unexpected(found.error());
        if (!*found || m_result.inputs.weights)
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
    ReadingChoices m_choices;       ///< the user's, then with what was found
    Index m_layer = -1;             ///< of a stack; -1: it is none
    std::deque<RawTensor> m_slices; ///< its layer of each tensor
    bool m_asksForGiven;            ///< scores or weights, even beside q and k
    FileMetadata m_metadata;
    AttentionFile m_result;
};

} // namespace

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
