#pragma once

#include "tests/bench/report.h"

#include <QSize>

namespace keyaxis::bench {

class Peer;

/// Pixels of the picture that Matplotlib draws: as large as the maps of the window are at its
/// usual size.
QSize mapsSize();

/// The temperature moved until four maps are painted, through the window itself.
void measureTemperature(Report& report, Peer* peer);

/// From the start of a process to its first picture: Keyaxis, an empty Qt window and, with peers,
/// Matplotlib with one imshow saved.
void measureFirstPicture(Report& report, bool withPeers, int nThreads);

/// What a child of `measureFirstPicture` does: shows "keyaxis" or "empty", says that it is painted,
/// and ends.
int showFirstPicture(const QString& which);

} // namespace keyaxis::bench
