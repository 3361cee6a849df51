#pragma once
// Running a program with our runtime in front of the real one: `gpusim run`, and `gpusim profile -- PROGRAM`.
#include <filesystem>
#include <string>
#include <vector>

#include "common/base/result.hpp"
#include "simulator/cli/options.hpp"

namespace hpml::sim::cli {

inline constexpr int kMostGpus = 8;  // memory::kMaxGpus

struct RunOptions {
  DeviceOptions device;
  std::string metrics, trace, report, record;  // files to write; empty: not asked for
  std::string baseline;                        // metrics file that the report compares with
  int gpus = 1;                                // how many times the list of GPUs is there
  std::vector<std::string> command;            // program and its arguments
};

struct PreparedProgram {
  std::filesystem::path path;
  std::vector<std::string> libraries;  // of ours that it is linked with
};

// Finds what is wrong with the options or the program before anything starts.
Result<PreparedProgram> prepare_program(const RunOptions& options);

// Sets this process' environment and becomes the program; comes back only when it cannot be started, with an exit code.
int become_program(const RunOptions& options, const PreparedProgram& prepared);

// Runs the program, waits for it, and hands the metrics it left behind to the reporter: {"profile", <the metrics>,
// report_words...}. Returns the program's exit code where it has failed, else the reporter's; ends by the program's
// signal. The metrics go to a temporary file where options.metrics is empty.
int run_then_report(const RunOptions& options, const std::vector<std::string>& report_words);

}  // namespace hpml::sim::cli
