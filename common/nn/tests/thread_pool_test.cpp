#include "common/nn/thread_pool.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <limits>
#include <vector>

namespace hpml::nn {
namespace {

TEST(ThreadPool, RunsEveryTaskOfManyLoopsOnce) {
  for (const int threads : {1, 2, 5}) {
    ThreadPool pool(threads);
    EXPECT_EQ(pool.threads(), threads);
    for (int loop = 0; loop < 300; ++loop) {
      const int tasks = loop % 13;
      std::vector<std::atomic<int>> runs(13);
      pool.run(tasks, [&](int task) { runs[static_cast<size_t>(task)] += 1; });
      for (int task = 0; task < 13; ++task) {
        ASSERT_EQ(runs[static_cast<size_t>(task)], task < tasks ? 1 : 0) << threads << " threads, loop " << loop;
      }
    }
  }
}

TEST(ThreadPool, GivesEveryThreadScratchOfItsOwn) {
  ThreadPool pool(3);
  std::atomic<int> wrong = 0;
  pool.run(100, [&](int task, float* scratch) {
    for (int64_t i = 0; i < kScratchFloats; i += 4096) {
      scratch[i] = static_cast<float>(task);
    }
    for (int64_t i = 0; i < kScratchFloats; i += 4096) {
      wrong += scratch[i] != static_cast<float>(task) ? 1 : 0;
    }
  });
  EXPECT_EQ(wrong, 0);
}

TEST(ThreadPool, FlushesDenormalsInTasksAndNotOutside) {
  volatile float smallest = std::numeric_limits<float>::min();
  ThreadPool pool(2);
  std::atomic<int> kept = 0;
  pool.run(50, [&](int) { kept += smallest / 2 != 0 ? 1 : 0; });
  EXPECT_EQ(kept, 0);
  EXPECT_NE(smallest / 2, 0);
}

// A loop that the caller finishes alone wakes a thread just before the pool ends.
TEST(ThreadPool, EndsWhereverItsThreadsStand) {
  for (int i = 0; i < 5000; ++i) {
    ThreadPool pool(2);
    for (int loop = 0; loop < 5; ++loop) {
      pool.run(2, [](int) {});
    }
  }
}

TEST(Part, CoversTheRangeInOrderWithPiecesOfNearlyEqualSize) {
  for (const int64_t n : {0, 1, 7, 8, 100}) {
    int64_t at = 0;
    for (int i = 0; i < kSlices; ++i) {
      const Range range = part(n, i, kSlices);
      EXPECT_EQ(range.begin, at);
      EXPECT_LE(range.size() - n / kSlices, 1);
      at = range.end;
    }
    EXPECT_EQ(at, n);
  }
}

}  // namespace
}  // namespace hpml::nn
