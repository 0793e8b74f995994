#include "core/io/mask_reading.h"

#include "core/io/ascii.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace keyaxis {

namespace {

/// One way in which a mask lies over the scores.
struct Lie {
    MaskAxes axes;
    const char* option;
    const char* rows; ///< what its first axis counts
    AxisPlaces places;
    bool fits;
};

/// Masks of two axes, and of three, may be read in two ways each.
std::vector<Lie> liesOf(const std::vector<Index>& shape, const Sizes& s)
{
    const bool fitsKeys = shape.back() == s.Tk;
    if (shape.size() == 2)
        return {{MaskAxes::QueryKey, "qk", "queries", lastPlaces(2),
                 fitsKeys && (shape[0] == s.Tq || shape[0] == 1)},
                {MaskAxes::BatchKey,
                 "bk",
                 "batch items",
                 {0, -1, -1, 1},
                 fitsKeys && shape[0] == s.B && shape[0] != 1}};
    const bool fitsQueries = fitsKeys && (shape[1] == s.Tq || shape[1] == 1);
    return {{MaskAxes::HeadQueryKey, "hqk", "heads", lastPlaces(3),
             fitsQueries && (shape[0] == s.H || shape[0] == 1)},
            {MaskAxes::BatchQueryKey,
             "bqk",
             "batch items",
             {0, -1, 1, 2},
             fitsQueries && shape[0] == s.B && shape[0] != 1}};
}

tl::unexpected<Error> ambiguous(const RawTensor& raw, const std::vector<Lie>& lies)
{
    std::string sentence = raw.name + " " + shapeText(raw.shape) + " may be ";
    for (const Lie& lie : lies)
        sentence += (&lie == &lies.front() ? "" : " or ") + std::to_string(raw.shape[0]) + " " +
                    lie.rows + " by " +
                    (raw.shape.size() == 3 ? std::to_string(raw.shape[1]) + " queries by " : "") +
                    std::to_string(raw.shape.back()) + " keys (--mask-axes " + lie.option + ")";
    return fail(Errc::Ambiguous, sentence + "; say which");
}

/// `raw` in float32; finite numbers stay finite.
Tensor converted(const RawTensor& raw, const AxisPlaces& places, std::vector<std::string>& notes)
{
    Narrowing narrowing;
    Tensor tensor = arranged(raw, places, narrowing);
    if (narrowing.nOverflows == 0)
        return tensor;
    // Where an infinity is the file's own, it stays: the converted tensor has it in the same place.
    constexpr float kLargest = std::numeric_limits<float>::max();
    RawTensor finite{raw.name, ElementType::Bool, raw.shape, {}, {}};
    for (const double value : toDoubles(raw))
        finite.bytes.push_back(static_cast<std::byte>(std::isfinite(value)));
    Narrowing none;
    const Tensor isFinite = arranged(finite, places, none);
    for (Index n = 0; n < tensor.size(); ++n)
        if (isFinite.data()[n] != 0.0F)
            tensor.data()[n] = std::clamp(tensor.data()[n], -kLargest, kLargest);
    notes.push_back(std::to_string(narrowing.nOverflows) + " values of " + raw.name + " (" +
                    std::string(typeName(raw.type)) +
                    ") are beyond float32 and became its largest or smallest number");
    return tensor;
}

/// A note where the mask fills hidden places with a number instead of -inf.
void noteFiller(const RawTensor& raw, std::vector<std::string>& notes)
{
    constexpr double kFiller = -1e4; // what half precision holds, and people use
    double smallest = 0;
    for (const double value : toDoubles(raw))
        smallest = std::isfinite(value) && value < smallest ? value : smallest;
    if (smallest <= kFiller)
        notes.push_back("the smallest number of " + raw.name + ", " +
                        shortest(static_cast<float>(smallest)) +
                        ", is no -inf: a query that it hides every key from attends to all of them "
                        "evenly");
}

} // namespace

Result<AxisPlaces> maskPlaces(const RawTensor& raw, const Sizes& sizes,
                              std::optional<MaskAxes> axes)
{
    const std::size_t rank = raw.shape.size();
    if (rank > 4)
        return fail(Errc::BadInput, raw.name + " " + shapeText(raw.shape) + " has " +
                                        std::to_string(rank) +
                                        " axes; a mask or a bias has up to four");
    if (rank != 2 && rank != 3)
        return lastPlaces(rank);
    std::vector<Lie> lies = liesOf(raw.shape, sizes);
    for (const Lie& lie : lies)
        if (axes == lie.axes)
            return lie.places;
    const AxisPlaces usual = lies.front().places; // its refusal names the sizes
    std::erase_if(lies, [](const Lie& lie) { return !lie.fits; });
    if (lies.size() > 1)
        return ambiguous(raw, lies);
    return lies.empty() ? usual : lies.front().places;
}

Result<MaskReading> readMask(const RawTensor& raw, const Sizes& sizes, std::optional<MaskAxes> axes,
                             std::optional<int> keeps)
{
    const auto places = maskPlaces(raw, sizes, axes);
    if (!places)
        return tl::unexpected(places.error());
    const std::vector<double> values = toDoubles(raw);
    const auto all = [&](auto isAllowed) { return std::ranges::all_of(values, isAllowed); };
    const bool isZeroOne = all([](double v) { return v == 0.0 || v == 1.0; });
    if (!isFloating(raw.type) && !isZeroOne)
        return fail(Errc::BadInput,
                    "the mask " + raw.name + " holds whole numbers other than 0 and 1");
    // A float mask is added to the scores, as in PyTorch; one of zeros and ones chooses keys. All
    // zeros would hide everything, while an additive mask of zeros is common.
    MaskReading reading;
    reading.isChoice =
        isZeroOne && (keeps || !isFloating(raw.type) || !all([](double v) { return v == 0.0; }));
    if (reading.isChoice && !keeps && lowerAscii(raw.name).ends_with("key_padding_mask"))
        return fail(Errc::Ambiguous, "a 1 of " + raw.name +
                                         " hides a key where PyTorch made it (--mask-keeps 0) and "
                                         "keeps it elsewhere (--mask-keeps 1); say which");
    Tensor tensor = converted(raw, *places, reading.notes);
    if (reading.isChoice && keeps == 0)
        for (Index n = 0; n < tensor.size(); ++n)
            tensor.data()[n] = 1.0F - tensor.data()[n];
    if (reading.isChoice && keeps)
        reading.notes.push_back("the mask " + raw.name + " keeps a key where it is " +
                                std::to_string(*keeps));
    else if (isFloating(raw.type))
        reading.notes.push_back("the " + std::string(typeName(raw.type)) + " mask " + raw.name +
                                (reading.isChoice
                                     ? " of zeros and ones chooses keys: 1 may be attended"
                                     : " is added to the scores, as a bias"));
    if (!reading.isChoice)
        noteFiller(raw, reading.notes);
    reading.tensor = share(std::move(tensor));
    return reading;
}

Result<MaskReading> readBias(const RawTensor& raw, const Sizes& sizes, std::optional<MaskAxes> axes)
{
    const auto places = maskPlaces(raw, sizes, axes);
    if (!places)
        return tl::unexpected(places.error());
    MaskReading reading;
    reading.tensor = share(converted(raw, *places, reading.notes));
    noteFiller(raw, reading.notes);
    return reading;
}

} // namespace keyaxis
