#pragma once
// What an instruction reads and writes, while slots still are virtual registers, and who defines and uses each.
#include <string_view>
#include <vector>

#include "simulator/ir/detail/draft.hpp"

namespace hpml::sim::ir {

// The operation as PTX names it: "add", and "cc" of add.cc or "" of add.
inline bool is(const Inst& inst, std::string_view mnemonic) {
  return inst.variant != nullptr && inst.variant->spec->mnemonic == mnemonic;
}
inline bool is(const Inst& inst, std::string_view mnemonic, std::string_view fixed) {
  return is(inst, mnemonic) && inst.variant->spec->fixed == fixed;
}

// f(number of the virtual register), the guard included.
template <class F>
void each_read(const Inst& inst, F f) {
  for (const isa::Slot slot : inst.src) {
    if (is_virtual(slot)) {
      f(virtual_number(slot));
    }
  }
  if (inst.matrix != nullptr) {
    for (const std::vector<isa::Slot>* list :
         {&inst.matrix->a, &inst.matrix->b, &inst.matrix->c, &inst.matrix->scales}) {
      for (const isa::Slot slot : *list) {
        if (is_virtual(slot)) {
          f(virtual_number(slot));
        }
      }
    }
  }
  for (const isa::Slot slot : {inst.guard, inst.addr}) {
    if (is_virtual(slot)) {
      f(virtual_number(slot));
    }
  }
  if (inst.variant != nullptr && inst.variant->uses_carry && is_virtual(inst.carry)) {
    f(virtual_number(inst.carry));
  }
}

template <class F>
void each_write(const Inst& inst, F f) {
  for (const isa::Slot slot : inst.dst) {
    if (is_virtual(slot)) {
      f(virtual_number(slot));
    }
  }
  if (inst.matrix != nullptr) {
    for (const isa::Slot slot : inst.matrix->d) {
      if (is_virtual(slot)) {
        f(virtual_number(slot));
      }
    }
  }
  if (inst.variant != nullptr && inst.variant->sets_carry && is_virtual(inst.carry)) {
    f(virtual_number(inst.carry));
  }
}

// By virtual register: the instructions that write it and those that read it, in code order.
struct DefUse {
  explicit DefUse(const Draft& draft);
  // The only instruction that writes the register of `slot`; null: several, none, or no register.
  const Inst* definition(isa::Slot slot) const;

  const Draft& draft;
  std::vector<std::vector<Pc>> defs, uses;
};

}  // namespace hpml::sim::ir
