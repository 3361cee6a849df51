// gpusim replay: does again, without the program, what `gpusim run --record` has written down.
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <memory>
#include <optional>
#include <sstream>

#include "simulator/cli/commands.hpp"
#include "simulator/cli/exit_code.hpp"
#include "simulator/cli/input.hpp"
#include "simulator/cli/options.hpp"
#include "simulator/cudart/runtime/report.hpp"
#include "simulator/cudnn/operation.hpp"
#include "simulator/ptx/parser.hpp"
#include "simulator/ptx/perturb.hpp"
#include "simulator/ptx/printer.hpp"
#include "simulator/replay/calls.hpp"
#include "simulator/replay/replayer.hpp"

namespace hpml::sim::cli {
namespace {

struct ReplayCommand {
  DeviceOptions device;
  std::string recording, program, metrics, outputs, report;
  std::vector<std::string> inputs, instead;
  std::string alike;  // another recording,
  std::vector<std::string> alike_inputs;
  bool forget_warm_up = false;
  std::string perturb;  // the way whose numbers are changed, and the key
};

// The recording as a read-only mapping: it may be as large as the memory of a GPU.
class Mapping {
 public:
  static Result<std::unique_ptr<Mapping>> open_file(const std::string& path) {
    const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
    struct stat status {};
    if (file < 0 || fstat(file, &status) != 0 || !S_ISREG(status.st_mode)) {
      return error_in(path, "cannot be read");
    }
    std::unique_ptr<Mapping> mapping(new Mapping);
    mapping->size_ = static_cast<size_t>(status.st_size);
    mapping->data_ = mapping->size_ == 0 ? nullptr : mmap(nullptr, mapping->size_, PROT_READ, MAP_PRIVATE, file, 0);
    close(file);
    if (mapping->data_ == MAP_FAILED) {
      return error_in(path, "cannot be mapped");
    }
    return mapping;
  }
  ~Mapping() {
    if (data_ != nullptr && data_ != MAP_FAILED) {
      munmap(data_, size_);
    }
  }
  Mapping(const Mapping&) = delete;
  Mapping& operator=(const Mapping&) = delete;
  std::span<const std::byte> bytes() const { return {static_cast<const std::byte*>(data_), size_}; }

