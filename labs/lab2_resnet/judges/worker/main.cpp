// lab2_worker COMMAND LIBRARY WORD...: asks student code in a process of its own (commands.hpp).
#include <fmt/format.h>

#include <functional>
#include <map>

#include "commands.hpp"
#include "common/worker/arguments.hpp"
#include "common/worker/host.hpp"

namespace hpml::lab2 {

int complain(const Failure& failure) {
  if (!failure.text.empty()) {
    fmt::print(stderr, "lab2_worker: {}\n", failure.text);
  }
  return failure.status;
}

namespace {

int run(Words words) {
  static const std::map<std::string, Answer<Ok> (*)(Words)> kCommands = {
      {"speed", speed}, {"times", times}, {"evaluate", evaluate}, {"train", train}, {"watch", watch}};
  const auto command = words.size() < 2 ? kCommands.end() : kCommands.find(words[0]);
  if (command == kCommands.end()) {
    return complain({worker::kUsage, "usage: lab2_worker speed|times|evaluate|train|watch LIBRARY WORD..."});
  }
  const Answer<Ok> done = command->second(words.subspan(1));
  return done.ok() ? 0 : complain(done.error());
}

}  // namespace
}  // namespace hpml::lab2

int main(int argc, char** argv) {
  const auto words = hpml::worker::unseen_arguments(argc, argv);
  hpml::worker::hide_this_process();
  return hpml::lab2::run(words);
}
