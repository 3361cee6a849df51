#include "simulator/ptx/twice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace hpml::sim::ptx {

namespace {

constexpr std::array<std::string_view, 2> kNames = {"dp4a", "mma"};
constexpr size_t kResult = 0, kAddend = 3;  // operands d, a, b, c

bool is_one(const Instruction& inst, std::string_view name) {
  const bool named = inst.root == name ||
                     (name == "mma" && inst.root == "wmma" && !inst.suffixes.empty() && inst.suffixes.front() == "mma");
  return named && inst.operands.size() > kAddend;
}

// Of a register that holds a part of the result: the first type word is that of d.
TypeName type_of_result(const Instruction& inst) {
  const auto found = std::ranges::find_if(inst.suffixes, [](const std::string& word) {
    return word == "s32" || word == "u32" || word == "f16" || word == "f32" || word == "f64";
  });
  return found == inst.suffixes.end() || *found == "f16" ? "b32" : *found;
}

// A register in the place of each of the result's, in the same form.
Operand unused_registers(const Operand& result, const TypeName& type, Block& block) {
  const auto fresh = [&] {
    Variable variable;
    variable.pos = result.pos;
    variable.space = Space::reg;
    variable.type = type;
    variable.name = fmt::format("%once{}", block.statements.size());
    RegisterOperand operand{.name = variable.name, .component = ""};
    block.statements.emplace_back(std::move(variable));
    return Operand{.value = std::move(operand), .pos = result.pos};
  };
  const auto* list = std::get_if<VectorOperand>(&result.value);
  if (list == nullptr) {
    return fresh();
  }
  VectorOperand registers;
  for (size_t i = 0; i < list->elements.size(); ++i) {
    registers.elements.push_back(fresh());
  }
  return {.value = std::move(registers), .pos = result.pos};
}

std::unique_ptr<Block> made_twice(Instruction inst) {
  auto block = std::make_unique<Block>();
  Operand between = unused_registers(inst.operands[kResult], type_of_result(inst), *block);
  Instruction first = inst;
  first.operands[kResult] = between;
  inst.operands[kAddend] = std::move(between);
  block->statements.emplace_back(std::move(first));
  block->statements.emplace_back(std::move(inst));
  return block;
}

void twice_in(Block& block, std::string_view name) {
  for (Statement& statement : block.statements) {
    if (auto* inner = std::get_if<std::unique_ptr<Block>>(&statement)) {
      twice_in(**inner, name);
    } else if (auto* inst = std::get_if<Instruction>(&statement); inst != nullptr && is_one(*inst, name)) {
      statement = made_twice(std::move(*inst));
    }
  }
}

}  // namespace

bool can_be_twice(std::string_view name) { return std::ranges::find(kNames, name) != kNames.end(); }

void twice(Module& module, std::string_view name) {
  for (Function& function : module.functions) {
    if (function.body != nullptr) {
      twice_in(*function.body, name);
    }
  }
}

}  // namespace hpml::sim::ptx
