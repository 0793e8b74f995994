#pragma once

#include "core/attention/attention.h"
#include "core/proof/certificate.h"

#include <stop_token>
#include <string>

namespace keyaxis {

/// How many outputs lie in the hull of the value rows that they may use. A statement of its own,
/// beside the certificate of the weights: invalid weights can land inside by luck.
struct HullCount {
    Index nRows = 0;
    Index nInside = 0;    ///< by their valid weights, or found by the search
    Index nOutside = 0;   ///< found by the search
    Index nUndefined = 0; ///< an output that is not finite, or no hull: no allowed key, a value NaN
    Index nLucky = 0;     ///< of those inside: their weights are no distribution
    Index nSearched = 0;  ///< rows that went through the search
    Index nLeft = 0;      ///< rows of invalid weights beyond the budget: about them nothing is said
    std::string sentence; ///< UTF-8, English
};

/// The outputs of one slice (b, h).
///
/// @param slice        weights, output and logits of (b, h).
/// @param values       [Tk, dv]: the value rows of (b, h).
/// @param certificate  of the slice's rows.
/// @param maxSearches  rows with valid weights need no search; of the others so many are searched,
///                     evenly spread.
/// @param stop         polled once per search.
/// @errors             Cancelled on stop.
/// @cost               `distanceToHull` for each row that is searched, on all threads.
/// @source             mathematics.md, "The certificate".
Result<HullCount> hullCount(const SliceStages& slice, const MatrixView& values,
                            const Certificate& certificate, Index maxSearches,
                            std::stop_token stop = {});

/// The same for every output of a document.
///
/// @param inputs       with V.
/// @param attention    weights, output and, unless each row is valid or undefined, logits.
/// @param certificate  of all rows, in order (b, h, i).
Result<HullCount> hullCount(const Inputs& inputs, const Attention& attention,
                            const Certificate& certificate, Index maxSearches,
                            std::stop_token stop = {});

} // namespace keyaxis
