// Which atomics machine code carries out for a whole warp at once (Inst::combine). ptxas does so where all lanes of a
// warp name one address: one lane is elected for all, or the values are combined first. Read off what ptxas 13.0 makes
// for sm_75 and sm_80 of every atomic operation on uniform and varying addresses and values:
//   address  value    red add, and, or, xor, min, max     atom add
//   uniform  uniform  one lane asks for all               one lane asks; the others count those before them
//   uniform  varying  a sum over the warp (REDUX, or      a running sum by shuffles, if the warp is full
//                     shuffles if the warp is full)
//   varying  any      every lane asks                     every lane asks
// Values of 64 bits: additions of uniform values only. inc, dec, exch, cas and floating-point operations: never.
#include <algorithm>
#include <string_view>

#include "simulator/ir/detail/cfg.hpp"
#include "simulator/ir/detail/uniformity.hpp"

namespace hpml::sim::ir {

namespace {

// Machine instructions around the one lane's request, as listed: votes and counts; the shuffles of `scan` among them.
// `again`: the basic block has elected a lane before; votes and counts are those.
uint8_t helpers(const Inst& inst, bool again) {
  const bool returns = inst.mem == isa::Mem::atom && !inst.result_unused;
  switch (inst.combine) {
    case Combine::none: return 0;
    case Combine::elect: return again ? (returns ? 2 : 0) : (returns ? 10 : 6);
    case Combine::reduce: return 8;
    case Combine::scan: return 23;
  }
  return 0;
}

// Nobody reads what the atomic returns, and there is an instruction that returns nothing.
bool becomes_reduction(const Inst& inst, const DefUse& flow) {
  if (inst.mem != isa::Mem::atom || inst.variant == nullptr || inst.mods.vec > 1) {
    return false;
  }
  const std::string_view op = inst.variant->spec->fixed;
  const isa::Slot result = inst.dst[0];
  return op != "exch" && op != "cas" && (!is_virtual(result) || flow.uses[virtual_number(result)].empty());
}

bool is_candidate(const Inst& inst) {
  if ((inst.mem != isa::Mem::atom && inst.mem != isa::Mem::red) || inst.variant == nullptr || inst.mods.vec > 1 ||
      isa::is_float(inst.variant->types[0])) {
    return false;
  }
  const std::string_view op = inst.variant->spec->fixed;
  const bool narrow = isa::bits(inst.variant->types[0]) == 32;
  const bool combines = op == "and" || op == "or" || op == "xor" || op == "min" || op == "max";
  const bool returns = inst.mem == isa::Mem::atom && !inst.result_unused;
  return op == "add" || (combines && narrow && !returns);
}

Combine combination(const Inst& inst, const Uniformity& values) {
  if (!values.uniform(inst.addr)) {
    return Combine::none;
  }
  if (values.uniform(inst.src[0])) {
    return Combine::elect;
  }
  const bool narrow = isa::bits(inst.variant->types[0]) == 32;
  const bool returns = inst.mem == isa::Mem::atom && !inst.result_unused;
  return !narrow ? Combine::none : returns ? Combine::scan : Combine::reduce;
}

}  // namespace

void combine_atomics(Draft& draft) {
  std::vector<Inst>& code = draft.out.code;
  const auto is_atomic = [](const Inst& inst) { return inst.mem == isa::Mem::atom || inst.mem == isa::Mem::red; };
  if (std::none_of(code.begin(), code.end(), is_atomic)) {
    return;
  }
  const DefUse flow(draft);
  for (Inst& inst : code) {
    inst.result_unused = becomes_reduction(inst, flow);
  }
  if (std::none_of(code.begin(), code.end(), is_candidate)) {
    return;
  }
  const Uniformity values(draft);
  for (const BasicBlock& block : build_cfg(draft.out).blocks) {
    bool elected = false;
    for (Pc pc = block.begin; pc < block.end; ++pc) {
      Inst& inst = code[pc];
      inst.combine = is_candidate(inst) ? combination(inst, values) : Combine::none;
      inst.helpers = std::max(inst.helpers, helpers(inst, elected));
      elected = elected || inst.combine == Combine::elect;
    }
  }
}

}  // namespace hpml::sim::ir
