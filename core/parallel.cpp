#include "core/parallel.h"

#ifdef _OPENMP
#include <omp.h>
#endif

namespace keyaxis {

#ifdef _OPENMP
void setThreadCount(int nThreads)
{
    omp_set_num_threads(std::max(1, nThreads));
}
int threadCount()
{
    return omp_get_max_threads();
}
std::size_t threadIndex()
{
    return static_cast<std::size_t>(omp_get_thread_num());
}
#else
void setThreadCount(int) {}
int threadCount()
{
    return 1;
}
std::size_t threadIndex()
{
    return 0;
}
#endif

} // namespace keyaxis
