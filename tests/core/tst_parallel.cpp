#include "core/parallel.h"

#include <QTest>
#include <new>

using namespace keyaxis;

class TestParallel : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyBlockRunsOnce_data() { addThreadCounts(); }
    void everyBlockRunsOnce()
    {
        QFETCH(int, nThreads);
        setThreadCount(nThreads);
        for (const Index nBlocks : {Index{0}, Index{1}, Index{2}, Index{100}}) {
            std::vector<int> runs(static_cast<std::size_t>(nBlocks), 0);
            QVERIFY(forEachBlock(nBlocks, {},
                                 [&](Index block) { ++runs[static_cast<std::size_t>(block)]; }));
            QVERIFY(std::ranges::all_of(runs, [](int n) { return n == 1; }));
        }
    }

    void aStopSkipsTheRest()
    {
        setThreadCount(2);
        std::stop_source source;
        std::atomic<Index> nRun{0};
        QVERIFY(!forEachBlock(1000, source.get_token(), [&](Index) {
            ++nRun;
            source.request_stop();
        }));
        QVERIFY(nRun < 1000);
    }

    void anExceptionIsThrownAgainBehindTheRegion_data() { addThreadCounts(); }
    void anExceptionIsThrownAgainBehindTheRegion()
    {
        QFETCH(int, nThreads);
        setThreadCount(nThreads);
        QVERIFY_EXCEPTION_THROWN(forEachBlock(50, {},
                                              [](Index block) {
                                                  if (block % 10 == 3)
                                                      throw std::bad_alloc();
                                              }),
                                 std::bad_alloc);
        QVERIFY_EXCEPTION_THROWN(forEachBlock(1, {}, [](Index) { throw std::bad_alloc(); }),
                                 std::bad_alloc);
    }

private:
    static void addThreadCounts()
    {
        QTest::addColumn<int>("nThreads");
        for (const int nThreads : {1, 2, 5})
            QTest::addRow("%d threads", nThreads) << nThreads;
    }
};

QTEST_APPLESS_MAIN(TestParallel)
#include "tst_parallel.moc"
