// Are times of workers and programs those of their work, and do inputs change?
#include <sys/stat.h>

#include <filesystem>
#include <fstream>

#include "common/bench/keep.hpp"
#include "common/bench/kernels/table.hpp"
#include "common/worker/asleep.hpp"
#include "common/worker/beside.hpp"
#include "common/worker/compare.hpp"
#include "common/worker/fresh.hpp"
#include "doubling.hpp"

namespace hpml::worker {
namespace {

auto additions(int64_t count) {
  return [count](const float*, float*) {
    uint64_t value = bench::add_chain(count);
    bench::keep(value);
  };
}

TEST(Compare, TheTimeIsThatOfTheWorkersWork) {
  constexpr int64_t kWork = bench::kAddChainUnit * 1000;
  auto a = host_of(additions(kWork)), b = host_of(additions(16 * kWork));
  ASSERT_TRUE(a.ok() && b.ok());
  std::vector<float> result(kFloats);
  const auto paired = compare({**a, [&] { return ask(**a, result); }}, {**b, [&] { return ask(**b, result); }},
                              {.pairs = 11, .sessions = 1, .sample_ns = 1});
  ASSERT_TRUE(paired.ok());
  // The wide bounds are for machines where others take the processor; how exact a ratio is, bench/ measures.
  EXPECT_GT(paired->ratio, 4);
  EXPECT_LT(paired->ratio, 64);
}

TEST(Compare, AFailedCallIsNoRatio) {
  auto a = host_of(additions(bench::kAddChainUnit)), b = host_of([](const float*, float*) { _exit(0); });
  ASSERT_TRUE(a.ok() && b.ok());
  std::vector<float> result(kFloats);
  const auto paired = compare({**a, [&] { return ask(**a, result); }}, {**b, [&] { return ask(**b, result); }});
  ASSERT_FALSE(paired.ok());
  EXPECT_EQ(paired.error().status, kFailed);
}

TEST(Fresh, ChangesAreInTheSharedInputAndInTheCopy) {
  Random random = unpredictable();
  std::vector<int8_t> shared(64);
  FreshInput<int8_t> input(random, shared, 100);
  for (int i = 0; i < 1000; ++i) {
    const int8_t before = shared[0];
    const auto change = input.change_one(random);
    EXPECT_EQ(change.at == 0 ? change.before : before, before);
    EXPECT_EQ(input.values()[change.at], change.after);
    EXPECT_LE(std::abs(int{change.after}), 100);
    ASSERT_EQ(shared, input.values());
  }
  const std::vector<int8_t> before = shared;
  input.change_all(random);
  EXPECT_EQ(shared, input.values());
  EXPECT_NE(shared, before);
}

class Program : public testing::Test {
 protected:
  Program() : folder_(std::filesystem::path(testing::TempDir()) / ("it's here " + std::to_string(getpid()))) {
    std::filesystem::create_directories(folder_);
  }
  ~Program() override { std::filesystem::remove_all(folder_); }
  std::string script(const std::string& text) const {
    const std::string path = folder_ / "program";
    std::ofstream(path) << "#!/bin/sh\n" << text << "\n";
    chmod(path.c_str(), 0755);
    return path;
  }

 private:
  std::filesystem::path folder_;
};

TEST_F(Program, OutputAndArgumentsAreAsGiven) {
  EXPECT_EQ(run_program({script("echo \"$1\""), "a  'b' $HOME"}).output, "a  'b' $HOME\n");
}

TEST_F(Program, OneThatFailsHasNoOutput) {
  EXPECT_EQ(run_program({script("echo 1; exit 1")}).output, "");
  EXPECT_EQ(run_program({"/no/such/program"}).output, "");
}

TEST_F(Program, WaitingIsNoProcessorTime) {
  const Times times = run_program({script("sleep 0.2")}).times;
  EXPECT_GE(times.wall_ns, 200'000'000);
  EXPECT_LT(times.cpu_ns, 200'000'000);
}

TEST_F(Program, WhatFollowsItsFirstOutputIsTimedApart) {
  const ProgramRun late = run_program({script("sleep 0.2; echo 1")}),
                   early = run_program({script("echo 1; sleep 0.2; echo 2")});
  EXPECT_LT(late.after_ns, 100'000'000);
  EXPECT_GE(early.after_ns, 200'000'000);
  EXPECT_EQ(run_program({script("sleep 0.01")}).after_ns, 0) << "it said nothing";
}

TEST_F(Program, ReferencesAreMeasuredBeforeEachOfItsRuns) {
  int slow = 0, fast = 0;
  const Reference reference{"work",
                            7.0,
                            {[&] {
                               ++slow;
                               return Times{20, 20};
                             },
                             [&] {
                               ++fast;
                               return Times{10, 9};
                             }}};
  const auto result = beside({reference}, {script("echo x")}, 2);
  ASSERT_TRUE(result.ok());
  EXPECT_EQ((*result)["outputs"], nlohmann::json({"x\n", "x\n"}));
  EXPECT_EQ((*result)["runs"].size(), 2U);
  EXPECT_EQ((*result)["units"]["work"], 7.0);
  EXPECT_EQ((*result)["samples"]["work"].size(), 10U);
  EXPECT_EQ((*result)["samples"]["work"][0], nlohmann::json({{"wall_ns", 10}, {"cpu_ns", 9}}));
  EXPECT_EQ(slow, fast);
}

TEST_F(Program, TheKernelTellsASleepFromWork) {
  const auto asleep_s = [this](const std::string& text, int threads) {
    Asleep asleep;
    run_program({script(text)}, [&](pid_t program) { asleep.look(program); });
    EXPECT_TRUE(asleep.known());
    return static_cast<double>(asleep.ns(threads)) * 1e-9;
  };
  EXPECT_GT(asleep_s("exec sleep 0.3", 1), 0.2);
  EXPECT_EQ(asleep_s("exec sleep 0.1", 2), 0);
  EXPECT_LT(asleep_s("i=0; while [ $i -lt 30000 ]; do i=$((i+1)); done", 1), 0.02);
}

TEST(Asleep, AWaitWithoutATimeOutIsNoSleep) {
  const auto futex = [](const char* timeout) {
    return std::string("202 0x1 0x189 0x0 ") + timeout + " 0x0 0x0 0x7f 0x7f";
  };
  EXPECT_TRUE(waits_for_time(futex("0x7ffd00")));
  EXPECT_FALSE(waits_for_time(futex("0x0")));
  EXPECT_TRUE(waits_for_time("7 0x7ffd 0x1 0x5 0x0 0x0 0x0 0x7f 0x7f"));
  EXPECT_FALSE(waits_for_time("7 0x7ffd 0x1 0xffffffffffffffff 0x0 0x0 0x0 0x7f 0x7f"));
  for (const char* line : {"running", "", "-1 0x7f 0x7f", "0 0x1 0x7f 0x10 0x0 0x0 0x0 0x7f 0x7f", "230"}) {
    EXPECT_FALSE(waits_for_time(line)) << line;
  }
}

}  // namespace
}  // namespace hpml::worker
