// gpusim gpus: the GPUs there are, read from their files.
#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "simulator/cli/commands.hpp"
#include "simulator/cli/exit_code.hpp"
#include "simulator/cli/paths.hpp"
#include "simulator/device/api.hpp"

namespace hpml::sim::cli {
namespace {

using Json = nlohmann::ordered_json;

constexpr double kKhzPerMhz = 1000;
constexpr double kGibi = 1024.0 * 1024 * 1024;

Json describe(const std::string& name, const device::Properties& p) {
  return {{"name", name},
          {"device", p.name},
          {"architecture", p.architecture},
          {"chip", p.chip},
          {"compute_capability", fmt::format("{}.{}", p.cc_major, p.cc_minor)},
          {"multiprocessors", p.multiprocessors},
          {"core_clock_mhz", p.core_clock_khz / kKhzPerMhz},
          {"memory_clock_mhz", p.memory_clock_khz / kKhzPerMhz},
          {"memory_bus_bits", p.memory_bus_bits},
          {"memory_bytes", p.total_memory},
          {"l2_bytes", p.l2_bytes},
          {"shared_bytes_per_multiprocessor", p.shared_per_multiprocessor},
          {"shared_bytes_per_block", p.shared_per_block},
          {"shared_bytes_per_block_optin", p.shared_per_block_optin},
          {"registers_per_multiprocessor", p.registers_per_multiprocessor},
          {"max_threads_per_multiprocessor", p.max_threads_per_multiprocessor},
          {"max_blocks_per_multiprocessor", p.max_blocks_per_multiprocessor},
          {"concurrent_managed_access", p.concurrent_managed_access}};
}

void print_line(const std::string& name, const device::Properties& p) {
  fmt::print("{:<10} {:<34} {:<7} {:<6} sm_{}{}  {:>4} SMs  {:>6.0f} MHz  {:>6.1f} GiB\n", name, p.name, p.architecture,
             p.chip, p.cc_major, p.cc_minor, p.multiprocessors, p.core_clock_khz / kKhzPerMhz,
             static_cast<double>(p.total_memory) / kGibi);
}

int list_gpus(bool as_json) {
  Json all = Json::array();
  for (const std::string& name : gpu_names()) {
    device::Options options;
    options.gpu = name;
    options.gpu_dir = gpu_directory().string();
    const auto device = device::Device::create(options);
    if (!device.ok()) {
      return usage_error(device.error().to_string());
    }
    const device::Properties& properties = (*device)->properties();
    if (as_json) {
      all.push_back(describe(name, properties));
    } else {
      print_line(name, properties);
    }
  }
  if (as_json) {
    fmt::print("{}\n", all.dump(2));
  }
  return kDone;
}

}  // namespace

void add_gpus(CLI::App& app, Command& command) {
  auto as_json = std::make_shared<bool>(false);
  CLI::App* gpus = app.add_subcommand("gpus", "list the GPUs that can be simulated");
  gpus->add_flag("--json", *as_json, "as JSON");
  gpus->callback([as_json, &command] { command.exit_code = list_gpus(*as_json); });
}

}  // namespace hpml::sim::cli
