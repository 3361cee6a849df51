#pragma once
#include <vector>

#include "simulator/ir/detail/cfg.hpp"
#include "simulator/ir/detail/data_flow.hpp"

namespace hpml::sim::ir {

// Which registers have the same value in every lane of a warp. An under-estimate: what is written under a branch that
// lanes may take differently, and elsewhere too, counts as varying. After find_reconvergence().
class Uniformity {
 public:
  explicit Uniformity(const Draft& draft);

  bool uniform(isa::Slot slot) const { return !is_virtual(slot) || !varying_[virtual_number(slot)]; }

 private:
  void start();
  bool makes_varying(const Inst& inst) const;
  bool mark(uint32_t reg);
  bool mark_results();
  bool mark_divergent();
  bool mark_between(int branch, int joined);

  const Draft& draft_;
  DefUse flow_;
  Cfg cfg_;
  std::vector<bool> varying_;
};

}  // namespace hpml::sim::ir
