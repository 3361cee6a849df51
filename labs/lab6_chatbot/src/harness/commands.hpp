#pragma once
// The commands of `chatbot`; each parses its own words (argv[0] is the command's name) and returns the exit code: 0 done, 2
// bad input. BadInput may be thrown.
#include <span>
#include <string_view>

namespace lab6 {

int data_command(int argc, char** argv);
int train_command(int argc, char** argv);
int evaluate_command(int argc, char** argv);
int talk_command(int argc, char** argv);
int profile_command(int argc, char** argv);
int costs_command(int argc, char** argv);

struct Command {
  std::string_view name, help;
  int (*run)(int argc, char** argv);
};
// Of part S and E: sweep, run, graph.
std::span<const Command> more_commands();

}  // namespace lab6
