// Unrolls by four the loops that ptxas unrolls: small ones of one basic block that count in constant steps. Rounds that
// are sure to follow are not tested for, their loads start together, and pointers that grow are offsets of one. Those
// left over go through the loop as it was.
//
// Which loops: read off what ptxas 13.0 makes for sm_90 of loops with a growing number of instructions of each kind
// (tests/ir/test_ptxas_unrolls.py; for sm_75 and sm_80 some limits are one lower). Without loads, up to 18 machine
// instructions beside the counting (18 FFMAs are unrolled, 19 are not); with loads of global or local memory 46; each
// load of shared memory adds 5, up to 96. Accesses weigh twice, but for stores to shared memory. Never: a step that is
// no constant, a .pragma "nounroll", a division or another subroutine. With a barrier, a shuffle or a vote inside: only
// where all lanes make as many rounds, and with < or > in the test only up to a constant or a parameter of the kernel.
#include <algorithm>
#include <map>
#include <memory>
#include <set>

#include "simulator/ir/detail/counted_loop.hpp"
#include "simulator/ir/detail/uniformity.hpp"

namespace hpml::sim::ir {

namespace {

constexpr int kRounds = 4;
constexpr int kSmall = 18, kSmallWithLoads = 46, kPerSharedLoad = 5, kLargest = 96;  // weights

bool is_subroutine(isa::Lat lat) {
  return lat == isa::Lat::int_div || lat == isa::Lat::fp32_div || lat == isa::Lat::fp32_sqrt ||
         lat == isa::Lat::fp64_div;
}

// What the lanes of a warp do together, so that all have to go the same way.
bool is_collective(const Inst& inst) { return inst.shape == isa::Shape::warp || inst.control != isa::Control::none; }

bool can_be_copied(const Inst& inst) {
  switch (inst.control) {
    case isa::Control::none:
    case isa::Control::bar_sync:
    case isa::Control::bar_arrive:
    case isa::Control::bar_red:
    case isa::Control::bar_warp_sync:
    case isa::Control::copy_group:
    case isa::Control::nop: return !inst.unsupported && !is_subroutine(inst.lat);
    default: return false;
  }
}

// The size by which ptxas decides.
class Weight {
 public:
  void add(const Inst& inst) {
    const bool shared = inst.mods.space == isa::Space::shared;
    const bool loads = inst.mem == isa::Mem::ld && inst.machine_ops > 0;
    const bool from_memory = loads && (inst.mods.space == isa::Space::global || inst.mods.space == isa::Space::local ||
                                       inst.mods.space == isa::Space::generic);
    const bool stores = inst.mem == isa::Mem::st || inst.mem == isa::Mem::atom || inst.mem == isa::Mem::red;
    total_ += inst.machine_ops + inst.helpers + (inst.lat == isa::Lat::mufu && inst.helpers > 0 ? 1 : 0) +
              (from_memory || (loads && shared) || (stores && !shared) ? 1 : 0);
    shared_loads_ += loads && shared ? 1 : 0;
    loads_memory_ = loads_memory_ || from_memory;
  }
  bool is_small() const {
    const int with_shared = kSmall + kPerSharedLoad * shared_loads_;
    return total_ <= std::min(std::max(with_shared, loads_memory_ ? kSmallWithLoads : 0), kLargest);
  }

 private:
  int total_ = 0, shared_loads_ = 0;
  bool loads_memory_ = false;
};

// Makes the code that goes in front of a loop.
class Copies {
 public:
  Copies(Draft& draft, const DefUse& flow, ConstPool& pool, const CountedLoop& loop, bool rename)
      : draft_(draft), flow_(flow), pool_(pool), loop_(loop), branch_(draft.out.code[loop.end - 1]), rename_(rename) {}

  // Branches whose targets are not known yet, by their place in the code.
  struct Code {
    std::vector<Inst> code;
    size_t to_loop = 0, back = 0, rounds = 0, out = 0;  // rounds: where `back` goes
  };

