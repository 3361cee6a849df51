#include "simulator/exec/detail/tally.hpp"

namespace hpml::sim::exec {

Tally::Tally(const ir::Module& module) {
  for (const ir::Function& f : module.functions) {
    profile.emplace_back(f.code.size() + 1);
    memory.emplace_back(f.code.size());
    site_index.emplace_back(f.code.size());
  }
}

uint32_t Tally::new_site(int function, ir::Pc pc) {
  sites.push_back({.function = function, .pc = pc, .global = {}, .shared = {}, .local = {}});
  return static_cast<uint32_t>(sites.size());
}

Counters Tally::sum(const ir::Module& module) const {
  Counters c = counters;
  for (size_t f = 0; f < profile.size(); ++f) {
    const std::vector<ir::Inst>& code = module.functions[f].code;
    uint64_t warps = 0, threads = 0;
    for (size_t pc = 0; pc < code.size(); ++pc) {
      const PcProfile& p = profile[f][pc];
      warps += p.warps;
      threads += p.threads;
      const uint64_t threads_on = threads - p.threads_off;
      c.warp_instructions += warps;
      c.thread_instructions += threads;
      c.thread_instructions_pred_on += threads_on;
      c.lat_instructions[static_cast<size_t>(code[pc].lat)] += warps;
      c.thread_ops[static_cast<size_t>(code[pc].thread_op)] += threads_on;
      c.branches += code[pc].control == isa::Control::bra ? warps : 0;
      c.barriers += code[pc].control == isa::Control::bar_sync ? warps : 0;
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
