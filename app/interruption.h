#pragma once

#include <stop_token>
#include <thread>

namespace keyaxis {

/// Turns Ctrl-C (SIGINT, SIGTERM) into a request to stop for as long as it lives. *thread-safe*
///
/// A second signal ends the program at once. Made before any other thread, so that all of them
/// inherit the blocked signals.
class Interruption {
public:
    Interruption();
    ~Interruption();
    Interruption(const Interruption&) = delete;
    Interruption& operator=(const Interruption&) = delete;

    std::stop_token token() const { return m_stop.get_token(); }

private:
    std::stop_source m_stop;
    std::jthread m_listener; ///< last: it uses the above
};

} // namespace keyaxis
