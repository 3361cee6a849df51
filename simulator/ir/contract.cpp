// mul and the add or sub of its result become one fma where neither has a rounding modifier and ptxas makes one (PTX
// ISA 9.0, 9.7.3: such instructions "may be contracted"). The rules are read off the machine code of ptxas 13.0 for
// sm_75 and sm_90:
//   - both are in one basic block, agree in .ftz, and the product has no .sat;
//   - every use of the product can be fused, so that the product itself is not needed;
//   - of a sum of two products the one without other uses is fused; of two such, the first operand.
#include <algorithm>
#include <map>
#include <string>

#include "simulator/ir/detail/cfg.hpp"
#include "simulator/ir/detail/data_flow.hpp"
#include "simulator/isa/decode.hpp"

namespace hpml::sim::ir {

namespace {

constexpr Pc kNone = kNoPc;

bool is_free_float(const Inst& inst, std::string_view mnemonic) {
  return inst.variant != nullptr && inst.variant->spec->mnemonic == mnemonic && inst.variant->spec->fixed.empty() &&
         isa::is_float(inst.type) && inst.variant->types[1] == isa::Ty::none && inst.mods.rnd == isa::Rnd::none;
}
bool is_sum(const Inst& inst) { return is_free_float(inst, "add") || is_free_float(inst, "sub"); }
bool is_copy(const Inst& inst) {
  return inst.variant != nullptr && inst.variant->spec->mnemonic == "mov" && inst.guard == isa::kNoSlot &&
         is_virtual(inst.src[0]) && inst.src[1] == isa::kNoSlot && is_virtual(inst.dst[0]) &&
         inst.dst[1] == isa::kNoSlot && inst.dst_bytes == inst.src_bytes;
}

class Contraction {
 public:
  explicit Contraction(Draft& draft)
      : draft_(draft), flow_(draft), cfg_(build_cfg(draft.out)), dead_(draft.out.code.size(), false) {}

  void run() {
    find_products();
    while (!products_.empty() && !choose()) {
    }
    if (products_.empty()) {
      return;
    }
    for (const auto& [sum, product] : chosen_) {
      fuse(sum, product);
    }
    for (const auto& [pc, product] : products_) {
      dead_[pc] = true;
      for (const Pc copy : product.copies) {
        dead_[copy] = true;
      }
    }
    rebuild(draft_.out, dead_, negations_);
  }

 private:
  struct Product {
    std::vector<Pc> sums;    // all that use it
    std::vector<Pc> copies;  // on the way there
  };

  const Inst& at(Pc pc) const { return draft_.out.code[pc]; }

  void find_products() {
    for (Pc pc = 0; pc < draft_.out.code.size(); ++pc) {
      const Inst& inst = at(pc);
      if (!is_free_float(inst, "mul") || inst.mods.sat || inst.guard != isa::kNoSlot ||
          flow_.definition(inst.dst[0]) == nullptr) {
        continue;
      }
      Product product;
      if (collect(pc, inst.dst[0], product) && !product.sums.empty()) {
        products_.emplace(pc, std::move(product));
      }
    }
  }

  // The uses of `slot`, which holds the product. False: one of them cannot be fused.
  bool collect(Pc pc, isa::Slot slot, Product& product) {
    for (const Pc use : flow_.uses[virtual_number(slot)]) {
      const Inst& inst = at(use);
      if (is_copy(inst) && flow_.definition(inst.dst[0]) != nullptr) {
        product.copies.push_back(use);
        if (!collect(pc, inst.dst[0], product)) {
          return false;
        }
      } else if (can_fuse(pc, use)) {
        product.sums.push_back(use);
      } else {
        return false;
      }
    }
    return true;
  }

  bool can_fuse(Pc product, Pc sum) const {
    const Inst &mul = at(product), &add = at(sum);
    if (!is_sum(add) || add.type != mul.type || add.mods.ftz != mul.mods.ftz || sum <= product ||
        cfg_.block_of[sum] != cfg_.block_of[product] ||
        (made_by(add.src[0]) == product && made_by(add.src[1]) == product)) {
      return false;
    }
    return !changes(mul.src[0], product, sum) && !changes(mul.src[1], product, sum);
  }

