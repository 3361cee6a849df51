#pragma once
// From NVRTC's options to those of tools/cuda_compile.py.
#include <string>
#include <vector>

#include "common/base/result.hpp"

namespace hpml::sim::nvrtc {

// Error: an option NVRTC does not have. Options that only steer the code generator (register limits, -G, -dopt …) are
// accepted and have no effect.
Result<std::vector<std::string>> compiler_options(const std::vector<std::string>& options);

}  // namespace hpml::sim::nvrtc
