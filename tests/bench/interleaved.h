#pragma once

#include <chrono>
#include <functional>
#include <vector>

namespace keyaxis::bench {

/// Seconds that one repetition took; below 0: it could not be done.
using Repetition = std::function<double()>;

/// Medians of `nRounds` repetitions of each side, in seconds; below 0 where one failed.
///
/// The sides take turns, so that a machine that slows down or is shared slows all of them. Which
/// one begins changes from round to round.
std::vector<double> interleavedMedians(const std::vector<Repetition>& sides, int nRounds);

/// Seconds of one call.
template <typename Work>
double secondsOf(Work&& work)
{
    const auto begin = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

/// A repetition that calls `work` twice and times the second call: the first finds caches, threads
/// and clock rate as the side before left them.
template <typename Work>
Repetition warmed(Work work)
{
    return [work] {
        work();
        return secondsOf(work);
    };
}

} // namespace keyaxis::bench