  // The instruction that made the value, past copies of it; kNone: several may have, or none.
  Pc made_by(isa::Slot slot) const {
    const Inst* made = flow_.definition(slot);
    while (made != nullptr && is_copy(*made)) {
      made = flow_.definition(made->src[0]);
    }
    return made == nullptr ? kNone : static_cast<Pc>(made - draft_.out.code.data());
  }

  bool changes(isa::Slot slot, Pc from, Pc to) const {
    if (!is_virtual(slot)) {
      return false;
    }
    const std::vector<Pc>& defs = flow_.defs[virtual_number(slot)];
    return std::any_of(defs.begin(), defs.end(), [&](Pc pc) { return pc > from && pc < to; });
  }

  // Each sum takes one of its products. False: a product was not taken by all its sums, and is none any more.
  bool choose() {
    chosen_.clear();
    for (const auto& [pc, product] : products_) {
      for (const Pc sum : product.sums) {
        chosen_[sum] = choice(sum);
      }
    }
    const size_t before = products_.size();
    std::erase_if(products_, [&](const auto& entry) {
      return std::any_of(entry.second.sums.begin(), entry.second.sums.end(),
                         [&](Pc sum) { return chosen_.at(sum) != entry.first; });
    });
    return products_.size() == before;
  }

  Pc choice(Pc sum) const {
    Pc best = kNone;
    bool best_alone = false;
    for (const isa::Slot slot : {at(sum).src[0], at(sum).src[1]}) {
      const auto found = products_.find(made_by(slot));
      const bool usable = found != products_.end() && std::ranges::count(found->second.sums, sum) != 0;
      const bool alone = usable && found->second.sums.size() == 1;
      if (usable && (best == kNone || (alone && !best_alone))) {
        best = found->first;
        best_alone = alone;
      }
    }
    return best;
  }

  void fuse(Pc sum, Pc product) {
    Inst& out = draft_.out.code[sum];
    const Inst& mul = at(product);
    const bool product_first = made_by(out.src[0]) == product;
    const bool minus = is_free_float(out, "sub");
    isa::Slot a = mul.src[0], c = out.src[product_first ? 1 : 0];
    if (minus) {
      isa::Slot& changed = product_first ? c : a;
      changed = negated(sum, changed);
    }
    std::vector<std::string> words = {"rn"};
    if (out.mods.ftz) {
      words.emplace_back("ftz");
    }
    if (out.mods.sat) {
      words.emplace_back("sat");
    }
    words.emplace_back(isa::name(out.type));
    set_operation(out, *isa::decode("fma", words, 4));
    out.src = isa::kNoSources;
    out.src[0] = a;
    out.src[1] = mul.src[1];
    out.src[2] = c;
  }

  // -slot, made in front of the sum: a sign of an operand in the machine.
  isa::Slot negated(Pc sum, isa::Slot slot) {
    const std::vector<std::string> words = {std::string(isa::name(at(sum).type))};
    Inst neg = at(sum);
    set_operation(neg, *isa::decode("neg", words, 2));
    draft_.regs.push_back({neg.type, neg.src_bytes, false});
    neg.guard = isa::kNoSlot;
    neg.dst = isa::kNoDestinations;
    neg.dst[0] = kVirtualBit | static_cast<isa::Slot>(draft_.regs.size() - 1);
    neg.dst_bytes = neg.src_bytes;
    neg.src = isa::kNoSources;
    neg.src[0] = slot;
    negations_.emplace(sum, std::vector{neg});
    return neg.dst[0];
  }

  Draft& draft_;
  DefUse flow_;
  Cfg cfg_;
  std::map<Pc, Product> products_;             // by place
  std::map<Pc, Pc> chosen_;                    // sum -> the product it is fused with
  std::map<Pc, std::vector<Inst>> negations_;  // in front of the sum
  std::vector<bool> dead_;
};

}  // namespace

void contract(Draft& draft) { Contraction(draft).run(); }

}  // namespace hpml::sim::ir
