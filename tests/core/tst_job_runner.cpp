#include "core/job_runner.h"
#include "core/parallel.h"

#include <QTest>
#include <atomic>
#include <latch>
#include <semaphore>

using namespace keyaxis;

class TestJobRunner : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void runsOnlyTheNewestOfWaitingJobs()
    {
        JobRunner runner;
        std::latch started(1);
        std::binary_semaphore go(0);
        std::binary_semaphore done(0);
        std::atomic<int> ran{0};
        runner.submit([&](const std::stop_token&) {
            started.count_down();
            go.acquire();
        });
        started.wait();
        for (int job = 1; job <= 3; ++job)
            runner.submit([&, job](const std::stop_token&) {
                ran = ran * 10 + job;
                done.release();
            });
        go.release();
        done.acquire();
        QCOMPARE(ran.load(), 3);
    }

    void asksTheRunningJobToStop()
    {
        JobRunner runner;
        std::latch started(1);
        std::binary_semaphore done(0);
        std::atomic<bool> wasStopped{false};
        runner.submit([&](const std::stop_token& stop) {
            started.count_down();
            while (!stop.stop_requested())
                std::this_thread::yield();
            wasStopped = true;
        });
        started.wait();
        runner.submit([&](const std::stop_token& stop) {
            QVERIFY(!stop.stop_requested());
            done.release();
        });
        done.acquire();
        QVERIFY(wasStopped);
    }

    void quitsWhileAJobRuns()
    {
        std::atomic<bool> wasStopped{false};
        {
            std::latch started(1);
            JobRunner runner;
            runner.submit([&](const std::stop_token& stop) {
                started.count_down();
                while (!stop.stop_requested())
                    std::this_thread::yield();
                wasStopped = true;
            });
            started.wait();
        }
        QVERIFY(wasStopped);
    }

    void blocksAreAllDoneOrTheCallerIsTold()
    {
        std::atomic<Index> n{0};
        QVERIFY(forEachBlock(1000, {}, [&](Index block) { n += block; }));
        QCOMPARE(n.load(), 999 * 1000 / 2);
        std::stop_source source;
        QVERIFY(!forEachBlock(1000, source.get_token(), [&](Index block) {
            if (block == 0)
                source.request_stop();
        }));
    }
};

QTEST_APPLESS_MAIN(TestJobRunner)
#include "tst_job_runner.moc"
