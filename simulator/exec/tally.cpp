#include "simulator/exec/detail/tally.hpp"

namespace hpml::sim::exec {

Tally::Tally(const ir::Module& module) {
  for (const ir::Function& f : module.functions) {
    profile.emplace_back(f.code.size());
    hints.emplace_back(f.code.size());
    site_index.emplace_back(f.code.size());
  }
}

AccessSite& Tally::new_site(int function, ir::Pc pc) {
  sites.push_back({.function = function, .pc = pc, .global = {}, .shared = {}, .local = {}});
  site_index[static_cast<size_t>(function)][pc] = static_cast<uint32_t>(sites.size());
  return sites.back();
}

Counters Tally::sum(const ir::Module& module) const {
  Counters c = counters;
  for (size_t f = 0; f < profile.size(); ++f) {
    const std::vector<ir::Inst>& code = module.functions[f].code;
    for (size_t pc = 0; pc < code.size(); ++pc) {
      const PcProfile& p = profile[f][pc];
      c.warp_instructions += p.warps;
      c.thread_instructions += p.threads;
      c.thread_instructions_pred_on += p.threads_on;
      c.lat_instructions[static_cast<size_t>(code[pc].lat)] += p.warps;
      c.thread_ops[static_cast<size_t>(code[pc].thread_op)] += p.threads_on;
      c.branches += code[pc].control == isa::Control::bra ? p.warps : 0;
      c.barriers += code[pc].control == isa::Control::bar_sync ? p.warps : 0;
    }
  }
  return c;
}

void Counters::add(const Counters& other) {
  static_assert(sizeof(Counters) % sizeof(uint64_t) == 0, "all counters are 64-bit sums");
  auto* to = reinterpret_cast<uint64_t*>(this);
  const auto* from = reinterpret_cast<const uint64_t*>(&other);
  for (size_t i = 0; i < sizeof(Counters) / sizeof(uint64_t); ++i) {
    to[i] += from[i];
  }
}

}  // namespace hpml::sim::exec
