// lab5_worker: asks and times a student's integer products (E6) in a process of its own.
#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "commands.hpp"
#include "common/worker/host.hpp"

namespace hpml::lab5 {

int complain(const worker::Failure& failure) {
  if (!failure.text.empty()) {
    fmt::print(stderr, "lab5_worker: {}\n", failure.text);
  }
  return failure.status;
}

}  // namespace hpml::lab5

int main(int argc, char** argv) {
  using namespace hpml::lab5;
  hpml::worker::hide_this_process();
  CLI::App app("what lab 5's grader needs a program for", "lab5_worker");
  app.require_subcommand(1);
  ExactOptions exact;
  for (const char* what : {"gemm", "conv", "dispatch"}) {
    auto* command = app.add_subcommand(what, "every element against sums in 64 bits");
    command->add_option("library", exact.library)->required();
    command->add_option("level", exact.level)->required();
    command->add_option("seed", exact.seed)->required();
    command->callback([&exact, what] { exact.what = what; });
  }
  SpeedOptions speed;
  auto* speed_command = app.add_subcommand("speed", "how fast, beside multiplications in registers");
  speed_command->add_option("library", speed.library)->required();
  speed_command->add_option("what", speed.what)->required()->check(CLI::IsMember({"gemm", "conv"}));
  speed_command->add_option("level", speed.level)->check(CLI::IsMember({"naive", "blocked", "avx2", "vnni", "neon"}));
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    fmt::print("{}", app.help());
    return 0;
  } catch (const CLI::ParseError& error) {
    return complain({hpml::worker::kUsage, error.what()});
  }
  if (*speed_command) {
    return run_speed(speed);
  }
  return run_exact(exact);
}
