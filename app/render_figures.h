#pragma once

#include "app/attention_source.h"
#include "app/command_line.h"
#include "ui/document/document.h"
#include "ui/paint/figure.h"

#include <stop_token>

namespace keyaxis {

/// The colours that `command` asks for: of the weights, or of what may be negative where it draws
/// that.
MapColors colorsOf(const RenderCommand& command);

/// The same view in a window.
ViewSettings viewOf(const RenderCommand& command, const AttentionFile& file);

/// The maps of one (batch, head), or of all; a map that is too large to be kept as a picture of
/// fewer cells. A terminal is told how far that is.
///
/// @errors  as `attend`; BadValue where such a picture is to be cut; Cancelled on stop.
Result<Figure> figureOf(const RenderCommand& command, const AttentionFile& file,
                        std::stop_token stop);

/// One (batch, head) of every layer.
///
/// @errors  as `mapsOfLayers`.
Result<Figure> layersFigureOf(const RenderCommand& command, const LayeredFile& file,
                              std::stop_token stop);

} // namespace keyaxis
