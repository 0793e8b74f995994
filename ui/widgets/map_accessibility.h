#pragma once

namespace keyaxis {

/// Makes each map of a HeatmapView a table to assistive technology: names of rows and columns, and
/// what stands in each cell in words. Once, after the QApplication.
void installMapAccessibility();

} // namespace keyaxis
