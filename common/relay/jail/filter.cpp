#include "common/relay/jail/filter.hpp"

#include <errno.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "common/relay/jail/bpf.hpp"
#include "common/relay/wire.hpp"

namespace hpml::relay::jail {
namespace {

constexpr std::uint32_t kAllow = SECCOMP_RET_ALLOW;
constexpr std::uint32_t kUnavailable = SECCOMP_RET_ERRNO | ENOSYS;

std::uint64_t word(const void* pointer) { return reinterpret_cast<std::uint64_t>(pointer); }

void allow_messages(Bpf& filter) {
  for (const long call : {SYS_read, SYS_readv}) {
    filter.rule(call, kAllow, {{0, kRankSocket}});
  }
  for (const long call : {SYS_write, SYS_writev}) {
    for (const std::uint64_t descriptor : {kRankSocket, STDOUT_FILENO, STDERR_FILENO}) {
      filter.rule(call, kAllow, {{0, descriptor}});
    }
  }
}

void allow_memory(Bpf& filter) {
  constexpr std::uint64_t kMask = MAP_ANONYMOUS | MAP_PRIVATE | MAP_SHARED;
  filter.rule(SYS_mmap, kAllow, {{3, MAP_ANONYMOUS | MAP_PRIVATE, kMask}});
  filter.rule(SYS_madvise, kAllow, {{2, MADV_DONTNEED}});
  filter.rule(SYS_madvise, kUnavailable);  // advice about shared pages of the program can be felt by other ranks
  for (const long call : {SYS_munmap, SYS_mremap, SYS_mprotect, SYS_brk}) {
    filter.rule(call, kAllow);
  }
}

// What the C library does before main(), at exit, in abort() and in a signal handler.
void allow_runtime(Bpf& filter, const Start& start) {
  for (const long call : {SYS_exit, SYS_exit_group, SYS_set_tid_address, SYS_set_robust_list, SYS_rseq, SYS_getrandom,
                          SYS_rt_sigprocmask, SYS_rt_sigreturn, SYS_getpid, SYS_gettid, SYS_futex}) {
    filter.rule(call, kAllow);
  }
#if defined(__x86_64__)
  filter.rule(SYS_arch_prctl, kAllow);
  filter.rule(SYS_readlink, kUnavailable);
#endif
  filter.rule(SYS_prlimit64, kAllow, {{0, 0}, {2, 0}});  // asks for a limit of its own
  filter.rule(SYS_tgkill, kAllow, {{0, static_cast<std::uint64_t>(getpid())}});
  // Until close_filter():
  filter.rule(SYS_rt_sigaction, kAllow, {{0, SIGSYS}});
  filter.rule(SYS_rt_sigaction, kAllow, {{0, SIGSEGV}});
  filter.rule(SYS_seccomp, kAllow, {{0, SECCOMP_SET_MODE_FILTER}, {1, 0}});
  filter.rule(SYS_execve, kAllow, {{0, word(start.program)}, {1, word(start.arguments)}, {2, word(start.environment)}});
  // The C library asks and does without an answer: kind of an output, path of the program, memory of the machine.
  for (const long call : {SYS_newfstatat, SYS_fstat, SYS_ioctl, SYS_lseek, SYS_readlinkat, SYS_sysinfo}) {
    filter.rule(call, kUnavailable);
  }
}

}  // namespace

bool install_filter(const Start& start) {
  // Fails where the processor or the kernel cannot (README.md says what is left then).
  prctl(PR_SET_TSC, PR_TSC_SIGSEGV, 0, 0, 0);
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) {
    return false;
  }
  Bpf filter;
  allow_messages(filter);
  allow_memory(filter);
  allow_runtime(filter, start);
  return filter.install(SECCOMP_RET_TRAP);
}

}  // namespace hpml::relay::jail
