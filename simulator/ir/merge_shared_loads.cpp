// Loads of neighbouring 32-bit words of shared memory become one 64- or 128-bit load where the address is known to be
// aligned, as ptxas does: the row of a tile that a thread walks along is read four words at a time.
#include <algorithm>
#include <bit>
#include <map>

#include "simulator/ir/detail/cfg.hpp"
#include "simulator/ir/detail/data_flow.hpp"

namespace hpml::sim::ir {

namespace {

constexpr uint64_t kUnknown = 1, kAnything = 16;  // alignments in bytes; more than a load's width tells nothing

// The largest power of two, up to 16, known to divide a value.
class Alignment {
 public:
  Alignment(const DefUse& flow, const ConstPool& pool) : flow_(flow), pool_(pool) {}

  uint64_t of(isa::Slot slot) {
    if ((slot & isa::kConstBit) != 0) {
      const std::optional<uint64_t> value = pool_.value(slot);
      return value ? of_value(*value) : kUnknown;
    }
    if (!is_virtual(slot)) {
      return kUnknown;
    }
    const auto [known, first] = known_.try_emplace(slot, kAnything);  // optimistic around loops
    if (first) {
      uint64_t least = flow_.defs[virtual_number(slot)].empty() ? kUnknown : kAnything;
      for (const Pc pc : flow_.defs[virtual_number(slot)]) {
        least = std::min(least, of_result(flow_.draft.out.code[pc]));
      }
      known_[slot] = least;
      return least;
    }
    return known->second;
  }

 private:
  static uint64_t of_value(uint64_t value) {
    return value == 0 ? kAnything : std::min(kAnything, uint64_t{1} << std::countr_zero(value));
  }
  uint64_t of_result(const Inst& inst) {
    const std::string_view root = inst.variant != nullptr ? inst.variant->spec->mnemonic : "";
    const std::string_view fixed = inst.variant != nullptr ? inst.variant->spec->fixed : "";
    const auto product = [&](isa::Slot a, isa::Slot b) { return std::min(kAnything, of(a) * of(b)); };
    if (root == "mov" || root == "cvt") {
      return of(inst.src[0]);
    }
    if ((root == "add" || root == "sub" || root == "or") && fixed.empty()) {
      return std::min(of(inst.src[0]), of(inst.src[1]));
    }
    if (root == "and") {
      return std::max(of(inst.src[0]), of(inst.src[1]));
    }
    if (root == "mul" && fixed != "hi") {
      return product(inst.src[0], inst.src[1]);
    }
    if (root == "mad" && fixed != "hi") {
      return std::min(product(inst.src[0], inst.src[1]), of(inst.src[2]));
    }
    if (root == "shl" && (inst.src[1] & isa::kConstBit) != 0) {
      const uint64_t by = pool_.value(inst.src[1]).value_or(0);
      return by >= 4 ? kAnything : std::min(kAnything, of(inst.src[0]) << by);
    }
    return kUnknown;
  }

  const DefUse& flow_;
  const ConstPool& pool_;
  std::map<isa::Slot, uint64_t> known_;
};

class Merging {
 public:
  Merging(Draft& draft, const ConstPool& pool) : draft_(draft), flow_(draft), alignment_(flow_, pool) {}

  void run() {
    std::vector<bool> dead(draft_.out.code.size(), false);
    for (const BasicBlock& block : build_cfg(draft_.out).blocks) {
      for (Pc pc = block.begin; pc < block.end; ++pc) {
        if (!dead[pc] && is_candidate(draft_.out.code[pc])) {
          merge_at(pc, block.end, dead);
        }
      }
    }
    remove(draft_.out, dead);
  }

 private:
  static bool is_candidate(const Inst& inst) {
    return inst.mem == isa::Mem::ld && inst.mods.space == isa::Space::shared && !inst.mods.of_cluster &&
           inst.mods.sem == isa::Sem::weak && inst.elem_bytes == 4 && inst.mods.vec == 1 &&
           inst.guard == isa::kNoSlot && inst.dst_bytes == 4;
  }
  static bool stops(const Inst& inst) {
    const bool writes_memory = inst.mem == isa::Mem::st || inst.mem == isa::Mem::atom || inst.mem == isa::Mem::red ||
                               inst.mem == isa::Mem::copy_async || inst.mem == isa::Mem::copy_bulk;
    return writes_memory || inst.mem == isa::Mem::fence || inst.control != isa::Control::none || inst.unsupported ||
           inst.shape == isa::Shape::warp;
  }
  bool defined_once(const Inst& load) const {
    return is_virtual(load.dst[0]) && flow_.definition(load.dst[0]) == &load;
  }

  // Looks from the load at `first` for those of the words beside it.
  void merge_at(Pc first, Pc end, std::vector<bool>& dead) {
    std::map<int64_t, Pc> words;  // by offset
    const Inst& head = draft_.out.code[first];
    for (Pc pc = first; pc < end && !stops(draft_.out.code[pc]); ++pc) {
      const Inst& inst = draft_.out.code[pc];
      const bool same_base = inst.addr == head.addr && inst.addr_bytes == head.addr_bytes;
      if (!dead[pc] && is_candidate(inst) && same_base && defined_once(inst) && !read_between(inst, first, pc)) {
        words.try_emplace(inst.offset, pc);
      }
      if (writes(inst, head.addr)) {
        break;
      }
    }
    const uint64_t base = head.addr == isa::kNoSlot ? kAnything : alignment_.of(head.addr);
    for (const int64_t count : {4, 2}) {
      const int64_t start = head.offset & ~(count * 4 - 1);
      if (base < static_cast<uint64_t>(count) * 4 || !run_of(words, start, count) || !words.contains(head.offset)) {
        continue;
      }
      widen(first, words, start, count, dead);
      return;
    }
  }
  static bool run_of(const std::map<int64_t, Pc>& words, int64_t start, int64_t count) {
    for (int64_t i = 0; i < count; ++i) {
      if (!words.contains(start + 4 * i)) {
        return false;
      }
    }
    return true;
  }
  bool read_between(const Inst& load, Pc first, Pc at) const {
    const std::vector<Pc>& uses = flow_.uses[virtual_number(load.dst[0])];
    return std::any_of(uses.begin(), uses.end(), [&](Pc use) { return use >= first && use < at; });
  }
  static bool writes(const Inst& inst, isa::Slot slot) {
    return slot != isa::kNoSlot && std::find(inst.dst.begin(), inst.dst.end(), slot) != inst.dst.end();
  }

  void widen(Pc first, const std::map<int64_t, Pc>& words, int64_t start, int64_t count, std::vector<bool>& dead) {
    std::array<isa::Slot, 4> dst = {isa::kNoSlot, isa::kNoSlot, isa::kNoSlot, isa::kNoSlot};
    for (int64_t i = 0; i < count; ++i) {
      const Pc pc = words.at(start + 4 * i);
      dst[static_cast<size_t>(i)] = draft_.out.code[pc].dst[0];
      dead[pc] = pc != first;
    }
    Inst& wide = draft_.out.code[first];
    wide.dst = dst;
    wide.offset = start;
    wide.mods.vec = static_cast<uint8_t>(count);
  }

  Draft& draft_;
  DefUse flow_;
  Alignment alignment_;
};

}  // namespace

void merge_shared_loads(Draft& draft, const ConstPool& pool) { Merging(draft, pool).run(); }

}  // namespace hpml::sim::ir
