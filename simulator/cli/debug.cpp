// gpusim debug PROGRAM: starts the program as a child whose kernels stand still where the user wants.
#include <fcntl.h>
#include <fmt/format.h>
#include <stdio.h>
#include <unistd.h>

#include <fstream>
#include <memory>

#include "simulator/cli/commands.hpp"
#include "simulator/cli/embedded_code.hpp"
#include "simulator/cli/exit_code.hpp"
#include "simulator/cli/paths.hpp"
#include "simulator/cli/program.hpp"
#include "simulator/dap/server.hpp"
#include "simulator/debug_front/terminal.hpp"

namespace hpml::sim::cli {
namespace {

constexpr const char* kPlainLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./:,@%";

struct DebugOptions {
  RunOptions run;
  std::string commands, output;
  std::vector<std::string> execute;
  bool batch = false, dap = false, verify = false;
  uint64_t history_mib = 1024;
};

Result<std::vector<std::string>> commands_of(const DebugOptions& options) {
  std::vector<std::string> out;
  if (!options.commands.empty()) {
    std::ifstream in(options.commands);
    if (!in) {
      return error_in("-x", fmt::format("cannot read '{}'", options.commands));
    }
    for (std::string line; std::getline(in, line);) {
      out.push_back(line);
    }
  }
  out.insert(out.end(), options.execute.begin(), options.execute.end());
  return out;
}

// The command that runs the program without the debugger, as a shell takes it.
std::string rerun(const RunOptions& run) {
  std::string out = (own_directory() / "gpusim").string() + " run --gpu " + run.device.gpu + " --";
  for (const std::string& word : run.command) {
    if (word.find_first_not_of(kPlainLetters) == std::string::npos && !word.empty()) {
      out += " " + word;
      continue;
    }
    out += " '";
    for (const char letter : word) {
      out += letter == '\'' ? std::string("'\\''") : std::string(1, letter);
    }
    out += "'";
  }
  return out;
}

// What an editor's launch configuration says goes before the command line.
Result<dap::Prepared> prepare_for_editor(const DebugOptions& options, const dap::LaunchArguments& wanted) {
  RunOptions run = options.run;
  if (!wanted.command.empty()) {
    run.command = wanted.command;
  }
  if (!wanted.gpu.empty()) {
    run.device.gpu = wanted.gpu;
  }
  if (run.command.empty()) {
    return error_in("launch", "no program is named: \"program\" in the launch configuration");
  }
  HPML_TRY(const PreparedProgram prepared, prepare_program(run));
  const auto code = std::make_shared<EmbeddedCode>(prepared.path, run.device.gpu);
  const auto become = [run, prepared, wanted] {
    if (!wanted.cwd.empty() && chdir(wanted.cwd.c_str()) != 0) {
      return usage_error(fmt::format("launch: cannot enter '{}'", wanted.cwd));
    }
    for (const auto& [key, value] : wanted.environment) {
      setenv(key.c_str(), value.c_str(), 1);
    }
    return become_program(run, prepared);
  };
  return dap::Prepared{
      .become = become, .look_up = [code](const auto& list) { return code->look_up(list); }, .rerun = rerun(run)};
}

int debug(const DebugOptions& options) {
  if (options.dap) {
    dap::ServerOptions server;
    server.prepare = [&](const dap::LaunchArguments& wanted) { return prepare_for_editor(options, wanted); };
    server.history_bytes = options.history_mib << 20;
    return dap::Server(server).run();
  }
  if (options.run.command.empty()) {
    return usage_error("debug: no program given: gpusim debug [OPTIONS] [--] PROGRAM [ARGS...]");
  }
  const auto prepared = prepare_program(options.run);
  if (!prepared.ok()) {
    return usage_error(prepared.error().to_string());
  }
  auto commands = commands_of(options);
  if (!commands.ok()) {
    return usage_error(commands.error().to_string());
  }
  debug_front::TerminalOptions terminal;
  terminal.start.become = [&] { return become_program(options.run, *prepared); };
  EmbeddedCode code(prepared->path, options.run.device.gpu);
  terminal.look_up = [&](const auto& breakpoints) { return code.look_up(breakpoints); };
  terminal.start.rerun = rerun(options.run);
  terminal.start.history_bytes = options.history_mib << 20;
  terminal.commands = std::move(*commands);
  terminal.batch = options.batch;
  terminal.verify = options.verify;
  if (!options.output.empty()) {
    terminal.start.out = open(options.output.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (terminal.start.out < 0) {
      return usage_error(fmt::format("--output: cannot write '{}'", options.output));
    }
  }
  terminal.interactive = isatty(STDIN_FILENO) != 0;
  terminal.echo = !terminal.interactive;
  terminal.color = isatty(STDOUT_FILENO) != 0;
  if (!terminal.interactive && !terminal.batch) {  // commands come from there: not for the program
    terminal.start.in = fileno(fopen("/dev/null", "re"));
  }
  return debug_front::Terminal(terminal).run();
}

}  // namespace

void add_debug(CLI::App& app, Command& command) {
  auto options = std::make_shared<DebugOptions>();
  CLI::App* debug_app = app.add_subcommand("debug", "step through the kernels of a CUDA program, forward and back");
  options->run.device.add_to(*debug_app);
  debug_app->add_option("--gpus", options->run.gpus, "how many of the GPU the program finds")
      ->check(CLI::Range(1, kMostGpus))
      ->capture_default_str();
  debug_app->add_option("-x,--commands", options->commands, "a file of commands to begin with");
  debug_app->add_option("--ex", options->execute, "a command to begin with; may be given several times")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  debug_app->add_option("--output", options->output, "a file for what the program prints");
  debug_app->add_flag("--batch", options->batch, "end after these commands; status 1 if one of them failed");
  debug_app->add_flag("--verify", options->verify,
                      "compare memory and counters of what was explored with what the program then does");
  debug_app->add_flag("--dap", options->dap, "speak the Debug Adapter Protocol on standard input and output");
  debug_app->add_option("--history-memory", options->history_mib, "MiB that the history of a launch may take")
      ->check(CLI::Range(uint64_t{1}, uint64_t{1} << 20))
      ->capture_default_str();
  debug_app->footer("then: [--] PROGRAM [ARGS...]   See docs/debugger.md");
  debug_app->callback([options, &command] {
    options->run.device.mode = "functional";  // what a launch that is explored can be
    options->run.command = command.program;
    command.exit_code = debug(*options);
  });
}

}  // namespace hpml::sim::cli
