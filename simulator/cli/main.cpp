#include <fmt/format.h>

#include <algorithm>

#include "simulator/cli/commands.hpp"
#include "simulator/cli/exit_code.hpp"

namespace cli = hpml::sim::cli;

int main(int argc, char** argv) {
  CLI::App app("gpusim: runs CUDA programs and PTX kernels on a simulated GPU", "gpusim");
  app.require_subcommand(1);
  cli::Command command;
  cli::add_run(app, command);
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
    const auto chosen = app.get_subcommands();
    fmt::print("{}", chosen.empty() ? app.help() : chosen.front()->help());
    return cli::kDone;
  } catch (const CLI::ParseError& error) {
    return cli::usage_error(std::string(error.what()) + "; see gpusim --help");
  }
  return command.exit_code;
}
