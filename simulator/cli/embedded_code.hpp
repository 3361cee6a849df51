#pragma once
// The device code in a program's file: where breakpoints are before the program runs.
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "simulator/debug/code_index.hpp"

namespace hpml::sim::cli {

class EmbeddedCode {
 public:
  EmbeddedCode(std::filesystem::path program, std::string gpu) : program_(std::move(program)), gpu_(std::move(gpu)) {}

  // Statuses of the breakpoints, as the debugged program will give them: {"id", "function", "later", and "error" or
  // "file" and "line"}. The file is read at the first call, and again after it has changed.
  debug::Json look_up(const std::vector<debug::Breakpoint>& breakpoints);

 private:
  void read();
  debug::Json status(const debug::Breakpoint& asked) const;

  std::filesystem::path program_;
  std::string gpu_;
  std::optional<std::pair<std::filesystem::file_time_type, uintmax_t>> read_at_;  // the file's time and size
  bool has_code_ = false;
  debug::CodeIndex index_;
};

}  // namespace hpml::sim::cli
