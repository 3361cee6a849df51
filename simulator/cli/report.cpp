// gpusim roofline, gpusim profile: what a metrics file says, drawn or in words. simulator/report does the work.
#include <memory>

#include "simulator/cli/commands.hpp"
#include "simulator/cli/program.hpp"
#include "simulator/cli/reporter.hpp"

namespace hpml::sim::cli {
namespace {

struct ReportOptions {
  RunOptions run;  // of `profile -- PROGRAM`
  std::string metrics, output, baseline;
  std::vector<std::string> names;

  std::vector<std::string> words() const {
    std::vector<std::string> list;
    const auto add = [&](const char* option, const std::string& value) {
      if (!value.empty()) {
        list.insert(list.end(), {option, value});
      }
    };
    add("-o", output);
    add("--baseline", baseline);
    for (const std::string& name : names) {
      add("--metric", name);
    }
    return list;
  }
};

int profile(const ReportOptions& options) {
  if (options.metrics.empty() == options.run.command.empty()) {
    return usage_error(
        "profile: give either a metrics file or, after --, a program: gpusim profile METRICS.json, gpusim profile "
        "[--gpu NAME] -- PROGRAM [ARGS...]");
  }
  if (!options.run.command.empty()) {
    return run_then_report(options.run, options.words());
  }
  std::vector<std::string> words = options.words();
  words.insert(words.begin(), {"profile", options.metrics});
  return become_reporter(words);
}

}  // namespace

void add_roofline(CLI::App& app, Command& command) {
  auto options = std::make_shared<ReportOptions>();
  CLI::App* roofline = app.add_subcommand("roofline", "draw the roofline of every kernel of a metrics file");
  roofline->add_option("METRICS", options->metrics, "metrics.json of `gpusim run --metrics`")->required();
  roofline->add_option("-o,--output", options->output, "FILE.svg, FILE.png or FILE.html")->required();
  roofline->add_option("--baseline", options->baseline, "metrics file whose kernels are drawn as well, in grey");
  roofline->callback([options, &command] {
    std::vector<std::string> words = options->words();
    words.insert(words.begin(), {"roofline", options->metrics});
    command.exit_code = become_reporter(words);
  });
}

void add_profile(CLI::App& app, Command& command) {
  auto options = std::make_shared<ReportOptions>();
  CLI::App* app_profile = app.add_subcommand("profile", "what bounds each kernel, the evidence, and what to try next");
  app_profile->add_option("METRICS", options->metrics, "metrics.json of `gpusim run --metrics`");
  app_profile->add_option("-o,--output", options->output, "write FILE.html instead of text");
  app_profile->add_option("--baseline", options->baseline, "metrics file to compare with");
  app_profile->add_option("--metric", options->names, "print only this metric; `list`: the names there are")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  options->run.device.add_to(*app_profile);
  app_profile->footer("or, instead of METRICS: -- PROGRAM [ARGS...], run with the options of `gpusim run`");
  app_profile->callback([options, &command] {
    options->run.command = command.program;
    command.exit_code = profile(*options);
  });
}

}  // namespace hpml::sim::cli