  Code make() {
    find_names();
    Code out;
    const isa::Slot enough = new_register(isa::Ty::pred, draft_.regs[virtual_number(branch_.guard)].bytes);
    test_for_rounds(enough);
    out.to_loop = branch(enough, true);
    out.rounds = code_.size();
    for (int round = 0; round < kRounds; ++round) {
      copy_round(round);
    }
    for (const auto& [number, induction] : loop_.inductions) {
      add_steps(draft_.out.code[induction.add], induction.step * kRounds);
    }
    test_for_rounds(enough);
    out.back = branch(enough, false);
    code_.push_back(draft_.out.code[loop_.test]);
    out.out = branch(branch_.guard, !branch_.guard_negated);
    for (Inst& inst : code_) {
      inst.round = inst.round == 0 ? kRounds + 1 : inst.round;
    }
    out.code = std::move(code_);
    return out;
  }

 private:
  isa::Slot new_register(isa::Ty type, uint8_t bytes) {
    draft_.regs.push_back({type, bytes, false});
    return kVirtualBit | static_cast<isa::Slot>(draft_.regs.size() - 1);
  }
  bool inside(Pc pc) const { return pc >= loop_.begin && pc < loop_.end; }

  // A register that the loop writes without a guard can be another register in each copy of the body. Where neither the
  // next round nor the code behind the loop reads its value, the last copy has one of its own, too.
  void find_names() {
    std::set<uint32_t> written, guarded, carried;
    for (Pc pc = loop_.begin; pc < loop_.end; ++pc) {
      const Inst& inst = draft_.out.code[pc];
      each_read(inst, [&](uint32_t r) {
        if (!written.contains(r)) {
          carried.insert(r);
        }
      });
      each_write(inst, [&](uint32_t r) { (inst.guard != isa::kNoSlot ? guarded : written).insert(r); });
    }
    for (const uint32_t r : written) {
      if (!rename_ || draft_.regs[r].fixed || guarded.contains(r) || loop_.inductions.contains(r)) {
        continue;
      }
      const auto in = [&](Pc pc) { return inside(pc); };
      const bool local =
          !carried.contains(r) && std::ranges::all_of(flow_.defs[r], in) && std::ranges::all_of(flow_.uses[r], in);
      renamed_.emplace(r, local);
      names_[r] = kVirtualBit | r;
    }
  }

  void copy_round(int round) {
    for (Pc pc = loop_.begin; pc + 1 < loop_.end; ++pc) {
      const Inst& inst = draft_.out.code[pc];
      if (loop_.only_counts(pc)) {
        continue;
      }
      code_.push_back(inst);
      Inst& copy = code_.back();
      copy.round = static_cast<uint8_t>(round + 1);
      fold_steps(copy, pc, round);
      each_source(copy, [&](isa::Slot& slot) { slot = name(slot); });
      each_destination(copy, [&](isa::Slot& slot) { slot = new_name(slot, round); });
    }
  }

  // What the address has grown by since the first round began.
  void fold_steps(Inst& copy, Pc pc, int round) const {
    const auto found =
        is_virtual(copy.addr) ? loop_.inductions.find(virtual_number(copy.addr)) : loop_.inductions.end();
    if (found != loop_.inductions.end()) {
      const auto& [add, step] = found->second;
      copy.offset += step * (round + (pc > add ? 1 : 0));
    }
  }

  template <class F>
  void each_source(Inst& copy, F f) {
    for (isa::Slot& slot : copy.src) {
      f(slot);
    }
    f(copy.guard);
    f(copy.addr);
    if (copy.matrix != nullptr) {
      auto own = std::make_unique<MatrixOperands>(*copy.matrix);
      for (std::vector<isa::Slot>* list : {&own->a, &own->b, &own->c, &own->scales}) {
        std::ranges::for_each(*list, f);
      }
      copy.matrix = own.get();
      copy.extra = static_cast<uint32_t>(draft_.out.matrix_operands.size());
      draft_.out.matrix_operands.push_back(std::move(own));
    }
  }
  template <class F>
  void each_destination(Inst& copy, F f) {
    for (isa::Slot& slot : copy.dst) {
      f(slot);
    }
    if (copy.matrix != nullptr) {
      std::ranges::for_each(draft_.out.matrix_operands[copy.extra]->d, f);
    }
  }

