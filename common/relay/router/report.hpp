#pragma once
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "common/relay/router/platform.hpp"
#include "common/relay/router/run.hpp"

namespace hpml::relay {

struct Output {
  std::string standard;
  std::string error;
};

// Schema hpml.relay/v1 (README.md). The same for the same run, byte for byte.
nlohmann::ordered_json report(const Run& run, const Platform& platform, const std::vector<Output>& outputs,
                              bool timeline);

}  // namespace hpml::relay
