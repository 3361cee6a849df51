// How many machine instructions each PTX instruction becomes. PTX is not what an SM executes: ptxas drops copies, folds
// shifts, products and signs into their users (IMAD.WIDE, LEA, IADD3, LOP3, operand modifiers, address immediates) and
// needs several instructions for 64-bit integers. The rules are read off listings of ptxas 13.0 for sm_75 and sm_80;
// tests/ir/machine_ops_test.cpp holds the counts.
#include <algorithm>
#include <array>
#include <string_view>

#include "simulator/ir/detail/cfg.hpp"
#include "simulator/ir/detail/data_flow.hpp"

namespace hpml::sim::ir {

namespace {

bool is_wide_integer(isa::Ty type) { return isa::bits(type) == 64 && !isa::is_float(type); }
bool is_integer(isa::Ty type) { return type != isa::Ty::none && type != isa::Ty::pred && !isa::is_float(type); }

struct WideCount {
  std::string_view mnemonic, fixed;
  uint8_t count;
};
// 64-bit integer arithmetic on 32-bit units: carries, two halves, partial products.
constexpr std::array kWide = {
    WideCount{"add", "", 2},   WideCount{"sub", "", 2},    WideCount{"and", "", 2},    WideCount{"or", "", 2},
    WideCount{"xor", "", 2},   WideCount{"not", "", 2},    WideCount{"neg", "", 2},    WideCount{"abs", "", 4},
    WideCount{"shl", "", 2},   WideCount{"shr", "", 2},    WideCount{"setp", "", 2},   WideCount{"set", "", 3},
    WideCount{"selp", "", 2},  WideCount{"min", "", 4},    WideCount{"max", "", 4},    WideCount{"mul", "lo", 4},
    WideCount{"mad", "lo", 4}, WideCount{"mul", "hi", 10}, WideCount{"mad", "hi", 12}, WideCount{"popc", "", 3},
    WideCount{"clz", "", 4},   WideCount{"bfe", "", 6},    WideCount{"bfi", "", 6},    WideCount{"brev", "", 2},
};

// Around the one MUFU of an approximation in f32: comparison and scalings that keep subnormals, as listed for sm_75
// without and with .ftz; and how many of these the result waits for.
struct Scaling {
  std::string_view mnemonic, fixed;
  uint8_t count, chain, ftz_count, ftz_chain;
};
constexpr std::array kScalings = {
    Scaling{"rcp", "approx", 6, 2, 0, 0}, Scaling{"sqrt", "approx", 3, 2, 0, 0}, Scaling{"rsqrt", "approx", 3, 2, 0, 0},
    Scaling{"lg2", "approx", 3, 2, 0, 0}, Scaling{"ex2", "approx", 3, 2, 0, 0},  Scaling{"sin", "approx", 1, 1, 1, 1},
    Scaling{"cos", "approx", 1, 1, 1, 1}, Scaling{"div", "approx", 4, 2, 1, 1},  Scaling{"div", "full", 7, 3, 4, 2},
};

class Folding {
 public:
  explicit Folding(Draft& draft) : draft_(draft), flow_(draft), cfg_(build_cfg(draft.out)) {}

  void run() {
    for (Inst& inst : draft_.out.code) {
      inst.machine_ops = alone(inst);
      scale(inst);
      divide(inst);
      if (is(inst, "mov") && reads_thread_register(inst.src[0])) {
        inst.machine_ops = 1;  // S2R
        inst.lat = isa::Lat::special;
      } else if (is(inst, "mov") && starts_variable(inst)) {
        inst.machine_ops = 1;
        inst.lat = isa::Lat::int_alu;
      }
    }
    for (Pc pc = 0; pc < draft_.out.code.size(); ++pc) {
      fold_into(draft_.out.code[pc]);
    }
    for (size_t b = 0; b + 1 < cfg_.blocks.size(); ++b) {
      fold_branch(cfg_.blocks[b], cfg_.blocks[b + 1]);
    }
  }

 private:
  // What the instruction costs when nothing is folded. Changes the class of integer conversions, which are moves.
  static uint8_t alone(Inst& inst) {
    if (inst.lat == isa::Lat::none || inst.variant == nullptr) {
      return inst.lat == isa::Lat::none ? 0 : 1;
    }
    const isa::Ty to = inst.variant->types[0], from = inst.variant->types[1];
    if (is(inst, "cvt") && is_integer(to) && is_integer(from) && !inst.mods.sat) {
      inst.lat = isa::Lat::int_alu;
      const bool keeps_bits = isa::bits(to) <= isa::bits(from) && isa::bits(to) >= 32;
      const bool zero_above = isa::bits(to) == 64 && !isa::is_signed(from);
      return keeps_bits || zero_above ? 0 : 1;
    }
    const isa::Ty operand = is(inst, "set") ? from : to;
    if (inst.lat != isa::Lat::int_div && is_wide_integer(operand)) {
      const auto* found =
          std::find_if(kWide.begin(), kWide.end(), [&](const WideCount& w) { return is(inst, w.mnemonic, w.fixed); });
      return found != kWide.end() ? found->count : 1;
    }
    return 1;
  }

