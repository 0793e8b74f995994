#include "app/interruption.h"

#include "app/exit_code.h"

#include <csignal>
#include <cstdlib>

namespace keyaxis {

namespace {

sigset_t interruptions()
{
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGINT);
    sigaddset(&signals, SIGTERM);
    return signals;
}

void listen(std::stop_token quit, std::stop_source stop)
{
    const sigset_t signals = interruptions();
    int signal = 0;
    while (sigwait(&signals, &signal) == 0 && !quit.stop_requested()) {
        if (stop.stop_requested())
            std::_Exit(kExitCancelled);
        stop.request_stop();
    }
}

} // namespace

Interruption::Interruption()
{
    const sigset_t signals = interruptions();
    pthread_sigmask(SIG_BLOCK, &signals, nullptr);
    m_listener = std::jthread(listen, m_stop);
}

Interruption::~Interruption()
{
    m_listener.request_stop();
    pthread_kill(m_listener.native_handle(), SIGINT); // wakes the listener alone
}

} // namespace keyaxis
