// Stack of a size known at run time: it grows above the frame of the function that asks for it (isa/ops/stack.hpp).
#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "simulator/exec/detail/grid_impl.hpp"

namespace hpml::sim::exec {

// The first byte of local memory above `frame` that none of `lanes` uses.
uint32_t WarpControl::stack_top(const Frame& frame, LaneMask lanes) const {
  constexpr uint32_t kFrameAlignment = 16;
  uint32_t dynamic = 0;
  for (LaneMask rest = frame.function->grows_stack ? lanes : 0; rest != 0; rest &= rest - 1) {
    dynamic = std::max(dynamic, frame.dynamic[static_cast<size_t>(std::countr_zero(rest))]);
  }
  const uint32_t aligned = (dynamic + kFrameAlignment - 1) / kFrameAlignment * kFrameAlignment;
  return frame.local_base + frame.function->local_bytes + aligned;
}

void WarpControl::grow_stack(const ir::Inst& inst, LaneMask active) {
  Frame& frame = *groups_[static_cast<size_t>(current_)].frame;
  const uint64_t base = frame.local_base + frame.function->local_bytes, alignment = inst.extra;
  for (LaneMask rest = active; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    uint32_t& dynamic = frame.dynamic[static_cast<size_t>(lane)];
    if (inst.control == isa::Control::stack_save) {
      set_value(inst.dst[0], lane, inst.dst_bytes, base + dynamic);
      continue;
    }
    const uint64_t operand = value(inst.src[0], lane, inst.src_bytes);
    uint64_t top = operand;
    if (inst.control == isa::Control::alloca) {
      const uint64_t start = (base + dynamic + alignment - 1) / alignment * alignment;
      set_value(inst.dst[0], lane, inst.dst_bytes, start);
      top = operand <= grid_->local_bytes_ ? start + operand : grid_->local_bytes_ + uint64_t{1};
    }
    if (top < base || top > grid_->local_bytes_) {
      return fail(TrapKind::stack_overflow, fmt::format("{} leaves the thread's stack", inst.variant->spec->mnemonic),
                  lane);
    }
    dynamic = static_cast<uint32_t>(top - base);
  }
}

}  // namespace hpml::sim::exec
