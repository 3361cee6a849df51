// Linked to a program that a signal has ended, when it is run again to tell its author where: one line on stderr,
//
//   hpml crash: SIGNAL KIND OFFSET...
//
// KIND is "null" (an address below the first page), "stack" (the stack pointer is beyond the stack's limit) or "other". The
// offsets are in this program's or library's own file: where it was, then its callers from the inside out. crashes.py
// turns them into a line of the source. With HPML_STOP_AFTER_S defined, a program that still runs after that many seconds
// gets SIGALRM and reports in the same way.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <dlfcn.h>
#include <execinfo.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <ucontext.h>
#include <unistd.h>

#ifdef __cplusplus
extern "C" {
#endif

extern void* __libc_stack_end;  // of the first thread

enum { FRAMES = 48, FIRST_PAGE = 4096, NEAR = 1 << 16 };

static char alternate[1 << 16];  // a full stack leaves no room for a handler

static uintptr_t instruction(const ucontext_t* context) {
#if defined(__x86_64__)
  return (uintptr_t)context->uc_mcontext.gregs[REG_RIP];
#elif defined(__aarch64__)
  return (uintptr_t)context->uc_mcontext.pc;
#else
  return 0;
#endif
}

static uintptr_t stack_pointer(const ucontext_t* context) {
#if defined(__x86_64__)
  return (uintptr_t)context->uc_mcontext.gregs[REG_RSP];
#elif defined(__aarch64__)
  return (uintptr_t)context->uc_mcontext.sp;
#else
  return (uintptr_t)context;
#endif
}

static const char* kind(const siginfo_t* info, const ucontext_t* context) {
  if (info->si_signo != SIGSEGV && info->si_signo != SIGBUS) {
    return "other";
  }
  if ((uintptr_t)info->si_addr < FIRST_PAGE) {
    return "null";
  }
  struct rlimit stack;
  getrlimit(RLIMIT_STACK, &stack);
  const int full = (uintptr_t)__libc_stack_end - stack_pointer(context) + NEAR > stack.rlim_cur;
  return full ? "stack" : "other";
}

static void report(int number, siginfo_t* info, void* where) {
  const ucontext_t* context = (const ucontext_t*)where;
  void* frames[FRAMES];
  frames[0] = (void*)instruction(context);
  const int count = 1 + backtrace(frames + 1, FRAMES - 1);
  Dl_info own, other;
  char line[FRAMES * 20];
  int used = snprintf(line, sizeof line, "\nhpml crash: %d %s", number, kind(info, context));
  if (dladdr((void*)report, &own) != 0) {
    for (int i = 0; i < count && used < (int)sizeof line - 20; ++i) {
      // The address of a caller is that of its next instruction.
      if (dladdr(frames[i], &other) != 0 && other.dli_fbase == own.dli_fbase) {
        used += snprintf(line + used, sizeof line - (size_t)used, " %lx",
                         (unsigned long)((uintptr_t)frames[i] - (uintptr_t)own.dli_fbase - (i > 0)));
      }
    }
  }
  line[used++] = '\n';
  if (write(STDERR_FILENO, line, (size_t)used) != used) {
    _exit(1);
  }
  signal(number, SIG_DFL);
  raise(number);
}

__attribute__((constructor)) static void watch(void) {
  void* frame[1];
  backtrace(frame, 1);  // loads what it needs while there is a stack
  stack_t stack;
  memset(&stack, 0, sizeof stack);
  stack.ss_sp = alternate;
  stack.ss_size = sizeof alternate;
  sigaltstack(&stack, NULL);
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_sigaction = report;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESETHAND;
  const int numbers[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGALRM};
  for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; ++i) {
    sigaction(numbers[i], &action, NULL);
  }
#ifdef HPML_STOP_AFTER_S
  struct itimerval timer;
  memset(&timer, 0, sizeof timer);
  timer.it_value.tv_sec = HPML_STOP_AFTER_S;
  setitimer(ITIMER_REAL, &timer, NULL);
#endif
}

#ifdef __cplusplus
}
#endif
