#include "core/job_runner.h"

#include <utility>

namespace keyaxis {

JobRunner::JobRunner() : m_thread([this](std::stop_token quit) { run(quit); }) {}

JobRunner::~JobRunner()
{
    {
        const std::lock_guard lock(m_mutex);
        m_next = nullptr;
        m_running.request_stop();
    }
    m_thread.request_stop(); // wakes the wait in run(); the jthread then joins
}

void JobRunner::submit(Job job)
{
    {
        const std::lock_guard lock(m_mutex);
        m_next = std::move(job);
        m_running.request_stop();
    }
    m_wake.notify_one();
}

void JobRunner::run(std::stop_token quit)
{
    while (true) {
        Job job;
        std::stop_token stop;
        {
            std::unique_lock lock(m_mutex);
            if (!m_wake.wait(lock, quit, [this] { return m_next != nullptr; }))
                return;
            job = std::exchange(m_next, nullptr);
            m_running = std::stop_source();
            stop = m_running.get_token();
        }
        job(stop);
    }
}

} // namespace keyaxis