  isa::Slot name(isa::Slot slot) const {
    const auto found = is_virtual(slot) ? names_.find(virtual_number(slot)) : names_.end();
    return found == names_.end() ? slot : found->second;
  }
  // The last round's values have the names that are known behind it.
  isa::Slot new_name(isa::Slot slot, int round) {
    const auto found = is_virtual(slot) ? renamed_.find(virtual_number(slot)) : renamed_.end();
    if (found == renamed_.end()) {
      return slot;
    }
    const VirtualReg reg = draft_.regs[found->first];
    const bool own = found->second || round + 1 < kRounds;
    return names_[found->first] = own ? new_register(reg.type, reg.bytes) : slot;
  }

  // Writes whether the counter, which is about to be stepped, goes through kRounds rounds without the loop's end: how
  // far it is from the bound, or where it will be, which must not be past the end of its type.
  void test_for_rounds(isa::Slot enough) {
    const bool wide = isa::bits(loop_.type) == 64;
    const std::string_view unsigned_type = wide ? "u64" : "u32";
    const int64_t distance = loop_.step * (kRounds - 1);
    if (loop_.continues == isa::Cmp::ne) {
      const bool counts_to_zero = loop_.step < 0 && pool_.value(loop_.bound) == uint64_t{0};
      isa::Slot left = loop_.counter;
      if (!counts_to_zero) {
        left = loop_.step < 0 ? emit("sub", unsigned_type, loop_.counter, loop_.bound)
                              : emit("sub", unsigned_type, loop_.bound, loop_.counter);
      }
      compare("gt", unsigned_type, left, constant(std::abs(distance)), isa::kNoSlot, enough);
      return;
    }
    const std::string_view type = isa::name(loop_.type);
    const isa::Slot last = emit("add", unsigned_type, loop_.counter, constant(distance));
    const isa::Slot in_range = new_register(isa::Ty::pred, draft_.regs[virtual_number(enough)].bytes);
    compare(loop_.step > 0 ? "gt" : "lt", type, last, loop_.counter, isa::kNoSlot, in_range);
    code_.back().machine_ops = 0;
    compare(name_of(loop_.continues), type, last, loop_.bound, in_range, enough);
  }

  static std::string_view name_of(isa::Cmp cmp) {
    switch (cmp) {
      case isa::Cmp::lt: return "lt";
      case isa::Cmp::le: return "le";
      case isa::Cmp::gt: return "gt";
      default: return "ge";
    }
  }

  isa::Slot constant(int64_t value) {
    return pool_.get(static_cast<uint64_t>(value), static_cast<uint8_t>(isa::bits(loop_.type) / 8));
  }

  // Arithmetic on the counter that ptxas does before the loop, on the bound.
  isa::Slot emit(std::string_view op, std::string_view type, isa::Slot a, isa::Slot b) {
    Inst inst = draft_.out.code[loop_.add];
    const std::vector<std::string> words = {std::string(type)};
    set_operation(inst, *isa::decode(op, words, 3));
    inst.src = isa::kNoSources;
    inst.src[0] = a;
    inst.src[1] = b;
    inst.dst[0] = new_register(inst.type, static_cast<uint8_t>(isa::bits(inst.type) / 8));
    inst.machine_ops = 0;
    code_.push_back(inst);
    return inst.dst[0];
  }

  void compare(std::string_view cmp, std::string_view type, isa::Slot a, isa::Slot b, isa::Slot also, isa::Slot to) {
    Inst inst = draft_.out.code[loop_.test];
    std::vector<std::string> words = {std::string(cmp)};
    if (also != isa::kNoSlot) {
      words.emplace_back("and");
    }
    words.emplace_back(type);
    set_operation(inst, *isa::decode("setp", words, also != isa::kNoSlot ? 4 : 3));
    inst.src = isa::kNoSources;
    inst.src[0] = a;
    inst.src[1] = b;
    inst.src[2] = also;
    inst.dst[0] = to;
    code_.push_back(inst);
  }

  size_t branch(isa::Slot guard, bool negated) {
    Inst inst = branch_;
    inst.guard = guard;
    inst.guard_negated = negated;
    inst.target = kNoPc;
    code_.push_back(inst);
    return code_.size() - 1;
  }

