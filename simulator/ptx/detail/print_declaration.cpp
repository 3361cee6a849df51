#include <fmt/format.h>

#include <utility>

#include "simulator/ptx/detail/print_parts.hpp"
#include "simulator/ptx/detail/words.hpp"
#include "simulator/ptx/printer.hpp"

namespace hpml::sim::ptx {
namespace {

std::string print_initializers(const std::vector<Initializer>& init);

std::string print_initializer(const Initializer& init) {
  if (const auto* value = std::get_if<Immediate>(&init.value)) {
    return print_immediate(*value);
  }
  if (const auto* inner = std::get_if<std::vector<Initializer>>(&init.value)) {
    return print_initializers(*inner);
  }
  SymbolOperand symbol = std::get<SymbolOperand>(init.value);
  if (init.is_generic) {  // the offset stands outside the parentheses
    symbol.name = "generic(" + symbol.name + ")";
  }
  const std::string out = print(Operand{std::move(symbol), {}});
  return init.mask_byte < 0 ? out : fmt::format("0x{:X}({})", uint64_t{0xFF} << (8 * init.mask_byte), out);
}

std::string print_initializers(const std::vector<Initializer>& init) {
  std::string out;
  for (const Initializer& each : init) {
    out += (out.empty() ? "" : ", ") + print_initializer(each);
  }
  return "{" + out + "}";
}

std::string print_linkage(bool is_extern, bool visible, bool weak, bool common) {
  return fmt::format("{}{}{}{}", is_extern ? ".extern " : "", visible ? ".visible " : "", weak ? ".weak " : "",
                     common ? ".common " : "");
}

std::string print_pointer(const Variable& variable) {
  if (variable.ptr_space == Space::none && variable.ptr_align == 0) {
    return {};
  }
  std::string out = " .ptr";
  if (variable.ptr_space != Space::none) {
    out += fmt::format(" .{}", space_name(variable.ptr_space));
  }
  return variable.ptr_align == 0 ? out : out + fmt::format(" .align {}", variable.ptr_align);
}

std::string print_parameters(const std::vector<Variable>& parameters) {
  std::string out;
  for (const Variable& each : parameters) {
    out += (out.empty() ? "" : ", ") + print_variable(each);
  }
  return "(" + out + ")";
}

}  // namespace

std::string print_variable(const Variable& variable) {
  std::string out = print_linkage(variable.is_extern, variable.visible, variable.weak, variable.common);
  out += fmt::format(".{}", space_name(variable.space));
  out += variable.managed ? " .attribute(.managed)" : "";
  out += variable.align != 0 ? fmt::format(" .align {}", variable.align) : "";
  out += variable.vector > 1 ? fmt::format(" .v{}", variable.vector) : "";
  out += fmt::format(" .{}{} {}", variable.type, print_pointer(variable), variable.name);
  if (variable.range >= 0) {
    out += fmt::format("<{}>", variable.range);
  }
  for (const uint64_t extent : variable.dims) {
    out += extent == 0 ? "[]" : fmt::format("[{}]", extent);
  }
  if (!variable.init.empty()) {
    const bool nested = std::holds_alternative<std::vector<Initializer>>(variable.init[0].value);
    const bool scalar = !variable.is_array && variable.vector == 1 && variable.init.size() == 1 && !nested;
    out += " = " + (scalar ? print_initializer(variable.init[0]) : print_initializers(variable.init));
  }
  return out;
}

std::string print_function_header(const Function& function) {
  std::string out = print_linkage(function.is_extern, function.visible, function.weak, false);
  out += function.is_entry ? ".entry " : ".func ";
  out += function.returns.empty() ? "" : print_parameters(function.returns) + " ";
  out += function.name + " " + print_parameters(function.params);
  out += function.noreturn ? " .noreturn" : "";
  out += function.nounroll ? " .pragma \"nounroll\";" : "";
  for (const PerformanceDirective& directive : function.directives) {
    out += fmt::format(" .{}", directive.name);
    for (size_t i = 0; i < directive.values.size(); ++i) {
      out += fmt::format("{}{}", i > 0 ? ", " : " ", directive.values[i]);
    }
  }
  return out;
}

std::string print_prototype(const CallPrototype& prototype) {
  return fmt::format("{}: .callprototype {} _ {}{};", prototype.name, print_parameters(prototype.returns),
                     print_parameters(prototype.params), prototype.noreturn ? " .noreturn" : "");
}

std::string print_targets(const BranchTargets& targets) {
  std::string out;
  for (const std::string& label : targets.labels) {
    out += (out.empty() ? "" : ", ") + label;
  }
  return fmt::format("{}: .{} {};", targets.name, targets.is_call ? "calltargets" : "branchtargets", out);
}

}  // namespace hpml::sim::ptx
