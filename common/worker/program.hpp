#pragma once
#include <sys/types.h>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace hpml::worker {

struct Times {
  int64_t wall_ns = 0, cpu_ns = 0;
};

struct ProgramRun {
  std::string output;    // standard output, its first 64 KiB; empty when the program does not end with exit code 0
  Times times;           // cpu_ns: of the program and of what it has waited for
  int status = 0;        // as of waitpid(2), or -1: it did not start
  int64_t after_ns = 0;  // of wall_ns, from the first byte of its output to the end; 0: it said nothing
};

// Called about every millisecond while a program runs, with its process number.
using Look = std::function<void(pid_t)>;

// Runs a program to its end, first word its path. Standard error is this process's.
ProgramRun run_program(const std::vector<std::string>& command, const Look& look = nullptr);

}  // namespace hpml::worker
