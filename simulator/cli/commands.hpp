#pragma once
// The subcommands of gpusim. Each adds its options to the application and, when it was chosen, sets `exit_code`.
#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace hpml::sim::cli {

struct Command {
  std::vector<std::string> program;  // of `run` and `profile`: the program and its arguments
  int exit_code = 0;
};

void add_run(CLI::App& app, Command& command);
void add_debug(CLI::App& app, Command& command);
void add_replay(CLI::App& app, Command& command);
void add_launch(CLI::App& app, Command& command);
void add_gpus(CLI::App& app, Command& command);
void add_isa(CLI::App& app, Command& command);
void add_ptx(CLI::App& app, Command& command);
void add_roofline(CLI::App& app, Command& command);
void add_profile(CLI::App& app, Command& command);

// Cuts the program's command line off the words of `gpusim run`: it begins after "--", or at the first word that is
// neither an option of ours nor an option's value. What is left are our own options. Of `gpusim profile` only after
// "--".
std::vector<std::string> split_program(const CLI::App& app, std::vector<std::string>& words);

// One line on stderr; returns the exit code for bad usage or input.
int usage_error(const std::string& line);

}  // namespace hpml::sim::cli
