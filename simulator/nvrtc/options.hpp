#pragma once
// From NVRTC's options to those of tools/cuda_compile.py.
#include <cstdint>
#include <string>
#include <vector>

#include "common/base/result.hpp"

namespace hpml::sim::nvrtc {

struct CompilerOptions {
  std::vector<std::string> words;
  uint32_t sm = 0;  // 75 of -arch=sm_75, for which there is a cubin; 0: a virtual architecture, or none named
  bool source_include = true;  // #include "x.h" looks beside the named source and in the working directory
};

// Error: an option NVRTC does not have, or one for code that is no PTX (-dlto). Options that only steer the code
// generator (register limits, -G, -dopt …) are accepted and have no effect.
Result<CompilerOptions> compiler_options(const std::vector<std::string>& options);

}  // namespace hpml::sim::nvrtc
