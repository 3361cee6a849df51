// The one line a faulting kernel leaves behind.
#include <fmt/format.h>

#include "common/base/demangle.hpp"
#include "simulator/exec/detail/grid_impl.hpp"

namespace hpml::sim::exec {

namespace {

std::string_view kind_name(memory::Kind kind) {
  switch (kind) {
    case memory::Kind::device: return "device";
    case memory::Kind::managed: return "managed";
    case memory::Kind::pinned: return "pinned host";
    case memory::Kind::registered: return "registered host";
    case memory::Kind::module: return "module";
  }
  return "";
}

constexpr uint64_t kNullRegion = 1 << 20;  // a null pointer with a small index

// "; 4 bytes behind a 4096-byte device allocation at 0x300000000200"
std::string neighbourhood(const memory::AddressSpace& memory, uint64_t address) {
  if (const memory::Allocation* freed = memory.freed(address)) {
    return fmt::format("; inside {} memory of {} bytes at {:#x} that was freed", kind_name(freed->kind), freed->size,
                       freed->base);
  }
  if (const memory::Allocation* theirs = memory.out_of_reach(address)) {
    return fmt::format("; inside memory of {} bytes at {:#x} of another device: call cudaDeviceEnablePeerAccess first",
                       theirs->size, theirs->base);
  }
  if (memory::AddressSpace::is_host_memory(address)) {
    return "; this is host memory, which a kernel cannot use: pass memory from cudaMalloc (filled with cudaMemcpy) or "
           "from cudaMallocManaged";
  }
  if (address < kNullRegion) {
    return "; the pointer is null, or was never set: cudaMalloc its memory first, and pass the pointer that it gave";
  }
  const memory::Allocation* near = memory.nearest(address);
  if (near == nullptr) {
    return "; nothing is allocated";
  }
  const std::string what = fmt::format("{} allocation of {} bytes at {:#x}{}", kind_name(near->kind), near->size,
                                       near->base, near->label.empty() ? "" : " (" + near->label + ")");
  if (near->contains(address, 1)) {
    return "; the access crosses the end of the " + what;
  }
  if (address < near->base) {
    return fmt::format("; {} bytes before the {}", near->base - address, what);
  }
  return fmt::format("; {} bytes behind the end of the {}", address - near->end(), what);
}

std::string place_of(const Frame& frame, Pc pc) {
  const ir::Inst& inst = frame.function->code[pc];
  std::string out;
  if (inst.src_line > 0 && inst.src_file < frame.function->files.size()) {
    out = fmt::format("{}:{}, ", frame.function->files[inst.src_file], inst.src_line);
  }
  return out + fmt::format("{}:{}", frame.function->module_name, inst.ptx_line);
}

}  // namespace

void WarpRegisters::fail(TrapKind kind, const std::string& what, int lane, std::optional<uint64_t> address) {
  grid_->set_trap({kind, describe_fault(kind, what, lane, address), lane}, *block_);
}

std::string WarpRegisters::describe_fault(TrapKind kind, const std::string& what, int lane,
                                          std::optional<uint64_t> address) const {
  const Group& g = groups_[static_cast<size_t>(current_)];
  const Extent& block = grid_->launch_.block;
  const uint32_t thread = static_cast<uint32_t>(index_) * isa::kWarpSize + static_cast<uint32_t>(lane);
  const ir::Function& kernel = grid_->launch_.module->functions[static_cast<size_t>(grid_->kernel_.function)];
  std::string text =
      fmt::format("{} in kernel {} at {}, block ({},{},{}), thread ({},{},{})", what, demangle(kernel.name),
                  place_of(*g.frame, g.pc), block_->ctaid_[0], block_->ctaid_[1], block_->ctaid_[2], thread % block.x,
                  thread / block.x % block.y, thread / block.x / block.y);
  if (address) {
    text += fmt::format(", address {:#x}", *address);
    if (kind == TrapKind::illegal_address) {
      text += neighbourhood(*grid_->services_.memory, *address);
    }
  }
  return text;
}

std::string WarpImpl::describe() const {
  std::string out;
  for (const Group& g : groups_) {
    const bool at_cluster = g.wait == Wait::block_barrier && g.sync_mask == kClusterBarrier;
    const char* why = at_cluster                      ? "at the barrier of its cluster"
                      : g.wait == Wait::block_barrier ? "at a block barrier"
                      : g.wait == Wait::warp_sync     ? "for other lanes of its warp"
                                                      : "ready";
    out += fmt::format("{}block {} warp {}: lanes {:#010x} {} {} ({})", out.empty() ? "" : "; ", block_->id_, index_,
                       g.mask, g.wait == Wait::none ? "are" : "wait", why, place_of(*g.frame, g.pc));
    if (g.wait == Wait::warp_sync) {
      out += fmt::format(", mask {:#010x}", g.sync_mask);
    }
  }
  return out;
}

}  // namespace hpml::sim::exec
