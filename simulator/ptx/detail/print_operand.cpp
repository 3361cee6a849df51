#include <fmt/format.h>

#include "simulator/ptx/detail/print_parts.hpp"
#include "simulator/ptx/printer.hpp"

namespace hpml::sim::ptx {
namespace {

std::string with_offset(const std::string& name, int64_t offset) {
  return offset == 0 ? name : fmt::format("{}+{}", name, offset);
}

std::string print_address(const AddressOperand& address) {
  return address.base.empty() ? fmt::format("{}", address.offset) : with_offset(address.base, address.offset);
}

std::string join(const std::vector<Operand>& operands, const char* separator) {
  std::string out;
  for (size_t i = 0; i < operands.size(); ++i) {
    out += (i > 0 ? separator : "") + print(operands[i]);
  }
  return out;
}

struct OperandText {
  std::string operator()(const Immediate& value) const { return print_immediate(value); }
  std::string operator()(const RegisterOperand& value) const {
    const char* sign = value.negated ? "!" : value.minus ? "-" : "";
    return sign + with_offset(value.name + (value.component.empty() ? "" : "." + value.component), value.offset);
  }
  std::string operator()(const SymbolOperand& value) const { return with_offset(value.name, value.offset); }
  std::string operator()(const AddressOperand& value) const { return "[" + print_address(value) + "]"; }
  std::string operator()(const VectorOperand& value) const { return "{" + join(value.elements, ", ") + "}"; }
  std::string operator()(const ListOperand& value) const;
  std::string operator()(const PairOperand& value) const { return join(value.elements, "|"); }
  std::string operator()(const SinkOperand&) const { return "_"; }
};

// A list that begins with an address is the bracketed one of a texture or tensor instruction.
std::string OperandText::operator()(const ListOperand& value) const {
  const auto* address = value.elements.empty() ? nullptr : std::get_if<AddressOperand>(&value.elements[0].value);
  if (address == nullptr) {
    return "(" + join(value.elements, ", ") + ")";
  }
  std::string out = "[" + print_address(*address);
  for (size_t i = 1; i < value.elements.size(); ++i) {
    out += ", " + print(value.elements[i]);
  }
  return out + "]";
}

}  // namespace

std::string print_immediate(const Immediate& value) {
  switch (value.kind) {
    case Immediate::Kind::f32_bits: return fmt::format("0f{:08X}", value.bits);
    case Immediate::Kind::f64_bits: return fmt::format("0d{:016X}", value.bits);
    case Immediate::Kind::integer: break;
  }
  return value.is_unsigned ? fmt::format("{}U", value.bits) : fmt::format("{}", static_cast<int64_t>(value.bits));
}

std::string print(const Operand& operand) { return std::visit(OperandText{}, operand.value); }

std::string print(const Instruction& instruction) {
  std::string out;
  if (instruction.guard) {
    out = fmt::format("@{}{} ", instruction.guard->negated ? "!" : "", instruction.guard->predicate);
  }
  out += instruction.root;
  for (const std::string& suffix : instruction.suffixes) {
    out += "." + suffix;
  }
  const std::string operands = join(instruction.operands, ", ");
  return out + (operands.empty() ? "" : " ") + operands + ";";
}

}  // namespace hpml::sim::ptx
