// gpusim ptx check: parse, link and decode every instruction of a file, without running it.
#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>

#include "simulator/cli/commands.hpp"
#include "simulator/cli/exit_code.hpp"
#include "simulator/cli/input.hpp"
#include "simulator/ir/program.hpp"
#include "simulator/ptx/parser.hpp"

namespace hpml::sim::cli {
namespace {

int report(const std::vector<Diag>& diags) {
  for (const Diag& diag : diags) {
    fmt::print(stderr, "{}\n", diag.to_string());
  }
  return kFailed;
}

int check(const std::string& path) {
  auto text = read_input(path);
  if (!text.ok()) {
    return usage_error(text.error().to_string());
  }
  auto module = ptx::parse(std::move(*text), path);
  if (!module.ok()) {
    return report({module.error()});
  }
  std::vector<ptx::Module> modules;
  modules.push_back(std::move(*module));
  auto program = ir::Program::link(std::move(modules));
  if (!program.ok()) {
    return report({program.error()});
  }
  const std::vector<Diag> diags = program->check();
  if (!diags.empty()) {
    return report(diags);
  }
  fmt::print("{}: {} kernels, every instruction is known\n", path, program->kernels().size());
  return kDone;
}

}  // namespace

void add_ptx(CLI::App& app, Command& command) {
  auto file = std::make_shared<std::string>();
  CLI::App* ptx = app.add_subcommand("ptx", "work on PTX files");
  ptx->require_subcommand(1);
  CLI::App* check_app = ptx->add_subcommand("check", "report what the simulator cannot run, with line and caret");
  check_app->add_option("file", *file, "FILE.ptx")->required();
  check_app->callback([file, &command] { command.exit_code = check(*file); });
}

}  // namespace hpml::sim::cli
