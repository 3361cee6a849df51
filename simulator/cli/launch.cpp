// gpusim launch: one kernel of a PTX file, its arguments from the command line, its buffers from and to raw files.
#include <fmt/format.h>

#include <cstring>
#include <memory>
#include <nlohmann/json.hpp>

#include "simulator/cli/commands.hpp"
#include "simulator/cli/exit_code.hpp"
#include "simulator/cli/input.hpp"
#include "simulator/cli/launch_argument.hpp"
#include "simulator/cli/options.hpp"
#include "simulator/cudart/runtime/advice.hpp"
#include "simulator/cudart/runtime/report.hpp"
#include "simulator/metrics/document.hpp"
#include "simulator/sanitize/report.hpp"
#include "simulator/sanitize/sanitizer.hpp"

namespace hpml::sim::cli {
namespace {

struct LaunchOptions {
  DeviceOptions device;
  std::string file, kernel, grid, block, cluster, metrics;
  uint32_t shared = 0;
  std::vector<std::string> arguments;
};

struct Prepared {
  std::unique_ptr<device::Device> device;
  device::LaunchRequest request;
  std::vector<LaunchArgument> arguments;
  std::vector<std::byte> params;
};

std::string kernel_names_hint(const std::string& kernel) {
  return fmt::format("no kernel '{}' in this file; C++ kernels have mangled names, as in `.entry _Z3addPfi`", kernel);
}

// Puts a buffer in device memory and its address in the argument.
Result<void> place_buffer(device::Device& device, LaunchArgument& argument) {
  std::string content;
  if (argument.reads_file) {
    HPML_TRY(content, read_input(argument.path));
    argument.bytes = content.size();
  }
  if (argument.bytes == 0) {
    return error_in("argument " + argument.text, "the file is empty");
  }
  const uint64_t address = device.memory().allocate(memory::Kind::device, argument.bytes);
  if (address == 0) {
    return error_in("argument " + argument.text, "does not fit in the memory of the GPU");
  }
  std::memcpy(device.memory().find(address)->view, content.data(), content.size());
  if (device.sanitizer() != nullptr && !content.empty()) {
    device.sanitizer()->host_wrote(address, content.size());
  }
  std::memcpy(argument.value.data(), &address, sizeof(address));
  return Ok{};
}

Result<std::vector<std::byte>> parameter_block(const device::KernelInfo& info,
                                               const std::vector<LaunchArgument>& arguments) {
  if (arguments.size() != info.params.size()) {
    return error_in(info.name, fmt::format("takes {} arguments, {} were given", info.params.size(), arguments.size()));
  }
  std::vector<std::byte> block(info.param_bytes);
  for (size_t i = 0; i < arguments.size(); ++i) {
    if (arguments[i].value.size() != info.params[i].size) {
      return error_in("argument " + arguments[i].text,
                      fmt::format("has {} bytes, parameter {} of {} has {}", arguments[i].value.size(), i + 1,
                                  info.name, info.params[i].size));
    }
    std::memcpy(block.data() + info.params[i].offset, arguments[i].value.data(), arguments[i].value.size());
  }
  return block;
}

Result<Prepared> prepare(const LaunchOptions& options) {
  Prepared made;
  HPML_TRY(made.request.grid, parse_dim3("--grid", options.grid));
  if (!options.cluster.empty()) {
    HPML_TRY(made.request.cluster, parse_dim3("--cluster", options.cluster));
  }
  HPML_TRY(made.request.block, parse_dim3("--block", options.block));
  made.request.dynamic_shared = options.shared;
  for (const std::string& text : options.arguments) {
    HPML_TRY(LaunchArgument argument, parse_launch_argument(text));
    made.arguments.push_back(std::move(argument));
  }
  HPML_TRY(std::string ptx, read_input(options.file));
  HPML_TRY(const device::Options device_options, options.device.to_device());
  HPML_TRY(made.device, device::Device::create(device_options));
  HPML_TRY(const device::ModuleId module, made.device->load_module({{std::move(ptx), options.file}}, {}));
  const auto kernel = made.device->find_kernel(module, options.kernel);
  if (!kernel) {
    return error_in(options.file, kernel_names_hint(options.kernel));
  }
  made.request.kernel = *kernel;
  for (LaunchArgument& argument : made.arguments) {
    if (argument.is_buffer) {
      HPML_TRY_VOID(place_buffer(*made.device, argument));
    }
  }
  HPML_TRY(made.params, parameter_block(made.device->kernel(*kernel), made.arguments));
  return made;
}

Result<void> write_outputs(Prepared& done) {
  for (const LaunchArgument& argument : done.arguments) {
    if (!argument.writes_file) {
      continue;
    }
    uint64_t address = 0;
    std::memcpy(&address, argument.value.data(), sizeof(address));
    const auto* view = reinterpret_cast<const char*>(done.device->memory().find(address)->view);
    HPML_TRY_VOID(cudart::write_file(argument.path, std::string(view, argument.bytes)));
  }
  return Ok{};
}

// What the check tools found, on the one device that there is.
std::string check_text(device::Device& device) {
  if (device.sanitizer() == nullptr) {
    return "";
  }
  const sanitize::Findings* const findings = &device.sanitizer()->findings();
  return sanitize::to_json(device.sanitizer()->tools(), std::span(&findings, 1)).dump(1) + "\n";
}

// The launch starts at time 0, its buffers are there already and stay: no copies, no calls, nothing left behind.
Result<void> write_metrics(const LaunchOptions& options, device::Device& device, device::LaunchResult result,
                           int status) {
  if (options.metrics.empty()) {
    return Ok{};
  }
  metrics::Document document;
  document.gpu = options.device.gpu;
  document.mode = options.device.mode;
  result.record.start_us = 0;
  result.record.duration_us = metrics::microseconds(result.duration);
  document.end_us = result.record.duration_us;
  document.kernels.push_back(std::move(result.record));
  document.unified_memory = device.unified_memory_record();
  if (result.trap) {
    document.faults.push_back(result.trap->message);
  }
  document.check = check_text(device);
  document.end.status = status;
  return cudart::write_file(options.metrics, metrics::to_text(document));
}

// Says what the checks found; true when there was an error. Error: the file for it cannot be written.
Result<bool> tell_findings(const LaunchOptions& options, device::Device& device) {
  if (device.sanitizer() == nullptr) {
    return false;
  }
  for (const std::string& text : device.sanitizer()->take_text()) {
    fmt::print(stderr, "gpusim: {}\n", text);
  }
  const sanitize::Findings* const findings = &device.sanitizer()->findings();
  fmt::print(stderr, "gpusim: check: {}\n", sanitize::summary(std::span(&findings, 1)));
  if (!options.device.check_out.empty()) {
    HPML_TRY_VOID(cudart::write_file(options.device.check_out, check_text(device)));
  }
  return findings->count(sanitize::Severity::error) > 0;
}

int finish(const LaunchOptions& options, Prepared& ready) {
  ready.request.params = ready.params;
  const auto refused = ready.device->check_launch(ready.request);
  if (refused != device::LaunchError::none) {
    const char* text = cudart::error_string(static_cast<int>(cudart::error_of(refused)));
    return usage_error(fmt::format("{}: the launch is refused: {}", options.kernel, text));
  }
  device::LaunchResult result = ready.device->launch(ready.request);
  fmt::print("{}", result.output);
  if (!result.stray_access.empty()) {
    fmt::print(stderr, "gpusim: {}\n", cudart::stray_access_warning(result.stray_access));
  }
  const Result<bool> found = tell_findings(options, *ready.device);
  if (result.trap) {
    fmt::print(stderr, "gpusim: {}\n", result.trap->message);
  }
  const int status = result.trap || (found.ok() && *found) ? kFailed : kDone;
  const Result<void> checked = found.ok() ? Result<void>(Ok{}) : Result<void>(found.error());
  for (const auto& written :
       {checked, write_outputs(ready), write_metrics(options, *ready.device, std::move(result), status)}) {
    if (!written.ok()) {
      fmt::print(stderr, "gpusim: {}\n", written.error().to_string());
      return kOurFault;
    }
  }
  return status;
}

int launch(const LaunchOptions& options) {
  auto ready = prepare(options);
  return ready.ok() ? finish(options, *ready) : usage_error(ready.error().to_string());
}

}  // namespace

void add_launch(CLI::App& app, Command& command) {
  auto options = std::make_shared<LaunchOptions>();
  CLI::App* launch_app = app.add_subcommand("launch", "launch one kernel of a PTX file");
  options->device.add_to(*launch_app);
  launch_app->add_option("file", options->file, "FILE.ptx")->required();
  launch_app->add_option("--kernel", options->kernel, "name of the kernel in the PTX")->required();
  launch_app->add_option("--grid", options->grid, "blocks: X[,Y[,Z]]")->required();
  launch_app->add_option("--block", options->block, "threads per block: X[,Y[,Z]]")->required();
  launch_app->add_option("--cluster", options->cluster, "blocks of a cluster: X[,Y[,Z]]");
  launch_app->add_option("--shared", options->shared, "bytes of dynamic shared memory")->capture_default_str();
  launch_app->add_option("--metrics", options->metrics, "write what happened as JSON (schema gpusim/metrics/v1)");
  launch_app->add_option("arguments", options->arguments,
                         "u32:7 s32:-1 u64:7 s64:-1 f32:1.5 f64:1.5 in:FILE inout:FILE out:FILE:BYTES");
  launch_app->callback([options, &command] { command.exit_code = launch(*options); });
}

}  // namespace hpml::sim::cli
