#pragma once

#include "core/io/arrangement.h"

namespace keyaxis {

/// A tensor that decides which keys a query uses, as attention takes it.
struct MaskReading {
    SharedTensor tensor;   ///< each axis 1 or full of [B, H, Tq, Tk]
    bool isChoice = false; ///< 1 = may attend; otherwise it is added to the scores, as a bias
    std::vector<std::string> notes; ///< without file and full stop
};

/// How the mask or the bias `raw` of any rank lies over the scores [B, H, Tq, Tk].
///
/// @errors BadInput where it has more than four axes; Ambiguous where two readings fit. Both
///         without file and full stop.
Result<AxisPlaces> maskPlaces(const RawTensor& raw, const Sizes& sizes,
                              std::optional<MaskAxes> axes);

/// Reads a mask: zeros and ones choose keys, other floats are added to the scores. A finite number
/// that float32 has not becomes its largest or smallest, not an infinity: that would mask.
///
/// @param keeps  the value that keeps a key, where the user says so: 1 or 0.
/// @errors as `maskPlaces`; BadInput for whole numbers other than 0 and 1; Ambiguous where the
///         tensor's name says that 1 may hide a key (key_padding_mask).
Result<MaskReading> readMask(const RawTensor& raw, const Sizes& sizes, std::optional<MaskAxes> axes,
                             std::optional<int> keeps);

/// Reads a tensor that is added to the scores.
///
/// @errors as `maskPlaces`.
Result<MaskReading> readBias(const RawTensor& raw, const Sizes& sizes,
                             std::optional<MaskAxes> axes);

} // namespace keyaxis