  static void scale(Inst& inst) {
    if (inst.lat != isa::Lat::mufu || inst.variant == nullptr || inst.variant->types[0] != isa::Ty::f32) {
      return;
    }
    const auto* found = std::find_if(kScalings.begin(), kScalings.end(),
                                     [&](const Scaling& s) { return is(inst, s.mnemonic, s.fixed); });
    if (found != kScalings.end()) {
      inst.helpers = inst.mods.ftz ? found->ftz_count : found->count;
      inst.helper_chain = inst.mods.ftz ? found->ftz_chain : found->chain;
    }
  }

  // I2F, MUFU and F2I make a first quotient; products and comparisons around them correct it (listed for sm_75). The
  // first of the three is done by ptxas where the divisor is known.
  static void divide(Inst& inst) {
    if (inst.lat != isa::Lat::int_div || inst.variant == nullptr) {
      return;
    }
    const isa::Ty type = inst.variant->types[0];
    const bool wide = isa::bits(type) == 64, known = (inst.src[1] & isa::kConstBit) != 0 && inst.src[1] != isa::kNoSlot;
    const bool remainder = is(inst, "rem"), sign = isa::is_signed(type);
    inst.machine_ops = 3;
    if (wide) {
      inst.helpers = 60;
      inst.helper_chain = 30;
      return;
    }
    const int of_variable = sign ? (remainder ? 19 : 21) : (remainder ? 14 : 15);
    const int of_constant = sign ? (remainder ? 13 : 15) : (remainder ? 10 : 11);
    inst.helpers = static_cast<uint8_t>(known ? of_constant : of_variable);
  }

  // Sizes of the grid and the block are in the constant bank; what differs by thread or warp has to be asked for.
  bool reads_thread_register(isa::Slot slot) const {
    const auto found = std::find_if(draft_.out.specials.begin(), draft_.out.specials.end(),
                                    [slot](const SpecialUse& use) { return use.slot == slot; });
    if (found == draft_.out.specials.end()) {
      return false;
    }
    switch (found->what) {
      case Special::tid_x:
      case Special::tid_y:
      case Special::tid_z:
      case Special::ctaid_x:
      case Special::ctaid_y:
      case Special::ctaid_z:
      case Special::laneid:
      case Special::warpid:
      case Special::smid: return true;
      default: return false;
    }
  }

  // A constant for a register that is written elsewhere, too (an accumulator's zero) is no operand of anybody.
  bool starts_variable(const Inst& mov) const {
    return (mov.src[0] & isa::kConstBit) != 0 && is_virtual(mov.dst[0]) &&
           flow_.defs[virtual_number(mov.dst[0])].size() > 1;
  }

  // The producer of an operand when this instruction may swallow it: written once, in the same block, unguarded.
  Inst* producer(const Inst& user, isa::Slot slot) {
    const Inst* found = flow_.definition(slot);
    if (found == nullptr || found->guard != isa::kNoSlot || found->machine_ops == 0) {
      return nullptr;
    }
    const auto block = [&](const Inst& inst) {
      return cfg_.block_of[static_cast<size_t>(&inst - draft_.out.code.data())];
    };
    return block(*found) == block(user) ? const_cast<Inst*>(found) : nullptr;
  }
  bool only_reader(isa::Slot slot) const { return flow_.uses[virtual_number(slot)].size() == 1; }
  template <class Test>
  bool all_readers(isa::Slot slot, Test test) const {
    const std::vector<Pc>& uses = flow_.uses[virtual_number(slot)];
    return std::all_of(uses.begin(), uses.end(), [&](Pc pc) { return test(draft_.out.code[pc]); });
  }

  void fold_into(Inst& inst) {
    if (inst.machine_ops == 0 || inst.variant == nullptr) {
      return;
    }
    if (is(inst, "add", "") && is_wide_integer(inst.type)) {
      fold_address(inst);
    } else if (is(inst, "add", "") && is_integer(inst.type)) {
      fold_sum(inst);
    } else if (is_logic(inst)) {
      fold_logic(inst);
    } else if (isa::is_float(inst.type) && inst.shape == isa::Shape::lane) {
      fold_signs(inst);
    } else if (inst.mem == isa::Mem::ld || inst.mem == isa::Mem::st) {
      fold_offset(inst);
    }
  }

