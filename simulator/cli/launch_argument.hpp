#pragma once
// One ARG of gpusim launch: u32:7  s32:-1  u64:1  s64:-1  f32:1.5  f64:2  in:FILE  inout:FILE  out:FILE:BYTES
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "common/base/result.hpp"

namespace hpml::sim::cli {

struct LaunchArgument {
  std::string text;              // as written, for messages
  std::vector<std::byte> value;  // of a number: its bytes; of a buffer: filled with its address later
  bool is_buffer = false;
  bool reads_file = false, writes_file = false;
  std::string path;
  uint64_t bytes = 0;  // size of an out: buffer
};

Result<LaunchArgument> parse_launch_argument(const std::string& text);

}  // namespace hpml::sim::cli