  void add_steps(const Inst& add, int64_t step) {
    Inst inst = add;
    const std::vector<std::string> words = {std::string(isa::name(add.type))};
    set_operation(inst, *isa::decode("add", words, 3));
    const isa::Slot reg = add.dst[0];
    inst.src = isa::kNoSources;
    inst.src[0] = reg;
    inst.src[1] = pool_.get(static_cast<uint64_t>(step), draft_.regs[virtual_number(reg)].bytes);
    code_.push_back(inst);
  }

  Draft& draft_;
  const DefUse& flow_;
  ConstPool& pool_;
  const CountedLoop& loop_;
  const Inst branch_;
  bool rename_;
  std::map<uint32_t, bool> renamed_;     // registers of find_names(); true: one of its own in the last copy, too
  std::map<uint32_t, isa::Slot> names_;  // now, of those
  std::vector<Inst> code_;
};

class Unrolling {
 public:
  Unrolling(Draft& draft, ConstPool& pool, bool rename) : draft_(draft), pool_(pool), rename_(rename), flow_(draft) {}

  void run() {
    for (const BasicBlock& block : build_cfg(draft_.out).blocks) {
      const auto loop = counted_loop(draft_, flow_, pool_, block);
      if (loop && is_unrolled(*loop)) {
        loops_.push_back(*loop);
      }
    }
    if (loops_.empty()) {
      return;
    }
    std::map<Pc, std::vector<Inst>> in_front;
    std::vector<Copies::Code> copies;
    for (const CountedLoop& loop : loops_) {
      copies.push_back(Copies(draft_, flow_, pool_, loop, rename_).make());
      in_front.emplace(loop.begin, copies.back().code);
    }
    rebuild(draft_.out, std::vector<bool>(draft_.out.code.size(), false), in_front);
    size_t added = 0;
    for (size_t i = 0; i < loops_.size(); ++i) {
      const size_t first = loops_[i].begin + added, size = loops_[i].end - loops_[i].begin;
      added += copies[i].code.size();
      const size_t loop = loops_[i].begin + added;
      target(first + copies[i].to_loop, loop);
      target(first + copies[i].back, first + copies[i].rounds);
      target(first + copies[i].out, loop + size);
      target(loop + size - 1, loop);
    }
    find_reconvergence(draft_.out);
  }

 private:
  void target(size_t branch, size_t pc) { draft_.out.code[branch].target = static_cast<Pc>(pc); }

  bool is_unrolled(const CountedLoop& loop) {
    if (draft_.out.code[loop.end - 1].nounroll) {
      return false;
    }
    Weight weight;
    bool collective = false;
    for (Pc pc = loop.begin; pc + 1 < loop.end; ++pc) {
      const Inst& inst = draft_.out.code[pc];
      if (!can_be_copied(inst)) {
        return false;
      }
      collective = collective || is_collective(inst);
      if (pc != loop.add && !loop.only_counts(pc)) {
        weight.add(inst);
      }
    }
    return weight.is_small() && (!collective || goes_for_all(loop));
  }

  // All lanes of a warp make as many rounds, and ptxas sees it.
  bool goes_for_all(const CountedLoop& loop) {
    if (!values_) {
      values_.emplace(draft_);
    }
    return values_->uniform(loop.counter) && values_->uniform(loop.bound) &&
           (loop.continues == isa::Cmp::ne || is_parameter(loop.bound));
  }
  bool is_parameter(isa::Slot slot) const {
    const Inst* made = is_virtual(slot) ? flow_.definition(slot) : nullptr;
    return (slot & isa::kConstBit) != 0 || (made != nullptr && made->lat == isa::Lat::none &&
                                            made->shape == isa::Shape::lane && (made->src[0] & isa::kConstBit) != 0);
  }

  Draft& draft_;
  ConstPool& pool_;
  bool rename_;
  DefUse flow_;
  std::optional<Uniformity> values_;
  std::vector<CountedLoop> loops_;
};

}  // namespace

void unroll(Draft& draft, ConstPool& pool, bool rename) { Unrolling(draft, pool, rename).run(); }

}  // namespace hpml::sim::ir
