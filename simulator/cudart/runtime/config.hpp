#pragma once
// What `gpusim run` asked for. It reaches the library through GPUSIM_* variables; only this file reads them.
#include <cstdint>
#include <string>
#include <vector>

#include "simulator/device/api.hpp"

namespace hpml::sim::cudart {

struct Config {
  std::vector<std::string> gpus = {"t4"};  // one simulated device each
  std::string gpu_dir;
  device::Mode mode = device::Mode::automatic;
  bool strict = false, strict_arch = false;
  int threads = 1;
  uint64_t max_warp_instructions = 0;  // per launch; 0 = no limit
  double max_seconds = 0;              // wall time per launch; 0 = no limit
  sanitize::Tools check = {};
  int debug_fd = -1;                                              // socket to a debugger; -1: none
  uint64_t history_bytes = 0;                                     // that it may keep
  std::string metrics_path, trace_path, check_path, record_path;  // empty = not written
  bool under_gpusim_run = false;                                  // interpose the clocks, print the summary line
  std::string program;                                            // for diagnostics

  device::Options device_options(int index) const;
};

Config config_from_environment();
const char* mode_name(device::Mode mode);

}  // namespace hpml::sim::cudart
