// chatbot COMMAND ...: everything this lab does, at a terminal.
#include <cstdio>
#include <exception>
#include <vector>

#include "harness/commands.hpp"
#include "lab6.hpp"

namespace {

std::vector<lab6::Command> all_commands() {
  std::vector<lab6::Command> commands = {
      {"data", "write the synthetic corpus", lab6::data_command},
      {"train", "train a chatbot, or go on training", lab6::train_command},
      {"evaluate", "share of right answers, by kind of question", lab6::evaluate_command},
      {"talk", "talk to a trained chatbot", lab6::talk_command},
      {"profile", "profile one training step", lab6::profile_command},
      {"costs", "parameters and multiplications of a network", lab6::costs_command},
  };
  for (const lab6::Command& command : lab6::more_commands()) {
    commands.push_back(command);
  }
  return commands;
}

int usage(const std::vector<lab6::Command>& commands) {
  std::fprintf(stderr, "usage: chatbot COMMAND ...   (chatbot COMMAND --help says more)\n");
  for (const lab6::Command& command : commands) {
    std::fprintf(stderr, "  %-10.*s %.*s\n", static_cast<int>(command.name.size()), command.name.data(),
                 static_cast<int>(command.help.size()), command.help.data());
  }
  return 2;
}

}  // namespace

int main(int argc, char** argv) {
  const auto commands = all_commands();
  for (const lab6::Command& command : commands) {
    if (argc > 1 && command.name == argv[1]) {
      try {
        return command.run(argc - 1, argv + 1);
      } catch (const lab6::BadInput& error) {
        std::fprintf(stderr, "chatbot %s: %s\n", argv[1], error.what());
        return 2;
      }
    }
  }
  return usage(commands);
}
