// lab1_worker: the part of lab 1's grader that must be a program: calls kernels, scripts clocks, measures.
#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "commands.hpp"

namespace hpml::lab1 {

int complain(int status, const std::string& line) {
  fmt::print(stderr, "lab1_worker: {}\n", line);
  return status;
}

}  // namespace hpml::lab1

int main(int argc, char** argv) {
  using namespace hpml::lab1;
  CLI::App app("what lab 1's grader needs a program for", "lab1_worker");
  app.require_subcommand(1);
  CallsOptions calls;
  auto* calls_command = app.add_subcommand("calls", "results of a kernel on chosen data, one float per size");
  calls_command->add_option("library", calls.library)->required();
  calls_command->add_option("symbol", calls.symbol)->required();
  calls_command->add_option("data", calls.data)->required();
  calls_command->add_option("sizes", calls.sizes)->required()->delimiter(',')->check(CLI::PositiveNumber);
  ScriptedOptions scripted;
  auto* scripted_command = app.add_subcommand("scripted", "a program under a clock with seeded steps");
  scripted_command->add_option("clock", scripted.clock)->required();
  scripted_command->add_option("seed", scripted.seed)->required();
  scripted_command->prefix_command();  // all that follows is the program's
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    fmt::print("{}", app.help());
    return 0;
  } catch (const CLI::ParseError& error) {
    return complain(2, error.what());
  }
  if (*calls_command) {
    return run_calls(calls);
  }
  scripted.command = scripted_command->remaining();
  return scripted.command.empty() ? complain(2, "scripted: no program named") : run_scripted(scripted);
}
