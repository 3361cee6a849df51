#include "simulator/cudart/runtime/config.hpp"

#include <errno.h>
#include <stdlib.h>

#include <sstream>
#include <string_view>

namespace hpml::sim::cudart {
namespace {

std::string variable(const char* name, const char* otherwise = "") {
  const char* value = getenv(name);
  return value != nullptr ? value : otherwise;
}

std::vector<std::string> split(const std::string& list) {
  std::vector<std::string> words;
  std::istringstream in(list);
  for (std::string word; std::getline(in, word, ',');) {
    words.push_back(word);
  }
  return words;
}

device::Mode mode_of(std::string_view name) {
  if (name == "cycle") {
    return device::Mode::cycle;
  }
  return name == "functional" ? device::Mode::functional : device::Mode::automatic;
}

}  // namespace

const char* mode_name(device::Mode mode) {
  switch (mode) {
    case device::Mode::automatic: return "auto";
    case device::Mode::cycle: return "cycle";
    case device::Mode::functional: return "functional";
  }
  return "?";
}

device::Options Config::device_options(int index) const {
  device::Options options;
  options.gpu = gpus.at(static_cast<size_t>(index));
  options.gpu_dir = gpu_dir;
  options.mode = mode;
  options.index = index;
  options.threads = threads;
  options.max_warp_instructions = max_warp_instructions;
  options.max_seconds = max_seconds;
  options.strict = strict;
  options.strict_arch = strict_arch;
  options.check = check;
  return options;
}

// gpusim run has checked every value; a program run without it gets the defaults.
Config config_from_environment() {
  Config config;
  config.under_gpusim_run = variable("GPUSIM_RUN") == "1";
  config.gpus = split(variable("GPUSIM_GPU", "t4"));
  config.gpu_dir = variable("GPUSIM_GPU_DIR", HPML_GPU_DIR);
  config.mode = mode_of(variable("GPUSIM_MODE"));
  config.strict = variable("GPUSIM_STRICT") == "1";
  config.strict_arch = variable("GPUSIM_STRICT_ARCH") == "1";
  config.threads = std::max(1, atoi(variable("GPUSIM_THREADS", "1").c_str()));
  config.max_warp_instructions = strtoull(variable("GPUSIM_MAX_WARP_INSTRUCTIONS", "0").c_str(), nullptr, 10);
  config.max_seconds = strtod(variable("GPUSIM_MAX_SECONDS", "0").c_str(), nullptr);
  if (const auto tools = sanitize::parse_tools(variable("GPUSIM_CHECK")); tools.ok()) {
    config.check = *tools;
  }
  config.debug_fd = atoi(variable("GPUSIM_DEBUG_FD", "-1").c_str());
  config.history_bytes = strtoull(variable("GPUSIM_DEBUG_HISTORY", "0").c_str(), nullptr, 10);
  config.check_path = variable("GPUSIM_CHECK_OUT");
  config.metrics_path = variable("GPUSIM_METRICS");
  config.record_path = variable("GPUSIM_RECORD");
  config.trace_path = variable("GPUSIM_TRACE");
  config.program = program_invocation_name;
  return config;
}

}  // namespace hpml::sim::cudart
