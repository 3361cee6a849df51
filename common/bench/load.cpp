#include "common/bench/load.hpp"

#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <functional>

#include "common/base/check.hpp"
#include "common/bench/keep.hpp"
#include "common/bench/kernels/table.hpp"

namespace hpml::bench {
namespace {

constexpr int64_t kStreamed = 4 << 20;  // doubles of each array: beyond the caches near a processor

void spin() {
  for (;;) {
    uint64_t value = add_chain(1000 * kAddChainUnit);
    keep(value);
  }
}

void stream() {
  std::vector<double> from(kStreamed, 1.0), to(kStreamed);
  for (;;) {
    kernels_here().front()->copy(kStreamed, to.data(), from.data());
    keep(to.front());
  }
}

// It ends with this process, also where that is killed.
pid_t start(const std::function<void()>& work) {
  const pid_t parent = getpid(), child = fork();
  HPML_CHECK(child >= 0, "no process for the load");
  if (child == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() == parent) {
      work();
    }
    _exit(0);
  }
  return child;
}

}  // namespace

LoadGenerator::LoadGenerator(int spinners, int streamers) {
  for (int i = 0; i < spinners + streamers; ++i) {
    processes_.push_back(start(i < spinners ? spin : stream));
  }
}

LoadGenerator::~LoadGenerator() {
  for (const pid_t process : processes_) {
    kill(process, SIGKILL);
    waitpid(process, nullptr, 0);
  }
}

}  // namespace hpml::bench
