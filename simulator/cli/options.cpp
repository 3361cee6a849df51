#include "simulator/cli/options.hpp"

#include <fmt/format.h>

#include <charconv>
#include <map>

#include "simulator/cli/commands.hpp"
#include "simulator/cli/exit_code.hpp"
#include "simulator/cli/paths.hpp"

namespace hpml::sim::cli {

int usage_error(const std::string& line) {
  fmt::print(stderr, "gpusim: {}\n", line);
  return kUsage;
}

void DeviceOptions::add_to(CLI::App& app) {
  app.add_option("--gpu", gpu, "GPU to simulate: a name from `gpusim gpus`, or a .toml file")->capture_default_str();
  app.add_option("--mode", mode, "auto: time what is small enough, sample the rest; cycle; functional")
      ->check(CLI::IsMember({"auto", "cycle", "functional"}))
      ->capture_default_str();
  app.add_option("--threads", threads, "host threads for the timing model; results do not depend on it")
      ->check(CLI::Range(1, 256))
      ->capture_default_str();
  app.add_option("--max-warp-instructions", max_warp_instructions, "limit of one launch; 0: none")
      ->capture_default_str();
  app.add_option("--max-seconds", max_seconds, "limit of one launch in real time; 0: none")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  app.add_option("--check", check,
                 "tools that watch every launch: memcheck,initcheck,racecheck,synccheck, all of these, or phases");
  app.add_option("--check-out", check_out, "write what they find as JSON (schema gpusim/check/v1)");
  app.add_flag("--strict", strict,
               "end a kernel at its first access outside of every allocation, also where a GPU would let it pass");
  app.add_flag("--strict-arch", strict_arch, "refuse PTX for a newer architecture than the GPU has, as hardware does");
}

Result<sanitize::Tools> DeviceOptions::check_tools() const {
  if (check.empty() && !check_out.empty()) {
    return error_in("--check-out", "there is nothing to write without --check TOOLS");
  }
  return check.empty() ? sanitize::Tools{} : sanitize::parse_tools(check);
}

Result<device::Options> DeviceOptions::to_device() const {
  HPML_TRY_VOID(check_gpu(gpu));
  static const std::map<std::string, device::Mode> kModes = {
      {"auto", device::Mode::automatic}, {"cycle", device::Mode::cycle}, {"functional", device::Mode::functional}};
  device::Options options;
  options.gpu = gpu;
  options.gpu_dir = gpu_directory().string();
  options.mode = kModes.at(mode);
  options.threads = threads;
  options.max_warp_instructions = max_warp_instructions;
  options.max_seconds = max_seconds;
  options.strict = strict;
  options.strict_arch = strict_arch;
  HPML_TRY(options.check, check_tools());
  return options;
}

Result<device::Dim3> parse_dim3(const std::string& option, const std::string& text) {
  device::Dim3 dim;
  uint32_t* const parts[] = {&dim.x, &dim.y, &dim.z};
  const char* at = text.data();
  const char* const end = at + text.size();
  for (uint32_t* part : parts) {
    const auto [next, error] = std::from_chars(at, end, *part);
    if (error != std::errc() || *part == 0) {
      break;
    }
    if (next == end) {
      return dim;
    }
    if (*next != ',') {
      break;
    }
    at = next + 1;
  }
  return error_in(option, fmt::format("'{}' is no size; write X, X,Y or X,Y,Z, each at least 1", text));
}

}  // namespace hpml::sim::cli
