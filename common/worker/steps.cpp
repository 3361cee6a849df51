// How many instructions a worker executes for one request: it is stopped after each (ptrace(2)). The same whatever else
// the machine does, but for some dozen with which it leaves its wait; and nothing that the worker can change.
#include <signal.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/worker/host.hpp"

namespace hpml::worker {

// Then the worker is stopped, and every thread or process that it starts will be seen.
bool Host::stop_for_counting() {
  constexpr long kOptions = PTRACE_O_EXITKILL | PTRACE_O_TRACECLONE | PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK;
  int status = 0;
  return ptrace(PTRACE_SEIZE, child_, 0, kOptions) == 0 && ptrace(PTRACE_INTERRUPT, child_, 0, 0) == 0 &&
         waitpid(child_, &status, 0) == child_ && WIFSTOPPED(status);
}

bool Host::can_count() { return stop_for_counting() && ptrace(PTRACE_DETACH, child_, 0, 0) == 0; }

// The worker is stopped, and stays so after its answer.
Answer<int64_t> Host::step_until_answered(int64_t most) {
  int deliver = 0;
  for (int64_t steps = 0; !has_answered(); ++steps) {
    int status = 0;
    if (steps == most || ptrace(PTRACE_SINGLESTEP, child_, 0, deliver) != 0 || waitpid(child_, &status, 0) != child_) {
      return most + 1;
    }
    if (!WIFSTOPPED(status)) {
      return ended_with(status);
    }
    if (status >> 16 != 0) {
      return Failure{kPolicy, "it starts a thread or a process while its instructions are counted"};
    }
    deliver = WSTOPSIG(status) == SIGTRAP ? 0 : WSTOPSIG(status);
    if (has_answered()) {
      return steps + 1;
    }
  }
  return 0;
}

Answer<int64_t> Host::count_instructions(Request request, std::span<const Output> outputs, int64_t most) {
  HPML_TRY_VOID(prepare(request, outputs));
  if (!stop_for_counting()) {
    return system_failure("a worker's instructions cannot be counted");
  }
  if (write(requests_.number(), &request, sizeof request) != sizeof request) {
    return ended();
  }
  HPML_TRY(const int64_t steps, step_until_answered(most));
  if (steps > most) {
    kill(child_, SIGKILL);
    waitpid(child_, nullptr, 0);
    child_ = -1;
    return steps;
  }
  ptrace(PTRACE_DETACH, child_, 0, 0);
  HPML_TRY_VOID(receive(request, outputs));
  seen_cpu_ns_ = cpu_ns();
  return steps;
}

}  // namespace hpml::worker
