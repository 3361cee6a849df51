#include <fmt/format.h>

#include <algorithm>

#include "simulator/cli/commands.hpp"
#include "simulator/cli/exit_code.hpp"

namespace cli = hpml::sim::cli;

namespace {

// Of the command that was asked for it: `gpusim ptx check --help` is about check.
std::string help_of_chosen(const CLI::App& app) {
  const CLI::App* chosen = &app;
  std::string before;
  while (!chosen->get_subcommands().empty()) {
    before += (before.empty() ? "" : " ") + chosen->get_name();
    chosen = chosen->get_subcommands().front();
  }
  return chosen->help(before);
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("gpusim: runs CUDA programs and PTX kernels on a simulated GPU", "gpusim");
  app.require_subcommand(1);
  cli::Command command;
  cli::add_run(app, command);
  cli::add_debug(app, command);
  cli::add_launch(app, command);
  cli::add_replay(app, command);
  cli::add_gpus(app, command);
  cli::add_isa(app, command);
  cli::add_ptx(app, command);
  cli::add_roofline(app, command);
  cli::add_profile(app, command);
  try {
    std::vector<std::string> words(argv + 1, argv + argc);
    command.program = cli::split_program(app, words);
    std::ranges::reverse(words);  // CLI11 takes them from the back
    app.parse(words);
  } catch (const CLI::CallForHelp&) {
    fmt::print("{}", help_of_chosen(app));
    return cli::kDone;
  } catch (const CLI::ParseError& error) {
    return cli::usage_error(std::string(error.what()) + "; see gpusim --help");
  }
  return command.exit_code;
}
