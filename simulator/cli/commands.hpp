#pragma once
// The subcommands of gpusim. Each adds its options to the application and, when it was chosen, sets `exit_code`.
#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace hpml::sim::cli {

struct Command {
  int exit_code = 0;
};

void add_run(CLI::App& app, Command& command);
void add_launch(CLI::App& app, Command& command);
void add_gpus(CLI::App& app, Command& command);
void add_isa(CLI::App& app, Command& command);
void add_ptx(CLI::App& app, Command& command);
void add_roofline(CLI::App& app, Command& command);

// One line on stderr; returns the exit code for bad usage or input.
int usage_error(const std::string& line);

}  // namespace hpml::sim::cli
