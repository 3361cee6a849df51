#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace hpml::worker {

struct Times {
  int64_t wall_ns = 0, cpu_ns = 0;
};

struct ProgramRun {
  std::string output;  // standard output, its first 64 KiB; empty when the program does not end with exit code 0
  Times times;         // cpu_ns: of the program and of what it has waited for
};

// Runs a program to its end, first word its path. Standard error is this process's.
ProgramRun run_program(const std::vector<std::string>& command);

}  // namespace hpml::worker
