// Instructions that are several accesses at once: matrices, bulk copies.
#include <algorithm>
#include <bit>

#include "simulator/exec/detail/access.hpp"
#include "simulator/exec/detail/grid_impl.hpp"

namespace hpml::sim::exec {

namespace {

// An instruction of several accesses has the lines of all of them.
void add_access(Effects& all, const Effects& one) {
  if (!all.has_access) {
    all.lat = one.lat;
    all.has_access = true;
    all.access = one.access;
  } else {
    Access& to = all.access;
    to.bytes = static_cast<uint8_t>(to.bytes + one.access.bytes);
    to.wavefronts += one.access.wavefronts;
    to.ideal_wavefronts += one.access.ideal_wavefronts;
    for (int i = 0; i < one.access.line_count; ++i) {
      const Access::Line& line = one.access.lines[static_cast<size_t>(i)];
      auto* const end = to.lines.begin() + to.line_count;
      auto* const found =
          std::find_if(to.lines.begin(), end, [&](const Access::Line& l) { return l.line == line.line; });
      if (found != end) {
        found->sectors |= line.sectors;
      } else if (to.line_count < static_cast<int>(to.lines.size())) {
        to.lines[static_cast<size_t>(to.line_count++)] = line;
      }
    }
    to.sector_count = 0;
    for (int i = 0; i < to.line_count; ++i) {
      to.sector_count += std::popcount(to.lines[static_cast<size_t>(i)].sectors);
    }
  }
}

void add_faults(Effects& all, const Effects& one) {
  for (int i = 0; i < one.fault_count && all.fault_count < static_cast<int>(all.faults.size()); ++i) {
    all.faults[static_cast<size_t>(all.fault_count++)] = one.faults[static_cast<size_t>(i)];
  }
}

}  // namespace

// As find_places(); what timing sees of it is added to what it has seen of the instruction's other pieces: its lines,
// if they are wanted, and its faults.
bool WarpMemory::piece_places(const ir::Inst& access, LaneMask active, Effects* effects, Places& place, bool lines) {
  if (effects == nullptr) {
    return find_places(access, active, nullptr, place);
  }
  Effects piece;
  piece.has_access = false;
  const bool found = find_places(access, active, &piece, place);
  if (piece.has_access) {
    if (lines) {
      add_access(*effects, piece);
    }
    add_faults(*effects, piece);
  }
  return found;
}

}  // namespace hpml::sim::exec
