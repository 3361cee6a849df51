#include "simulator/cli/supervised.hpp"

#include <errno.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "simulator/cli/exit_code.hpp"

namespace hpml::sim::cli {
namespace {

constexpr int kAsked[] = {SIGTERM, SIGHUP};
// A terminal sends these to the child as well.
constexpr int kFromTerminal[] = {SIGINT, SIGQUIT};

volatile pid_t supervised = 0;

void pass_on(int signal) {
  if (supervised > 0) {
    kill(supervised, signal);
  }
}

void handle(void (*handler)(int), void (*terminal)(int)) {
  for (const int number : kAsked) {
    signal(number, handler);
  }
  for (const int number : kFromTerminal) {
    signal(number, terminal);
  }
}

}  // namespace

int run_supervised(const std::function<int()>& become) {
  sigset_t all, before;
  sigfillset(&all);
  sigprocmask(SIG_SETMASK, &all, &before);  // no signal between the two lives
  supervised = fork();
  if (supervised == 0) {
    sigprocmask(SIG_SETMASK, &before, nullptr);
    _exit(become());
  }
  handle(pass_on, SIG_IGN);
  sigprocmask(SIG_SETMASK, &before, nullptr);
  int status = W_EXITCODE(kOurFault, 0);
  while (supervised > 0 && waitpid(supervised, &status, 0) < 0 && errno == EINTR) {
  }
  supervised = 0;
  handle(SIG_DFL, SIG_DFL);
  return status;
}

int end_alike(int status) {
  if (WIFSIGNALED(status)) {
    const rlimit no_core{0, 0};  // the program has written its own
    setrlimit(RLIMIT_CORE, &no_core);
    signal(WTERMSIG(status), SIG_DFL);
    raise(WTERMSIG(status));
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : kOurFault;
}

}  // namespace hpml::sim::cli
