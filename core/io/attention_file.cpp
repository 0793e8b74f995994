#include "core/io/attention_file.h"

#include "core/io/file_metadata.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <cstring>

namespace keyaxis {

namespace {

constexpr std::array<std::string_view, 4> kLayoutNames{"bhtd", "bthd", "htd", "btd"};

std::string lower(std::string_view text)
{
    std::string result(text);
    std::ranges::transform(result, result.begin(),
                           [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return result;
}

std::string plural(Index n, const char* noun)
{
    return std::to_string(n) + " " + noun + (n == 1 ? "" : "s");
}

/// Where the axes batch, head, row, column of a rank-4 tensor are found in a shape; -1: size 1.
using AxisPlaces = std::array<int, 4>;

AxisPlaces placesOf(Layout layout)
{
    switch (layout) {
    case Layout::BHTD:
        return {0, 1, 2, 3};
    case Layout::BTHD:
        return {0, 2, 1, 3};
    case Layout::HTD:
        return {-1, 0, 1, 2};
    case Layout::BTD:
        break;
    }
    return {0, -1, 1, 2};
}

/// `raw` in float32 with its axes in order. `nChanged` counts values that float32 does not hold.
Tensor arranged(const RawTensor& raw, const AxisPlaces& places, Index& nChanged)
{
    std::array<Index, 4> sizes{1, 1, 1, 1};
    std::array<Index, 4> steps{0, 0, 0, 0};
    for (std::size_t axis = 0; axis < 4; ++axis) {
        if (places[axis] < 0)
            continue;
        const auto place = static_cast<std::size_t>(places[axis]);
        sizes[axis] = raw.shape[place];
        steps[axis] = 1;
        for (std::size_t inner = place + 1; inner < raw.shape.size(); ++inner)
            steps[axis] *= raw.shape[inner];
    }
    Tensor tensor({sizes[0], sizes[1], sizes[2], sizes[3]});
    const std::vector<double> numbers = toDoubles(raw);
    float* to = tensor.data();
    for (Index b = 0; b < sizes[0]; ++b)
        for (Index h = 0; h < sizes[1]; ++h)
            for (Index i = 0; i < sizes[2]; ++i)
                for (Index j = 0; j < sizes[3]; ++j) {
                    const double number = numbers[static_cast<std::size_t>(
                        b * steps[0] + h * steps[1] + i * steps[2] + j * steps[3])];
                    *to = static_cast<float>(number);
                    nChanged += static_cast<double>(*to) == number || std::isnan(number) ? 0 : 1;
                    ++to;
                }
    return tensor;
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
        for (const auto step : {&Reader::readTensors, &Reader::readSettings, &Reader::readTokens,
                                &Reader::readMask, &Reader::readBias})
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

    SharedTensor convert(const RawTensor& raw, const AxisPlaces& places)
    {
        Index nChanged = 0;
        auto tensor = share(arranged(raw, places, nChanged));
        if (nChanged > 0)
            m_result.notes.push_back(m_name + ": " + plural(nChanged, "value") + " of " + raw.name +
                                     " (" + std::string(typeName(raw.type)) +
                                     ") changed on the way to float32.");
        return tensor;
    }

    Result<void> readTensors()
    {
        const RawTensor* q = m_file.find(m_choices.q);
        const RawTensor* k = m_file.find(m_choices.k);
        const RawTensor* v = m_file.find(m_choices.v);
        if (!q || !k)
            return bad("'" + (q ? m_choices.k : m_choices.q) + "' is missing; the file holds " +
                       listed());
        for (const RawTensor* tensor : {q, k, v}) {
            if (!tensor)
                continue;
            if (tensor->type == ElementType::Text)
                return bad(tensor->name + " holds text, not numbers");
            if (tensor->shape.size() != q->shape.size())
                return bad(q->name + " has " + std::to_string(q->shape.size()) + " axes" + " and " +
                           tensor->name + " has " + std::to_string(tensor->shape.size()));
        }
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
        const std::optional<Layout> wanted =
            m_choices.layout ? m_choices.layout : layoutIn(m_metadata.text({"layout"}));
        const std::size_t rank = shape.size();
        if (rank == 2)
            return AxisPlaces{-1, -1, 0, 1};
        if (rank != 3 && rank != 4)
            return bad("q " + shapeText(shape) + " has " + std::to_string(rank) + " axes" +
                       "; [tokens, features], three or four axes are read");
        if (wanted && layoutName(*wanted).size() == rank) {
            m_result.layout = *wanted;
        } else if (m_choices.layout) {
            return bad("the layout " + std::string(layoutName(*wanted)) + " has " +
                       std::to_string(layoutName(*wanted).size()) + " axes and q " +
                       shapeText(shape) + " has " + std::to_string(rank));
        } else if (rank == 3) {
            const std::string rest = ", " + plural(shape[1], "token") + ", " +
                                     plural(shape[2], "feature");
            return fail(Errc::Ambiguous,
                        m_name + ": q " + shapeText(shape) + " may be " +
                            plural(shape[0], "head") + rest + " (--layout htd) or " +
                            std::to_string(shape[0]) + " batch items" + rest +
                            " (--layout btd); say which.");
        }
        return placesOf(m_result.layout);
    }

    /// A layout in metadata: "bhtd", or "[B,H,T,d] float32, little endian".
    static std::optional<Layout> layoutIn(const std::optional<std::string>& text)
    {
        if (!text)
            return std::nullopt;
        std::string letters;
        for (const char c : lower(*text).substr(0, text->find(']')))
            if (std::isalpha(static_cast<unsigned char>(c)))
                letters += c;
        return layoutNamed(letters);
    }

    Result<void> readSettings()
    {
        ScoreSettings& settings = m_result.settings;
        settings.causal = m_metadata.flag({"causal"}).value_or(false);
        settings.alibi = m_metadata.flag({"alibi"}).value_or(false);
        if (const auto scale = m_metadata.number({"scale", "softmax_scale"})) {
            // 1/√dk as a file's decimal number is the default, not a setting of its own.
            const double own = 1.0 / std::sqrt(static_cast<double>(sizes().dk));
            if (std::abs(*scale - own) > 1e-6 * own)
                settings.scale = *scale;
        }
        if (const auto align = m_metadata.text({"align"}))
            settings.align = lower(*align) == "end" ? Align::End : Align::Start;
        if (const auto valid = checked(settings); !valid)
            return bad(valid.error().message);
        return {};
    }

    Result<void> readTokens()
    {
        m_result.inputs.queryTokens = m_metadata.tokens({"query_tokens", "q_tokens", "tokens"});
        m_result.inputs.keyTokens = m_metadata.tokens({"key_tokens", "k_tokens", "tokens"});
        const Sizes s = sizes();
        for (auto [names, size, what] :
             {std::tuple{&m_result.inputs.queryTokens, s.Tq, "query"},
              std::tuple{&m_result.inputs.keyTokens, s.Tk, "key"}}) {
            if (names->size() == 1 && s.B > 1)
                names->resize(static_cast<std::size_t>(s.B), names->front()); // one list for all
            const bool fits =
                names->empty() || (std::ssize(*names) == s.B &&
                                   std::ranges::all_of(*names, [&](const auto& list) {
                                       return std::ssize(list) == size;
                                   }));
            if (!fits) {
                m_result.notes.push_back(m_name + ": the " + std::string(what) +
                                         " tokens do not fit the tensors and were passed over.");
                names->clear();
            }
        }
        return {};
    }

    Result<void> readMask()
    {
        const RawTensor* raw = m_file.find(m_choices.mask);
        if (!raw)
            return {};
        const auto places = maskPlaces(*raw);
        if (!places)
            return tl::unexpected(places.error());
        const std::vector<double> values = toDoubles(*raw);
        const bool isZeroOne =
            std::ranges::all_of(values, [](double v) { return v == 0.0 || v == 1.0; });
        const bool isFloat = raw->type == ElementType::F16 || raw->type == ElementType::BF16 ||
                             raw->type == ElementType::F32 || raw->type == ElementType::F64;
        if (!isFloat && !isZeroOne)
            return bad("the mask holds numbers other than 0 and 1");
        // A float mask is added to the scores, as in PyTorch; zeros and ones are a choice of keys.
        (isZeroOne && !allZero(values, isFloat) ? m_result.inputs.mask : m_result.inputs.bias) =
            convert(*raw, *places);
        return {};
    }

    /// An additive mask without any effect is all zeros; as a choice it would hide everything.
    static bool allZero(const std::vector<double>& values, bool isFloat)
    {
        return isFloat && std::ranges::all_of(values, [](double v) { return v == 0.0; });
    }

    Result<void> readBias()
    {
        const RawTensor* raw = m_file.find(m_choices.bias);
        if (!raw)
            return {};
        if (m_result.inputs.bias)
            return bad("it holds a bias and a float mask, which is a bias as well; choose one");
        const auto places = maskPlaces(*raw);
        if (!places)
            return tl::unexpected(places.error());
        m_result.inputs.bias = convert(*raw, *places);
        return {};
    }

    /// How a mask or bias of any rank lies over the scores [B, H, Tq, Tk].
    Result<AxisPlaces> maskPlaces(const RawTensor& raw) const
    {
        const std::vector<Index>& shape = raw.shape;
        if (raw.type == ElementType::Text || shape.size() > 4)
            return bad(raw.name + " " + shapeText(shape) + " is no mask of numbers with up to four axes");
        AxisPlaces places{-1, -1, -1, -1};
        for (std::size_t n = 0; n < shape.size(); ++n)
            places[4 - shape.size() + n] = static_cast<int>(n);
        if (shape.size() != 2)
            return places;

        const Sizes s = sizes();
        const bool fitsKeys = shape[1] == s.Tk;
        const bool asQueries = fitsKeys && (shape[0] == s.Tq || shape[0] == 1);
        const bool asBatch = fitsKeys && shape[0] == s.B && shape[0] != 1;
        const AxisPlaces padding{0, -1, -1, 1};
        if (m_choices.maskAxes)
            return *m_choices.maskAxes == MaskAxes::QueryKey ? places : padding;
        if (asQueries && asBatch)
            return fail(Errc::Ambiguous,
                        m_name + ": " + raw.name + " " + shapeText(shape) + " may be " +
                            std::to_string(shape[0]) + " queries by " + std::to_string(shape[1]) +
                            " keys (--mask-axes qk) or " + std::to_string(shape[0]) +
                            " batch items by " + std::to_string(shape[1]) +
                            " keys (--mask-axes bk); say which.");
        return asBatch ? padding : places;
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
    const ReadingChoices& m_choices;
    FileMetadata m_metadata;
    AttentionFile m_result;
};

} // namespace

std::optional<Layout> layoutNamed(std::string_view name)
{
    const auto found = std::ranges::find(kLayoutNames, lower(name));
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
