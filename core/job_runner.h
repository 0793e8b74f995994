#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <stop_token>
#include <thread>

namespace keyaxis {

/// One long-lived worker thread that runs the newest job. *thread-safe*
///
/// `submit` asks the running job to stop and replaces a job that has not started. A job is given
/// its stop token and must poll it; what it returns goes nowhere: it hands its result on itself.
class JobRunner {
public:
    using Job = std::function<void(std::stop_token)>;

    JobRunner();
    ~JobRunner(); ///< asks the running job to stop and joins
    JobRunner(const JobRunner&) = delete;
    JobRunner& operator=(const JobRunner&) = delete;

    void submit(Job job);

private:
    void run(std::stop_token quit);

    std::mutex m_mutex;
    std::condition_variable_any m_wake;
    Job m_next;                 ///< the newest job that has not started; empty: none
    std::stop_source m_running; ///< of the job that runs
    std::jthread m_thread;      ///< last: it starts when everything above exists
};

} // namespace keyaxis
