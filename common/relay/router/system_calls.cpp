#include "common/relay/router/system_calls.hpp"

#include <fmt/format.h>
#include <sys/syscall.h>

#include "common/relay/wire.hpp"

namespace hpml::relay {
namespace {

struct Name {
  long number;
  const char* name;
};

// Those that programs come across; others are named by their number.
constexpr Name kNames[] = {
    {SYS_openat, "openat (opens a file)"},
    {SYS_read, "read from something else than its socket"},
    {SYS_write, "write to something else than its socket and output"},
    {SYS_close, "close"},
    {SYS_mmap, "mmap of a file or of shared memory"},
    {SYS_clone, "clone (a thread or process)"},
    {SYS_clone3, "clone3 (a thread or process)"},
    {SYS_execve, "execve (another program)"},
    {SYS_execveat, "execveat (another program)"},
    {SYS_kill, "kill (a signal)"},
    {SYS_tgkill, "tgkill (a signal to another process)"},
    {SYS_tkill, "tkill (a signal)"},
    {SYS_rt_sigaction, "rt_sigaction (a signal handler)"},
    {SYS_ptrace, "ptrace"},
    {SYS_process_vm_readv, "process_vm_readv (memory of another process)"},
    {SYS_process_vm_writev, "process_vm_writev (memory of another process)"},
    {SYS_socket, "socket"},
    {SYS_socketpair, "socketpair"},
    {SYS_connect, "connect"},
    {SYS_sendto, "sendto"},
    {SYS_recvfrom, "recvfrom"},
    {SYS_sendmsg, "sendmsg"},
    {SYS_recvmsg, "recvmsg"},
    {SYS_shmget, "shmget (shared memory)"},
    {SYS_shmat, "shmat (shared memory)"},
    {SYS_msgget, "msgget (a message queue)"},
    {SYS_semget, "semget (semaphores)"},
    {SYS_memfd_create, "memfd_create (shared memory)"},
    {SYS_pipe2, "pipe2"},
    {SYS_dup, "dup"},
    {SYS_fcntl, "fcntl"},
    {SYS_unlinkat, "unlinkat"},
    {SYS_mkdirat, "mkdirat"},
    {SYS_nanosleep, "nanosleep (use compute(), which costs virtual time)"},
    {SYS_clock_nanosleep, "clock_nanosleep (use compute(), which costs virtual time)"},
    {SYS_clock_gettime, "clock_gettime (MPI_Wtime is the only clock)"},
    {SYS_gettimeofday, "gettimeofday (MPI_Wtime is the only clock)"},
    {SYS_times, "times (MPI_Wtime is the only clock)"},
    {SYS_getrusage, "getrusage (MPI_Wtime is the only clock)"},
    {SYS_sched_yield, "sched_yield"},
    {SYS_io_uring_setup, "io_uring_setup"},
    {SYS_seccomp, "seccomp"},
    {SYS_prctl, "prctl"},
    {SYS_setrlimit, "setrlimit"},
    {SYS_prlimit64, "prlimit64 (a limit of another process, or a new one)"},
    {SYS_sched_setaffinity, "sched_setaffinity"},
    {SYS_sched_getaffinity, "sched_getaffinity"},
#if defined(__x86_64__)
    {SYS_open, "open (a file)"},
    {SYS_fork, "fork (a process)"},
    {SYS_vfork, "vfork (a process)"},
    {SYS_pipe, "pipe"},
    {SYS_dup2, "dup2"},
    {SYS_poll, "poll"},
    {SYS_time, "time (MPI_Wtime is the only clock)"},
#endif
};

}  // namespace

std::string describe_system_call(std::uint32_t number) {
  if (number == kClockRead) {
    return "reads the processor's clock (std::chrono, clock_gettime, rdtsc); MPI_Wtime is the only clock";
  }
  for (const Name& each : kNames) {
    if (each.number == static_cast<long>(number)) {
      return fmt::format("makes a system call that is not allowed: {}", each.name);
    }
  }
  return fmt::format("makes a system call that is not allowed: number {}", number);
}

}  // namespace hpml::relay