 private:
  Mapping() = default;
  void* data_ = nullptr;
  size_t size_ = 0;
};

// What --perturb asks for.
Result<void> perturb(const std::string& text, replay::ReplayOptions& options) {
  const auto how = ptx::parse_perturbation(text);
  if (!how.has_value()) {
    return error_in(
        "--perturb",
        fmt::format("'{}' is none of shared:KEY, shuffles:KEY, dp4a:KEY and mma:KEY, with a whole number as KEY",
                    text));
  }
  if (how->path == ptx::Perturbation::Path::mma) {
    for (device::Options& device : options.devices) {
      device.chosen_products = how->key;
    }
    return Ok{};
  }
  options.rewrite = [how = *how](std::string code) -> Result<std::string> {
    HPML_TRY(ptx::Module module, ptx::parse(std::move(code), "<device code>"));
    ptx::perturb(module, how);
    return ptx::print(module);
  };
  return Ok{};
}

Result<replay::ReplayOptions> replay_options(const ReplayCommand& command) {
  replay::ReplayOptions options;
  std::istringstream names(command.device.gpu);
  for (std::string name; std::getline(names, name, ',');) {
    DeviceOptions one = command.device;
    one.gpu = name;
    HPML_TRY(device::Options device, one.to_device());
    device.index = static_cast<int>(options.devices.size());
    options.devices.push_back(std::move(device));
  }
  options.gpu_names = command.device.gpu;
  options.mode_name = command.device.mode;
  if (!command.perturb.empty()) {
    HPML_TRY_VOID(perturb(command.perturb, options));
  }
  options.libraries = {{cudnn::kForwardOperation, cudnn::forward_again}};
  return options;
}

std::string json_text(const nlohmann::ordered_json& json) {
  return json.dump(1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

// What became of it, for the checker.
nlohmann::ordered_json report_json(const replay::Replayer& replayer, const replay::Transfers& transfers,
                                   const std::string& problem, uint64_t check_errors, bool alike) {
  return {{"schema", "gpusim/replay/v1"},
          {"problem", problem},
          {"complete", replayer.complete()},
          {"too_large", replayer.too_large()},
          {"unrepeatable", replayer.unrepeatable()},
          {"mismatches", transfers.mismatches()},
          {"foreign_bytes", transfers.foreign_bytes()},
          {"ambiguous", transfers.ambiguous()},
          {"check_errors", check_errors},
          {"alike", alike},
          {"transfers", transfers.list()}};
}

int finish(const ReplayCommand& command, const replay::Replayer& replayer, const replay::Transfers& transfers,
           const std::string& problem, bool alike) {
  const auto write = [](const std::string& path, const std::string& text) {
    const auto written = path.empty() ? Result<void>(Ok{}) : cudart::write_file(path, text);
    if (!written.ok()) {
      fmt::print(stderr, "gpusim: {}\n", written.error().to_string());
    }
    return written.ok();
  };
  if (!transfers.problem().empty()) {
    fmt::print(stderr, "gpusim: {}\n", transfers.problem());
    return kOurFault;
  }
  const replay::CheckResult checked = replayer.findings();
  if (!write(command.metrics, to_text(replayer.metrics())) ||
      !write(command.report, json_text(report_json(replayer, transfers, problem, checked.errors, alike)))) {
    return kOurFault;
  }
  for (const std::string& text : checked.text) {
    fmt::print(stderr, "gpusim: {}\n", text);
  }
  if (!problem.empty()) {
    fmt::print(stderr, "gpusim: {}\n", problem);
  }
  if (!replayer.unrepeatable().empty()) {
    fmt::print(stderr, "gpusim: {}: a library call that only its own process can make\n", replayer.unrepeatable());
  }
  return problem.empty() && replayer.complete() && transfers.mismatches() == 0 && checked.errors == 0 ? kDone : kFailed;
}

Result<std::vector<replay::Input>> read_given(const std::vector<std::string>& files) {
  std::vector<replay::Input> inputs;
  for (const std::string& file : files) {
    HPML_TRY(std::string given, read_input(file));
    inputs.push_back({.given = std::move(given), .instead = {}});
  }
  return inputs;
}

Result<std::vector<replay::Input>> read_inputs(const ReplayCommand& command) {
  if (!command.instead.empty() && command.instead.size() != command.inputs.size()) {
    return error_in("--instead", fmt::format("{} files for {} of --input; each needs one", command.instead.size(),
                                             command.inputs.size()));
  }
  HPML_TRY(std::vector<replay::Input> inputs, read_given(command.inputs));
  for (size_t i = 0; i < command.instead.size(); ++i) {
    HPML_TRY(inputs[i].instead, read_input(command.instead[i]));
    if (inputs[i].instead.size() != inputs[i].given.size()) {
      return error_in(command.instead[i], "is not as long as the input it takes the place of");
    }
  }
  return inputs;
}

// Whether the other recording makes the same calls but for a count; true where none is asked for.
Result<bool> is_alike(const ReplayCommand& command, const replay::Reader& start) {
  if (command.alike.empty()) {
    return true;
  }
  HPML_TRY(const auto mapping, Mapping::open_file(command.alike));
  HPML_TRY(std::vector<replay::Input> own_inputs, read_given(command.inputs));
  HPML_TRY(std::vector<replay::Input> other_inputs, read_given(command.alike_inputs));
  const auto own = replay::calls_of(start, replay::Inputs(std::move(own_inputs)));
  const auto other =
      replay::calls_of(replay::Reader(mapping->bytes(), command.alike), replay::Inputs(std::move(other_inputs)));
  return own.ok() && other.ok() && replay::same_but_for_a_count(own->digests, other->digests);
}

int replay_recording(const ReplayCommand& command) {
  auto options = replay_options(command);
  if (!options.ok()) {
    return usage_error(options.error().to_string());
  }
  const auto mapping = Mapping::open_file(command.recording);
  if (!mapping.ok()) {
    return usage_error(mapping.error().to_string());
  }
  std::optional<replay::ProgramCode> code;
  if (!command.program.empty()) {
    auto read = replay::ProgramCode::read(command.program);
    if (!read.ok()) {
      return usage_error(read.error().to_string());
    }
    code = std::move(*read);
    options->code = &*code;
  }
  auto inputs = read_inputs(command);
  if (!inputs.ok()) {
    return usage_error(inputs.error().to_string());
  }
  if (!command.outputs.empty() && !std::filesystem::is_directory(command.outputs)) {
    return usage_error(fmt::format("--outputs: '{}' is no folder", command.outputs));
  }
  const replay::Reader start((*mapping)->bytes(), command.recording);
  if (command.forget_warm_up) {
    const auto calls = replay::calls_of(start, replay::Inputs({}));  // what is damaged is said below
    options->passes = calls.ok() ? replay::passes_of(calls->launches) : replay::Passes();
  }
  const auto alike = is_alike(command, start);
  if (!alike.ok()) {
    return usage_error(alike.error().to_string());
  }
  replay::Transfers transfers(command.outputs, std::move(inputs).value());
  replay::Replayer replayer(*options, transfers);
  replay::Reader reader = start;
  const auto done = replayer.run(reader);
  return finish(command, replayer, transfers, done.ok() ? std::string() : done.error().to_string(), *alike);
}

}  // namespace

void add_replay(CLI::App& app, Command& command) {
  auto options = std::make_shared<ReplayCommand>();
  CLI::App* replay_app = app.add_subcommand(
      "replay", "do again what a recording says a program did, on GPUs that the program cannot reach");
  options->device.add_to(*replay_app);
  replay_app->add_option("recording", options->recording, "file of `gpusim run --record`")->required();
  replay_app->add_option("--program", options->program, "the only device code that may run is that of this program");
  replay_app->add_option("--input", options->inputs,
                         "a file with data that may come from the host; other data is replaced by 0xFF bytes");
  replay_app->add_option("--instead", options->instead,
                         "a file with other data, as long, that takes the place of the --input before it: what the "
                         "recording knows of the given data says nothing of these");
  replay_app->add_option("--alike", options->alike,
                         "a recording of the same program with other data: the report says whether it makes the same "
                         "calls, but for how often one block of them is repeated");
  replay_app->add_option("--alike-input", options->alike_inputs, "a file with data that the run of --alike was given");
  replay_app->add_flag("--forget-warm-up", options->forget_warm_up,
                       "where the launches at the end are made twice, take away what the first pass leaves in memory: "
                       "the pass that is timed has to make the results itself");
  replay_app->add_option(
      "--perturb", options->perturb,
      "shared:KEY, shuffles:KEY, dp4a:KEY or mma:KEY: numbers that are loaded from shared memory, that "
      "shuffles deliver, or products of dp4a or of matrix instructions on bytes are changed by the "
      "key, so that the result shows which of its numbers have gone that way");
  replay_app->add_option("--metrics", options->metrics, "write what happened as JSON (schema gpusim/metrics/v1)");
  replay_app->add_option("--outputs", options->outputs, "folder for what the program read back, a file per copy");
  replay_app->add_option("--report", options->report, "write what was compared as JSON (schema gpusim/replay/v1)");
  replay_app->callback([options, &command] { command.exit_code = replay_recording(*options); });
}

}  // namespace hpml::sim::cli
