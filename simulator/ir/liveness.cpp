#include "simulator/ir/detail/liveness.hpp"

namespace hpml::sim::ir {

bool BitSet::merge(const BitSet& other) {
  bool grew = false;
  for (size_t w = 0; w < words_.size(); ++w) {
    const uint64_t merged = words_[w] | other.words_[w];
    grew |= merged != words_[w];
    words_[w] = merged;
  }
  return grew;
}

void BitSet::subtract(const BitSet& other) {
  for (size_t w = 0; w < words_.size(); ++w) {
    words_[w] &= ~other.words_[w];
  }
}

Liveness::Liveness(const Cfg& cfg, const std::vector<Access>& accesses, size_t registers)
    : cfg_(cfg), accesses_(accesses), registers_(registers), live_in_(cfg.blocks.size(), BitSet(registers)) {
  solve();
}

BitSet Liveness::live_out(size_t block) const {
  BitSet out(registers_);
  for (const int s : cfg_.blocks[block].successors) {
    if (s != cfg_.exit()) {
      out.merge(live_in_[static_cast<size_t>(s)]);
    }
  }
  return out;
}

void Liveness::solve() {
  std::vector<BitSet> use(cfg_.blocks.size(), BitSet(registers_)), def = use;
  for (size_t b = 0; b < cfg_.blocks.size(); ++b) {
    for (Pc pc = cfg_.blocks[b].end; pc-- > cfg_.blocks[b].begin;) {
      if (!accesses_[pc].keeps_old) {
        for (const uint32_t r : accesses_[pc].writes) {
          use[b].clear(r);
          def[b].set(r);
        }
      }
      for (const uint32_t r : accesses_[pc].reads) {
        use[b].set(r);
      }
    }
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t b = cfg_.blocks.size(); b-- > 0;) {
      BitSet in = live_out(b);
      in.subtract(def[b]);
      in.merge(use[b]);
      changed |= live_in_[b].merge(in);
    }
  }
}

}  // namespace hpml::sim::ir
