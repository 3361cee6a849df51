// gpusim run PROGRAM: puts our runtime in front of the real one and becomes the program. The library in it does the
// rest, so that exit status, stdout and signals are the program's own. With --report it waits for the program instead,
// and passes those on.
#include <algorithm>
#include <memory>

#include "simulator/cli/commands.hpp"
#include "simulator/cli/program.hpp"

namespace hpml::sim::cli {
namespace {

int run(const RunOptions& options) {
  if (options.command.empty()) {
    return usage_error("run: no program given: gpusim run [OPTIONS] [--] PROGRAM [ARGS...]");
  }
  if (!options.report.empty()) {
    std::vector<std::string> words = {"-o", options.report};
    if (!options.baseline.empty()) {
      words.insert(words.end(), {"--baseline", options.baseline});
    }
    return run_then_report(options, words);
  }
  const auto prepared = prepare_program(options);
  return prepared.ok() ? become_program(options, *prepared) : usage_error(prepared.error().to_string());
}

}  // namespace

void add_run(CLI::App& app, Command& command) {
  auto options = std::make_shared<RunOptions>();
  CLI::App* run_app = app.add_subcommand("run", "run a CUDA program on the simulated GPU");
  options->device.add_to(*run_app);
  run_app->add_option("--gpus", options->gpus, "how many of the GPU (or of the list) the program finds")
      ->check(CLI::Range(1, kMostGpus))
      ->capture_default_str();
  run_app->add_option("--metrics", options->metrics, "write what happened as JSON (schema gpusim/metrics/v1)");
  run_app->add_option("--trace", options->trace, "write a time line for chrome://tracing or ui.perfetto.dev");
  run_app->add_option("--record", options->record, "write what the program asks of its GPUs, for `gpusim replay`");
  CLI::Option* report = run_app->add_option("--report", options->report, "write one self-contained HTML page");
  run_app->add_option("--baseline", options->baseline, "metrics file that the report compares with")->needs(report);
  run_app->footer("then: [--] PROGRAM [ARGS...]");
  run_app->callback([options, &command] {
    options->command = command.program;
    command.exit_code = run(*options);
  });
}

std::vector<std::string> split_program(const CLI::App& app, std::vector<std::string>& words) {
  if (words.empty() || (words.front() != "run" && words.front() != "debug" && words.front() != "profile")) {
    return {};
  }
  const bool only_marked =
      words.front() == "profile";  // its first word is a file of metrics unless "--" says otherwise
  const CLI::App* chosen = app.get_subcommand(words.front());
  size_t at = 1;
  while (at < words.size() && words[at] != "--" && (only_marked || words[at].starts_with("-"))) {
    const CLI::Option* option = words[at].starts_with("-") ? chosen->get_option_no_throw(words[at]) : nullptr;
    const bool takes_next = option != nullptr && option->get_items_expected_max() > 0;
    at += takes_next ? 2 : 1;
  }
  at = std::min(at, words.size());
  const bool marked = at < words.size() && words[at] == "--";
  std::vector<std::string> program(words.begin() + static_cast<std::ptrdiff_t>(at) + (marked ? 1 : 0), words.end());
  words.resize(at);
  return program;
}

}  // namespace hpml::sim::cli
