// Real disturbances of a real measurement: it must come out right or inconclusive, whatever happens to the machine.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "common/bench/keep.hpp"
#include "common/bench/kernels/table.hpp"
#include "common/bench/load.hpp"
#include "common/bench/paired.hpp"
#include "common/bench/selftest.hpp"

namespace hpml::bench {
namespace {

constexpr int64_t kWork = 1000 * kAddChainUnit * 20;  // additions: some tenths of a millisecond
constexpr useconds_t kSecond = 1000000;

struct Answer {
  Validity validity = Validity::clock_stepped;
  double ratio = 0, ratio_of_walls = 0;
};

void add(int64_t additions) {
  uint64_t value = add_chain(additions);
  keep(value);
}

Answer answer_of(const std::function<void()>& before_each) {
  SystemClock clock;
  PairedPlan plan;
  plan.sample_ns = 1;  // one call per sample
  const Paired paired = compare(
      clock,
      [&] {
        before_each();
        add(kWork);
      },
      [] { add(2 * kWork); }, plan);
  return {paired.validity, paired.ratio, summarize(paired.wall_b).min / summarize(paired.wall_a).min};
}

// One piece of work against twice as much of it, in a process of its own; `disturb` gets that process while it
// measures, and returns when it need not be disturbed any more.
Answer measured(const std::function<void()>& before_each, const std::function<void(pid_t)>& disturb) {
  int ends[2];
  EXPECT_EQ(pipe(ends), 0);
  const pid_t child = fork();
  if (child == 0) {
    const Answer answer = answer_of(before_each);
    _exit(write(ends[1], &answer, sizeof answer) == sizeof answer ? 0 : 1);
  }
  disturb(child);
  waitpid(child, nullptr, 0);
  Answer answer;
  EXPECT_EQ(read(ends[0], &answer, sizeof answer), static_cast<ssize_t>(sizeof answer));
  close(ends[0]);
  close(ends[1]);
  return answer;
}

void expect_right_or_inconclusive(const Answer& answer) {
  if (answer.validity == Validity::valid) {
    EXPECT_GT(answer.ratio, 1.2);  // wide: a noisy machine slows one side down by half before a verdict notices
    EXPECT_LT(answer.ratio, 3.3);
  }
  testing::Test::RecordProperty("verdict", to_string(answer.validity));
}

// A stop in every call of one side: elapsed time then says that this side is many times slower.
TEST(Injection, StopsOfOneSideOnlyDoNotCount) {
  const Answer answer =
      measured([] { raise(SIGSTOP); },
               [](pid_t child) {
                 siginfo_t what{};
                 while (waitid(P_PID, static_cast<id_t>(child), &what, WSTOPPED | WEXITED | WNOWAIT) == 0 &&
                        what.si_code == CLD_STOPPED) {
                   waitid(P_PID, static_cast<id_t>(child), &what, WSTOPPED);
                   usleep(3000);
                   kill(child, SIGCONT);
                 }
               });
  expect_right_or_inconclusive(answer);
  EXPECT_LT(answer.ratio_of_walls, 1.0);  // the stops did happen
}

TEST(Injection, AStopOfASecondDoesNotCount) {
  expect_right_or_inconclusive(measured([] {},
                                        [](pid_t child) {
                                          usleep(5000);
                                          kill(child, SIGSTOP);
                                          usleep(kSecond);
                                          kill(child, SIGCONT);
                                        }));
}

TEST(Injection, OtherWorkOnEveryProcessorDoesNotCount) {
  const LoadGenerator load(2, 2);
  expect_right_or_inconclusive(measured([] {}, [](pid_t) {}));
}

TEST(Injection, HogsOfTheMemoryDoNotCount) {
  const LoadGenerator load(0, 4);
  expect_right_or_inconclusive(measured([] {}, [](pid_t) {}));
}

// A group that may use a tenth of a processor; empty where this machine lets nobody make one.
class QuotaGroup {
 public:
  QuotaGroup() {
    const std::string name = fmt::format("hpml-test-{}", getpid());
    for (const std::filesystem::path top : {"/sys/fs/cgroup/cpu", "/sys/fs/cgroup"}) {
      std::error_code error;
      const bool new_form = std::filesystem::exists(top / "cgroup.controllers");
      if ((new_form || std::filesystem::exists(top / "cpu.shares")) &&
          std::filesystem::create_directory(top / name, error)) {
        path_ = top / name;
        const bool set = new_form ? written("cpu.max", "5000 50000")
                                  : written("cpu.cfs_period_us", "50000") && written("cpu.cfs_quota_us", "5000");
        if (set) {
          return;
        }
        remove();
      }
    }
  }
  ~QuotaGroup() { remove(); }
  bool made() const { return !path_.empty(); }
  bool take(pid_t process) const { return written("cgroup.procs", std::to_string(process)); }

 private:
  bool written(const char* name, const std::string& text) const {
    std::ofstream file(path_ / name);
    return static_cast<bool>(file << text << std::flush);
  }
  void remove() {
    std::error_code error;
    if (made()) {
      std::filesystem::remove(path_, error);
    }
    path_.clear();
  }
  std::filesystem::path path_;
};

TEST(Injection, AQuotaThatHoldsTheProcessorBackIsRightOrInconclusive) {
  const QuotaGroup group;
  if (!group.made()) {
    GTEST_SKIP() << "this machine lets us make no control group with a quota";
  }
  expect_right_or_inconclusive(measured([] {}, [&](pid_t child) { EXPECT_TRUE(group.take(child)); }));
}

// A few trials of what `hpml-bench selftest --load` does at length.
TEST(Injection, EqualComesOutEqualAndAThirdMoreIsSeenUnderLoad) {
  const LoadGenerator load(2, 2);
  SystemClock clock;
  PairedPlan plan;
  plan.sample_ns = 200000;
  const SelfTest result = self_test(clock, 5, plan);
  EXPECT_GE(result.equal_right, result.equal_valid - 1) << "of " << result.equal_valid;
  EXPECT_GE(result.slower_seen, result.slower_valid - 1) << "of " << result.slower_valid;
}

}  // namespace
}  // namespace hpml::bench
