#include "simulator/cudart/runtime/crash.hpp"

#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <atomic>

namespace hpml::sim::cudart {
namespace {

constexpr int kSignals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTERM, SIGINT, SIGXCPU};
constexpr int kPatienceSeconds = 30;       // for a report of a very long run
constexpr uint64_t kNowhere = UINT64_MAX;  // no access has raised the signal
constexpr size_t kStackBytes = 64 * 1024;

void (*reporter)(int, uint64_t) = nullptr;
std::atomic<int> crashed{0};
std::atomic<uint64_t> accessed{kNowhere};
sem_t wanted, done;
pid_t owner = 0;
alignas(16) char alternate_stack[kStackBytes];  // a stack overflow leaves no other to run on

void* wait_for_crash(void*) {
  while (sem_wait(&wanted) != 0) {
  }
  reporter(crashed.load(), accessed.load());
  sem_post(&done);
  return nullptr;
}

void wait_for_report() {
  timespec until{};
  syscall(SYS_clock_gettime, CLOCK_REALTIME, &until);  // the interposed clock stands still here
  until.tv_sec += kPatienceSeconds;
  while (sem_timedwait(&done, &until) != 0 && errno == EINTR) {
  }
}

void handle(int signal, siginfo_t* info, void*) {
  int none = 0;
  if (getpid() == owner && crashed.compare_exchange_strong(none, signal)) {
    if ((signal == SIGSEGV || signal == SIGBUS) && info->si_code > 0) {  // sent by the kernel, not by kill()
      accessed = reinterpret_cast<uint64_t>(info->si_addr);
    }
    sem_post(&wanted);
    wait_for_report();
  }
  ::signal(signal, SIG_DFL);
  raise(signal);
}

}  // namespace

void install_crash_reporter(void (*report)(int, uint64_t)) {
  reporter = report;
  owner = getpid();
  sem_init(&wanted, 0, 0);
  sem_init(&done, 0, 0);
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);  // the thread takes no signals: they belong to the program
  pthread_t thread{};
  const bool started = pthread_create(&thread, nullptr, wait_for_crash, nullptr) == 0;
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  if (!started) {
    return;
  }
  pthread_detach(thread);
  const stack_t stack{.ss_sp = alternate_stack, .ss_flags = 0, .ss_size = kStackBytes};
  sigaltstack(&stack, nullptr);
  for (const int signal : kSignals) {
    struct sigaction action {};
    if (sigaction(signal, nullptr, &action) == 0 && action.sa_handler == SIG_IGN) {
      continue;  // nohup, or a debugger to which the terminal's interrupt belongs
    }
    action = {};
    action.sa_sigaction = handle;
    action.sa_flags = SA_ONSTACK | SA_NODEFER | SA_SIGINFO;
    sigaction(signal, &action, nullptr);
  }
}

}  // namespace hpml::sim::cudart
