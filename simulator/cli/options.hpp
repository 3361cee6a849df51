#pragma once
// Options that several subcommands share.
#include <CLI/CLI.hpp>
#include <cstdint>
#include <string>

#include "common/base/result.hpp"
#include "simulator/device/api.hpp"

namespace hpml::sim::cli {

struct DeviceOptions {
  std::string gpu = "t4";
  std::string mode = "auto";
  int threads = 1;
  // A launch that needs more is ended as CUDA's watchdog would (702): far above any lab, low enough to end a hang.
  uint64_t max_warp_instructions = 100'000'000'000;
  double max_seconds = 600;
  bool strict = false, strict_arch = false;
  std::string check;      // tools, as sanitize::parse_tools reads them; empty: none
  std::string check_out;  // file for what they find

  void add_to(CLI::App& app);
  // Error: an unknown tool.
  Result<sanitize::Tools> check_tools() const;
  // For a device in this process. Error: unknown GPU.
  Result<device::Options> to_device() const;
};

// "4", "4,2" or "4,2,1".
Result<device::Dim3> parse_dim3(const std::string& option, const std::string& text);

}  // namespace hpml::sim::cli
