#include "tests/bench/interleaved.h"

#include <algorithm>
#include <chrono>
#include <thread>

namespace keyaxis::bench {

namespace {

double median(std::vector<double> values)
{
    if (values.empty() || *std::min_element(values.begin(), values.end()) < 0)
        return -1;
    std::sort(values.begin(), values.end());
    const std::size_t n = values.size();
    return n % 2 == 1 ? values[n / 2] : (values[n / 2 - 1] + values[n / 2]) / 2;
}

} // namespace

std::vector<double> interleavedMedians(const std::vector<Repetition>& sides, int nRounds)
{
    std::vector<std::vector<double>> seconds(sides.size());
    for (int round = 0; round < nRounds; ++round)
        for (std::size_t n = 0; n < sides.size(); ++n) {
            const std::size_t side = (n + static_cast<std::size_t>(round)) % sides.size();
            // Idle OpenMP threads of the side before spin for some milliseconds; measured on both
            // sides they took half of the other's second core.
            std::this_thread::sleep_for(std::chrono::milliseconds(20));
            seconds[side].push_back(sides[side]());
        }
    std::vector<double> medians;
    for (const std::vector<double>& own : seconds)
        medians.push_back(median(own));
    return medians;
}

} // namespace keyaxis::bench
