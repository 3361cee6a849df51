// What a filter of system calls must say of numbers that only the process itself knows: calls that name a process may name
// this one. For C and C++; common/worker/filter.cpp and autograder/hpml_autograder/backends/mpi_rank.c install it.
#ifndef HPML_COMMON_WORKER_OWN_PROCESS_H
#define HPML_COMMON_WORKER_OWN_PROCESS_H

#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { HPML_OWN_PROCESS_FILTER = 15, HPML_F_SETSIG = 10, HPML_F_SETOWN_EX = 15 };  // the last two: linux/fcntl.h

// Signals, limits and processors of another process of the same user are out of reach: a worker could otherwise stop, slow
// or end the grader's program, or the reference that is measured beside it. 0 stands for the calling thread in prlimit and
// sched_setaffinity; abort() and the C library use the process's own number. F_SETOWN makes the kernel send a signal.
static inline void hpml_own_process_filter(struct sock_filter* program) {
  const unsigned own = (unsigned)syscall(SYS_getpid);
  const unsigned number = offsetof(struct seccomp_data, nr);
  const unsigned first = offsetof(struct seccomp_data, args);  // the low half of an argument: little-endian
  const struct sock_filter filter[HPML_OWN_PROCESS_FILTER] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, number),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_fcntl, 7, 0),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_tgkill, 2, 0),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_prlimit64, 1, 0),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_sched_setaffinity, 0, 3),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, first),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0, 1, 0),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, own, 0, 6),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, first + sizeof(unsigned long long)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, F_SETOWN, 3, 0),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, HPML_F_SETSIG, 2, 0),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, HPML_F_SETOWN_EX, 1, 0),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
  };
  for (int i = 0; i < HPML_OWN_PROCESS_FILTER; ++i) {
    program[i] = filter[i];
  }
}

#endif