  // base + index * size: IMAD.WIDE does the product, the widening and the sum; a shift costs LEA and LEA.HI.X.
  void fold_address(Inst& sum) {
    const auto is_wide_sum = [](const Inst& i) { return is(i, "add", "") && is_wide_integer(i.type); };
    for (const isa::Slot slot : {sum.src[0], sum.src[1]}) {
      // Folded for another user already: the product is made again by every sum that wants it.
      const Inst* made = flow_.definition(slot);
      const bool product = made != nullptr && is(*made, "mul", "wide");
      const bool shift = made != nullptr && is(*made, "shl") && (made->src[1] & isa::kConstBit) != 0;
      if ((!product && !shift) || made->guard != isa::kNoSlot || !all_readers(slot, is_wide_sum)) {
        continue;
      }
      Inst& folded = const_cast<Inst&>(*made);
      folded.machine_ops = 0;
      const Inst* widened = shift ? flow_.definition(folded.src[0]) : nullptr;
      const bool index = widened != nullptr && is(*widened, "cvt") && isa::bits(widened->variant->types[1]) == 32;
      if (index && only_reader(folded.src[0])) {
        const_cast<Inst*>(widened)->machine_ops = 0;
      }
      sum.machine_ops = product || index ? 1 : 2;
      sum.lat = sum.machine_ops == 1 ? isa::Lat::int_mul : isa::Lat::int_alu;
      return;
    }
  }

  // IMAD, LEA, IADD3.
  void fold_sum(Inst& sum) {
    for (const isa::Slot slot : {sum.src[0], sum.src[1]}) {
      Inst* made = producer(sum, slot);
      if (made == nullptr || !only_reader(slot) || isa::bits(made->type) != 32) {
        continue;
      }
      const bool product = is(*made, "mul", "lo"), another = is(*made, "add", "") && !three_inputs(*made);
      if (product || another || (is(*made, "shl") && (made->src[1] & isa::kConstBit) != 0)) {
        made->machine_ops = 0;
        sum.lat = product ? isa::Lat::int_mul : sum.lat;
        return;
      }
    }
  }
  bool three_inputs(const Inst& inst) {
    return std::any_of(inst.src.begin(), inst.src.begin() + 2, [&](isa::Slot slot) {
      const Inst* made = flow_.definition(slot);
      return made != nullptr && made->machine_ops == 0 && made->lat != isa::Lat::none && only_reader(slot);
    });
  }

  static bool is_logic(const Inst& inst) {
    return (is(inst, "and") || is(inst, "or") || is(inst, "xor") || is(inst, "not")) && isa::bits(inst.type) == 32;
  }
  // LOP3: any function of three inputs.
  void fold_logic(Inst& inst) {
    for (const isa::Slot slot : {inst.src[0], inst.src[1]}) {
      Inst* made = slot == isa::kNoSlot ? nullptr : producer(inst, slot);
      if (made != nullptr && is_logic(*made) && only_reader(slot) && !three_inputs(*made)) {
        made->machine_ops = 0;
        return;
      }
    }
  }

  // neg and abs are operand modifiers of the arithmetic that reads them.
  void fold_signs(Inst& inst) {
    const auto is_arithmetic = [](const Inst& i) {
      return isa::is_float(i.type) && (is(i, "add") || is(i, "sub") || is(i, "mul") || is(i, "fma") || is(i, "setp") ||
                                       is(i, "min") || is(i, "max"));
    };
    if (!is_arithmetic(inst)) {
      return;
    }
    for (const isa::Slot slot : inst.src) {
      Inst* made = slot == isa::kNoSlot ? nullptr : producer(inst, slot);
      if (made != nullptr && (is(*made, "neg") || is(*made, "abs")) && isa::is_float(made->type) &&
          all_readers(slot, is_arithmetic)) {
        made->machine_ops = 0;
      }
    }
  }

  // Address + constant is the instruction's immediate.
  void fold_offset(Inst& inst) {
    const auto is_access_by = [&](const Inst& i) {
      return (i.mem == isa::Mem::ld || i.mem == isa::Mem::st) && i.addr == inst.addr &&
             std::find(i.src.begin(), i.src.end(), inst.addr) == i.src.end();
    };
    Inst* made = is_virtual(inst.addr) ? producer(inst, inst.addr) : nullptr;
    if (made != nullptr && is(*made, "add", "") && (made->src[1] & isa::kConstBit) != 0 &&
        all_readers(inst.addr, is_access_by)) {
      made->machine_ops = 0;
    }
  }

  static bool leaves(const Inst& inst) {
    return inst.control == isa::Control::ret || inst.control == isa::Control::exit;
  }

  // A branch around a few instructions is not taken by anybody: they are predicated instead.
  void fold_branch(const BasicBlock& before, const BasicBlock& skipped) {
    constexpr int kMostPredicated = 7;
    Inst& branch = draft_.out.code[before.end - 1];
    if (branch.control != isa::Control::bra || branch.guard == isa::kNoSlot || branch.target != skipped.end ||
        leaves(draft_.out.code[branch.target])) {  // a predicated EXIT
      return;
    }
    int ops = 0;
    for (Pc pc = skipped.begin; pc < skipped.end; ++pc) {
      const Inst& inst = draft_.out.code[pc];
      if (inst.control != isa::Control::none || inst.shape == isa::Shape::warp || inst.guard != isa::kNoSlot) {
        return;
      }
      ops += inst.machine_ops;
    }
    branch.machine_ops = ops <= kMostPredicated ? 0 : branch.machine_ops;
  }

  Draft& draft_;
  DefUse flow_;
  Cfg cfg_;
};

}  // namespace

void fold_machine_ops(Draft& draft) { Folding(draft).run(); }

}  // namespace hpml::sim::ir
