// Linked to every MPI program that the grader launches, with Open MPI and with SMPI.
//
// MPI_Init: once the launcher and the library have started all ranks and made their connections, the process enters the
// filter of system calls that HPML_FILTER names (syscalls.py), before student code runs. A rank then starts no process,
// opens no socket, sends no signal to another process and reads no memory of another; the connections that it has stay
// open.
//
// Before that each rank reads its own line of the file that HPML_OWN_LINES names, as HPML_OWN, and once all have, the file is
// emptied; a rank's memory can be read by no other.
//
// MPI_Finalize: afterwards one byte to the file that HPML_ENDED names. The launcher's exit code does not say whether
// all ranks came to their end; the size of this file does.
//
// dlclose: Open MPI 4.1 unloads its components in MPI_Finalize while its progress thread may still run code of theirs:
// on a busy machine one run in some hundred ended with a segmentation fault there. A process that ends anyway keeps
// them.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "own_process.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { MACHINE = 3 };  // exit status: not the student's fault

// Adds a filter to all threads of the process. 0: it is in place.
static long install(struct sock_filter* program, size_t length) {
  struct sock_fprog filter;
  filter.len = (unsigned short)length;
  filter.filter = program;
  return syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &filter);
}

// A rank may signal its own threads, as abort() does, and no other rank.
static long keep_inside(void) {
  struct sock_filter program[HPML_OWN_PROCESS_FILTER];
  hpml_own_process_filter(program);
  return install(program, HPML_OWN_PROCESS_FILTER);
}

// 0: the filter is in place, or none is asked for.
static long enter_filter(void) {
  const char* path = getenv("HPML_FILTER");
  if (path == NULL) {
    return 0;
  }
  static struct sock_filter program[BPF_MAXINSNS];
  const int file = open(path, O_RDONLY | O_CLOEXEC);
  const ssize_t bytes = file < 0 ? -1 : read(file, program, sizeof program);
  close(file);
  if (bytes <= 0 || bytes % (ssize_t)sizeof program[0] != 0) {
    return -1;
  }
  unsetenv("HPML_FILTER");  // with SMPI all ranks are one process, and each has its own copy of a static variable
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 || keep_inside() != 0) {
    return -1;
  }
  return install(program, (size_t)bytes / sizeof program[0]);
}

enum { OWN_BYTES = 21 };  // of a line: OWN_LINE of mpi.py

// 0: done, or there is nothing to read.
static long read_own_line(void) {
  const char* path = getenv("HPML_OWN_LINES");
  if (path == NULL) {
    return 0;
  }
  char line[OWN_BYTES];
  int rank = 0;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const int file = open(path, O_RDWR | O_CLOEXEC);
  if (file < 0 || pread(file, line, sizeof line, (off_t)rank * OWN_BYTES) != (ssize_t)sizeof line) {
    return -1;
  }
  line[OWN_BYTES - 1] = '\0';
  PMPI_Barrier(MPI_COMM_WORLD);
  const long emptied = rank == 0 ? ftruncate(file, 0) : 0;
  PMPI_Barrier(MPI_COMM_WORLD);
  close(file);
  unsetenv("HPML_OWN_LINES");
  return emptied != 0 || prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) != 0 || setenv("HPML_OWN", line, 1) != 0 ? -1 : 0;
}

__attribute__((visibility("default"))) int MPI_Init(int* argc, char*** argv) {
  const int status = PMPI_Init(argc, argv);
  if (status == MPI_SUCCESS && read_own_line() != 0) {
    perror("the rank's own number");
    _exit(MACHINE);
  }
  if (status == MPI_SUCCESS && enter_filter() != 0) {
    perror("the filter of system calls");
    _exit(MACHINE);
  }
  return status;
}

__attribute__((visibility("default"))) int MPI_Finalize(void) {
  const int status = PMPI_Finalize();
  const char* path = getenv("HPML_ENDED");
  const int file = path == NULL ? -1 : open(path, O_WRONLY | O_APPEND);
  if (file >= 0) {
    if (write(file, "1", 1) != 1) {
      _exit(MACHINE);  // a full disk must not look like a rank that was lost
    }
    close(file);
  }
  return status;
}

__attribute__((visibility("default"))) int dlclose(void* handle) {
  (void)handle;
  return 0;
}

#ifdef __cplusplus
}
#endif
