#include "simulator/timing/gpu/team.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <mutex>
#include <set>
#include <vector>

namespace hpml::sim::timing {
namespace {

TEST(Team, DoesEveryShareOnceInEveryRound) {
  constexpr unsigned kShares = 5;
  constexpr int kRounds = 20'000;
  Team team(3, kShares);
  std::vector<int> done(kShares, 0);  // of each share: by whoever took it, seen by whoever takes it next
  for (int round = 1; round <= kRounds; ++round) {
    team.run([&](unsigned share) { ++done[share]; });
    ASSERT_EQ(done, std::vector<int>(kShares, round));
  }
}

TEST(Team, WakesThreadsThatHaveGoneToSleep) {
  Team team(2, 2);
  for (int pause = 0; pause < 5; ++pause) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    // Each share waits for the other to begin: two threads must be at work.
    std::atomic<int> begun = 0;
    team.run([&](unsigned) {
      ++begun;
      while (begun < 2) {
        std::this_thread::yield();
      }
    });
    EXPECT_EQ(begun, 2);
  }
}

TEST(Team, OfOneThreadWorksOnItAlone) {
  Team team(1, 3);
  std::set<std::thread::id> threads;
  team.run([&](unsigned) { threads.insert(std::this_thread::get_id()); });
  EXPECT_EQ(threads, std::set{std::this_thread::get_id()});
}

}  // namespace
}  // namespace hpml::sim::timing
