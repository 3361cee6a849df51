// Does a worker answer what it is asked, and can the code in it do nothing else?
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>

#include "common/worker/library.hpp"
#include "doubling.hpp"

namespace hpml::worker {
namespace {

constexpr int kKilled = 128;

void twice(const float* in, float* out) {
  for (int64_t i = 0; i < kFloats; ++i) {
    out[i] = 2 * in[i];
  }
}

TEST(Host, EachCallComputesFromTheInputsOfThatMoment) {
  auto host = host_of(twice);
  ASSERT_TRUE(host.ok());
  std::vector<float> result(kFloats);
  for (const float value : {3.0F, 5.0F}) {
    (*host)->buffers().input<float>(0, kFloats)[kFloats - 1] = value;
    ASSERT_TRUE(ask(**host, result).ok());
    EXPECT_EQ(result[0], 0.0F);
    EXPECT_EQ(result[kFloats - 1], 2 * value);
  }
  EXPECT_GT((*host)->wall_ns(), 0);
}

TEST(Host, WhatTheCodeDoesNotWriteStaysAsItWasGiven) {
  auto host = host_of([](const float*, float* out) { out[0] = 1; });
  ASSERT_TRUE(host.ok());
  for (const float poison : {-1.0F, -2.0F}) {
    std::vector<float> result(kFloats, poison);
    ASSERT_TRUE(ask(**host, result).ok());
    EXPECT_EQ(result[0], 1.0F);
    EXPECT_EQ(result[1], poison);
  }
}

TEST(Host, RequestsCarryTheirWords) {
  auto host = Host::start({{}, {sizeof(int64_t)}}, [](const Buffers& buffers) -> Function {
    return
        [&buffers](const Request& request) { *buffers.output<int64_t>(0, 1) = request.words[4] - request.operation; };
  });
  ASSERT_TRUE(host.ok());
  int64_t result = 0;
  const Output output{0, std::as_writable_bytes(std::span(&result, 1))};
  ASSERT_TRUE((*host)->ask({.operation = 3, .words = {0, 0, 0, 0, int64_t{1} << 40}}, {&output, 1}).ok());
  EXPECT_EQ(result, (int64_t{1} << 40) - 3);
}

TEST(Host, CodeThatWritesItsInputsOrReadsBehindThemIsKilled) {
  EXPECT_EQ(called([](const float* in, float*) { *const_cast<float*>(in) = 1; }).error().status, kKilled + SIGSEGV);
  EXPECT_EQ(called([](const float* in, float* out) { out[0] = in[kFloats]; }).error().status, kKilled + SIGSEGV);
  EXPECT_EQ(called([](const float*, float* out) { out[kFloats] = 0; }).error().status, kKilled + SIGSEGV);
}

TEST(Host, InputsCannotBeMadeWritable) {
  auto host = host_of([](const float* in, float* out) {
    const auto page = reinterpret_cast<uintptr_t>(in) & ~static_cast<uintptr_t>(sysconf(_SC_PAGESIZE) - 1);
    out[0] = mprotect(reinterpret_cast<void*>(page), 1, PROT_READ | PROT_WRITE) == 0 ? 1 : -1;
  });
  ASSERT_TRUE(host.ok());
  std::vector<float> result(kFloats);
  ASSERT_TRUE(ask(**host, result).ok());
  EXPECT_EQ(result[0], -1.0F);
}

TEST(Host, AWorkerHasTwoPipesAndNoOtherFile) {
  auto host = host_of([](const float*, float* out) {
    for (int file = 0; file < 1024; ++file) {
      out[0] += fcntl(file, F_GETFD) >= 0 ? 1 : 0;
    }
  });
  ASSERT_TRUE(host.ok());
  std::vector<float> result(kFloats);
  ASSERT_TRUE(ask(**host, result).ok());
  EXPECT_EQ(result[0], 5.0F);  // standard input, output and error as well
}

// With a filter that allows everything, so that what is refused here is refused for naming another process.
TEST(Host, NoOtherProcessCanBeSignalledLimitedOrMoved) {
  const sock_filter allow_all = BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
  const std::string path = testing::TempDir() + "allow_all";
  std::ofstream(path, std::ios::binary).write(reinterpret_cast<const char*>(&allow_all), sizeof allow_all);
  setenv("HPML_FILTER", path.c_str(), 1);
  auto host = host_of([](const float*, float* out) {
    const pid_t other = getppid(), own = getpid();
    cpu_set_t processors;
    rlimit limit{};
    const auto works = [](long result) { return result == 0 ? 1.0F : 0.0F; };
    sched_getaffinity(0, sizeof processors, &processors);
    getrlimit(RLIMIT_CPU, &limit);
    const float results[] = {works(syscall(SYS_tgkill, own, own, 0)),
                             works(syscall(SYS_prlimit64, 0, RLIMIT_CPU, &limit, nullptr)),
                             works(sched_setaffinity(0, sizeof processors, &processors)),
                             works(fcntl(kAnswers, F_SETFD, 0)),
                             works(syscall(SYS_tgkill, other, other, 0)),
                             works(syscall(SYS_prlimit64, other, RLIMIT_CPU, nullptr, &limit)),
                             works(sched_setaffinity(other, sizeof processors, &processors)),
                             works(fcntl(kAnswers, F_SETOWN, other)),
                             works(fcntl(kAnswers, F_SETSIG, SIGSTOP))};
    std::ranges::copy(results, out);
  });
  unsetenv("HPML_FILTER");
  ASSERT_TRUE(host.ok());
  std::vector<float> result(kFloats, -1);
  ASSERT_TRUE(ask(**host, result).ok());
  EXPECT_EQ(std::vector<float>(result.begin(), result.begin() + 9), (std::vector<float>{1, 1, 1, 1, 0, 0, 0, 0, 0}));
}

TEST(Host, AnAnswerOfTheCodesOwnIsAPolicyViolation) {
  const auto forge = [](const float*, float*) {
    const uint64_t forged = 2;
    EXPECT_EQ(write(kAnswers, &forged, sizeof forged), ssize_t{sizeof forged});
  };
  EXPECT_EQ(called(forge).error().status, kPolicy);
}

TEST(Host, AnAnswerBeforeTheNextRequestIsAPolicyViolation) {
  auto host = host_of([](const float*, float*) {
    const uint64_t answers[2] = {1, 2};
    EXPECT_EQ(write(kAnswers, answers, sizeof answers), ssize_t{sizeof answers});
  });
  ASSERT_TRUE(host.ok());
  std::vector<float> result(kFloats);
  ASSERT_TRUE(ask(**host, result).ok());
  EXPECT_EQ(ask(**host, result).error().status, kPolicy);
}

constexpr int64_t kSpinNs = 100'000'000;

int64_t own_cpu_ns() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return now.tv_sec * 1'000'000'000 + now.tv_nsec;
}

void spin(int) {
  for (const int64_t end = own_cpu_ns() + kSpinNs; own_cpu_ns() < end;) {
  }
}

TEST(Host, WorkBetweenTheCallsIsAPolicyViolation) {
  auto host = host_of([](const float*, float*) {
    signal(SIGALRM, spin);
    const itimerval soon = {{0, 0}, {0, 1000}};
    setitimer(ITIMER_REAL, &soon, nullptr);
  });
  ASSERT_TRUE(host.ok());
  std::vector<float> result(kFloats);
  Answer<Ok> done = ask(**host, result);
  for (int tries = 0; tries < 20 && done.ok(); ++tries) {
    usleep(3 * kSpinNs / 1000);  // a request that comes while it works would have it wait, and be charged for that
    done = ask(**host, result);
  }
  ASSERT_FALSE(done.ok());
  EXPECT_EQ(done.error().status, kPolicy);
  EXPECT_NE(done.error().text.find("while it was not asked"), std::string::npos);
}

TEST(Host, CodeThatEndsItsProcessHasNoResult) {
  const Answer<Ok> done = called([](const float*, float*) { _exit(0); });
  EXPECT_EQ(done.error().status, kFailed);
  EXPECT_EQ(done.error().text, "it ended the program instead of returning a result");
  EXPECT_EQ(called([](const float*, float*) { _exit(7); }).error().text, "");
}

// How many instructions a counted worker executes for a function; `most` + 1 where it takes more.
Answer<int64_t> counted(void (*function)(const float*, float*), int64_t most) {
  auto host = Host::start_counted(floats(), [function](const Buffers& buffers) -> Function {
    return [&buffers, function](const Request&) {
      function(buffers.input<float>(0, kFloats), buffers.output<float>(0, kFloats));
    };
  });
  EXPECT_TRUE(host.ok() && (*host)->can_count());
  std::vector<float> result(kFloats, -1.0F);
  const Output output{0, std::as_writable_bytes(std::span(result))};
  Answer<int64_t> steps = (*host)->count_instructions({}, {&output, 1}, most);
  if (steps.ok() && *steps <= most) {
    EXPECT_EQ(result[0], 1.0F);  // counting does not end the worker: it answers again
    EXPECT_TRUE((*host)->ask({}, {&output, 1}).ok());
  }
  return steps;
}

template <int kTimes>
void waste(const float*, float* out) {
  for (int i = 0; i < kTimes; ++i) {
    asm volatile("");
  }
  out[0] = 1;
}

TEST(Host, InstructionsOfAWorkerAreCountedOneByOne) {
  constexpr int64_t kMost = 1'000'000;
  const auto few = counted(waste<1000>, kMost), many = counted(waste<3000>, kMost);
  ASSERT_TRUE(few.ok() && many.ok());
  EXPECT_GT(*few, 1000);
  EXPECT_GE(*many - *few, 2000);
  EXPECT_NEAR(*many, *counted(waste<3000>, kMost),
              200);  // the way out of the wait for a request is not always the same
  EXPECT_EQ(*counted(waste<3000>, 500), 501);
  EXPECT_EQ(counted([](const float*, float*) { raise(SIGSEGV); }, kMost).error().status, kKilled + SIGSEGV);
  EXPECT_EQ(counted([](const float*, float*) { _exit(0); }, kMost).error().status, kFailed);
}

TEST(Host, MemoryMayBeLargerThanTheLimitOnFileSizes) {
  const pid_t child = fork();  // the limit cannot be raised again
  if (child == 0) {
    const rlimit small = {100'000, 100'000};
    setrlimit(RLIMIT_FSIZE, &small);
    constexpr int64_t kMany = 200'000;
    auto host = Host::start(floats(kMany), [](const Buffers& buffers) -> Function {
      return [&buffers](const Request&) {
        for (int64_t i = 0; i < kMany; ++i) {
          buffers.output<float>(0, kMany)[i] = buffers.input<float>(0, kMany)[i] + 1;
        }
      };
    });
    std::vector<float> result(kMany);
    _exit(host.ok() && ask(**host, result).ok() && result == std::vector<float>(kMany, 1.0F) ? 0 : 1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
}

TEST(Library, WhatCannotBeLoadedIsSaid) {
  EXPECT_FALSE(Library::load("/nowhere.so", "f", "int {}()").ok());
  const auto library = Library::load("libm.so.6", "no_such", "int {}()");
  ASSERT_FALSE(library.ok());
  EXPECT_EQ(library.error().message, "it has no function 'no_such': int no_such()");
  auto cosine = Library::load("libm.so.6", "cos", "double {}(double)");
  ASSERT_TRUE(cosine.ok());
  EXPECT_EQ(cosine->function<double(double)>()(0.0), 1.0);
}

}  // namespace
}  // namespace hpml::worker
