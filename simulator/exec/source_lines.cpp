#include "simulator/exec/source_lines.hpp"

#include <bit>
#include <map>
#include <tuple>

#include "simulator/exec/detail/access.hpp"
#include "simulator/exec/detail/grid_impl.hpp"

namespace hpml::sim::exec {
namespace {

AccessKind kind_of(isa::Mem mem, isa::Space space) {
  switch (mem) {
    case isa::Mem::st: return AccessKind::store;
    case isa::Mem::atom:
    case isa::Mem::red: return AccessKind::atomic;
    case isa::Mem::copy_async:  // reads global memory, writes shared memory
    case isa::Mem::copy_bulk: return space == isa::Space::shared ? AccessKind::store : AccessKind::load;
    case isa::Mem::ld:
    case isa::Mem::none:
    case isa::Mem::prefetch:
    case isa::Mem::cvta_to:
    case isa::Mem::cvta_from:
    case isa::Mem::isspacep:
    case isa::Mem::cta_rank:
    case isa::Mem::fence: return AccessKind::load;
  }
  return AccessKind::load;
}

std::string without_folder(const std::string& path) { return path.substr(path.find_last_of('/') + 1); }

using Lines = std::map<std::tuple<std::string, int, isa::Space, AccessKind>, AccessCounters>;

void add_site(const ir::Function& function, const ir::Inst& inst, const AccessSite& at, Lines& lines) {
  if (inst.src_line <= 0 || inst.src_file >= function.files.size()) {
    return;
  }
  const std::string file = without_folder(function.files[inst.src_file]);
  for (const isa::Space space : {isa::Space::global, isa::Space::shared, isa::Space::local}) {
    if (at[space].requests > 0) {
      lines[{file, inst.src_line, space, kind_of(inst.mem, space)}].add(at[space]);
    }
  }
}

}  // namespace

AccessCounters& WarpMemory::site(isa::Space space) {
  const Group& group = groups_[static_cast<size_t>(current_)];
  return tally_->site(group.frame->function_index, group.pc)[space];
}

void WarpMemory::count_stride(AccessCounters& counters, LaneMask active) const {
  const LaneMask others = active & (active - 1);
  if (others != 0) {
    const auto first = static_cast<size_t>(std::countr_zero(active));
    const auto second = static_cast<size_t>(std::countr_zero(others));
    if (second == first + 1) {
      counters.stride.add(static_cast<int64_t>(address_[second] - address_[first]));
    }
  }
}

void WarpMemory::add_conflict(AccessCounters& counters, LaneMask active, uint32_t bytes) const {
  const auto word = [&](size_t lane) {
    return (active >> lane & 1u) != 0 ? static_cast<uint32_t>(address_[lane] / 4) : 0u;
  };
  if (counters.conflict.lanes != 0 && word(0) > counters.conflict.words[0]) {
    return;  // most examples are not the lowest by their first word
  }
  ConflictExample example{.lanes = active, .bytes = bytes, .words = {}};
  for (size_t lane = 0; lane < example.words.size(); ++lane) {
    example.words[lane] = word(lane);
  }
  counters.conflict.add(example);
}

std::vector<LineAccess> GridImpl::line_accesses() const {
  Lines lines;
  for (const Tally& tally : tallies_) {
    for (const AccessSite& at : tally.sites) {
      const ir::Function& function = launch_.module->functions[static_cast<size_t>(at.function)];
      add_site(function, function.code[at.pc], at, lines);
    }
  }
  std::vector<LineAccess> out;
  for (const auto& [key, counters] : lines) {
    const auto& [file, line, space, kind] = key;
    out.push_back({file, line, space, kind, counters});
  }
  return out;
}

}  // namespace hpml::sim::exec
