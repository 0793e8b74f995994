#pragma once

class QLabel;
class QWidget;

namespace keyaxis {

/// The small-capitals line above a section of a dock.
QLabel* sectionHead(QWidget* parent);

} // namespace keyaxis
