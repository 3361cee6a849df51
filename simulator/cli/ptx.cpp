// gpusim ptx: parse, link and decode every instruction of a file, without running it.
#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>

#include "common/base/demangle.hpp"
#include "simulator/cli/commands.hpp"
#include "simulator/cli/exit_code.hpp"
#include "simulator/cli/input.hpp"
#include "simulator/ir/program.hpp"
#include "simulator/ptx/parser.hpp"

namespace hpml::sim::cli {
namespace {

constexpr uint64_t kSomewhere = 0x1000;  // of variables: code depends on no address

int report(const std::vector<Diag>& diags) {
  for (const Diag& diag : diags) {
    fmt::print(stderr, "{}\n", diag.to_string());
  }
  return kFailed;
}

using Then = int (*)(const std::string& path, ir::Program& program);

int linked(const std::string& path, Then then) {
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
  return program.ok() ? then(path, *program) : report({program.error()});
}

int check(const std::string& path, ir::Program& program) {
  const std::vector<Diag> diags = program.check();
  if (!diags.empty()) {
    return report(diags);
  }
  fmt::print("{}: {} kernels, every instruction is known\n", path, program.kernels().size());
  return kDone;
}

// As `ptxas -v` prints it, with registers as they are estimated where a program has no cubin.
int resources(const std::string&, ir::Program& program) {
  for (ir::Variable& variable : program.variables()) {
    variable.address = kSomewhere;
  }
  for (const auto& kernel : program.kernels()) {
    const auto code = program.lower(kernel.name);
    if (!code.ok()) {
      return report({code.error()});
    }
    int registers = 8;  // of an empty kernel
    uint64_t local = 0;
    for (const ir::Function& function : code->functions) {
      registers = std::max(registers, function.registers);
      local += function.local_bytes;
    }
    fmt::print("{}: about {} registers, {} bytes of shared and {} of local memory\n", demangle(kernel.name), registers,
               code->kernels[0].static_shared, local);
  }
  return kDone;
}

void add(CLI::App& ptx, const std::string& name, const std::string& help, Then then, Command& command) {
  auto file = std::make_shared<std::string>();
  CLI::App* app = ptx.add_subcommand(name, help);
  app->add_option("file", *file, "FILE.ptx")->required();
  app->callback([file, then, &command] { command.exit_code = linked(*file, then); });
}

}  // namespace

void add_ptx(CLI::App& app, Command& command) {
  CLI::App* ptx = app.add_subcommand("ptx", "work on PTX files");
  ptx->require_subcommand(1);
  add(*ptx, "check", "report what the simulator cannot run, with line and caret", check, command);
  add(*ptx, "resources", "registers (estimated), shared and local memory of each kernel", resources, command);
}

}  // namespace hpml::sim::cli
