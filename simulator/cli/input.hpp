#pragma once
#include <string>

#include "common/base/result.hpp"

namespace hpml::sim::cli {

// A whole file; the error says why it cannot be read.
Result<std::string> read_input(const std::string& path);

}  // namespace hpml::sim::cli
