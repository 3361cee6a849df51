// Function activations: frames, arguments, returns, and the special registers of a frame.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>

#include "common/base/check.hpp"
#include "common/base/demangle.hpp"
#include "simulator/exec/detail/grid_impl.hpp"
#include "simulator/exec/detail/lane_move.hpp"

namespace hpml::sim::exec {

namespace {

constexpr size_t kMaxFrames = 65'536;  // of one warp, whose lanes may recurse apart

}  // namespace

void WarpControl::start_lanes(LaneMask lanes) {
  groups_.clear();
  splits_.clear();
  while (!frames_.empty()) {
    free_frames_.push_back(std::move(frames_.back()));
    frames_.pop_back();
  }
  Frame* frame = new_frame(grid_->kernel_.function);
  frame->live = lanes;
  frame->local_base = 0;
  fill_specials(*frame);
  Group group;
  group.mask = lanes;
  group.frame = frame;
  groups_.push_back(group);
  current_ = 0;
}

Frame* WarpControl::new_frame(int function_index) {
  const ir::Function& function = grid_->launch_.module->functions[static_cast<size_t>(function_index)];
  std::unique_ptr<Frame> frame;
  for (size_t i = 0; i < free_frames_.size() && frame == nullptr; ++i) {
    if (free_frames_[i]->function == &function) {
      frame = std::move(free_frames_[i]);
      free_frames_.erase(free_frames_.begin() + static_cast<std::ptrdiff_t>(i));
    }
  }
  if (frame == nullptr) {
    frame = std::make_unique<Frame>();
    frame->function = &function;
    frame->function_index = function_index;
    frame->storage.resize(function.frame_bytes);
    frame->regs = frame->storage.data();
  }
  frame->caller = nullptr;
  frame->site = nullptr;
  frame->dynamic.fill(0);
  frames_.push_back(std::move(frame));
  return frames_.back().get();
}

namespace {

template <class LaneValue>
void fill(std::byte* lanes, uint8_t bytes, LaneValue value) {
  if (bytes == 4) {
    auto* out = reinterpret_cast<uint32_t*>(lanes);
    for (uint32_t lane = 0; lane < isa::kWarpSize; ++lane) {
      out[lane] = static_cast<uint32_t>(value(lane));
    }
  } else {
    auto* out = reinterpret_cast<uint64_t*>(lanes);
    for (uint32_t lane = 0; lane < isa::kWarpSize; ++lane) {
      out[lane] = value(lane);
    }
  }
}

std::array<uint32_t, 3> extents(const Extent& e) { return {e.x, e.y, e.z}; }

}  // namespace

// The value every lane of the warp sees, or nothing for those that differ by lane or change over time.
std::optional<uint64_t> WarpControl::uniform_special(const ir::SpecialUse& use, const Frame& frame) const {
  const Launch& launch = grid_->launch_;
  switch (use.what) {
    case ir::Special::ntid_x: return launch.block.x;
    case ir::Special::ntid_y: return launch.block.y;
    case ir::Special::ntid_z: return launch.block.z;
    case ir::Special::ctaid_x: return block_->ctaid_[0];
    case ir::Special::ctaid_y: return block_->ctaid_[1];
    case ir::Special::ctaid_z: return block_->ctaid_[2];
    case ir::Special::nctaid_x: return launch.grid.x;
    case ir::Special::nctaid_y: return launch.grid.y;
    case ir::Special::nctaid_z: return launch.grid.z;
    case ir::Special::warpid: return static_cast<uint32_t>(index_);
    case ir::Special::nwarpid: return static_cast<uint32_t>(block_->warp_count_);
    case ir::Special::smid: return static_cast<uint32_t>(block_->sm_);
    case ir::Special::nsmid: return static_cast<uint32_t>(launch.sm_count);
    case ir::Special::gridid: return 1;
    case ir::Special::dynamic_smem_size: return launch.dynamic_shared;
    case ir::Special::total_smem_size: return grid_->shared_bytes_;
    case ir::Special::envreg:
      return use.index == 1 ? launch.cooperative_workspace >> 32 : use.index == 2 ? launch.cooperative_workspace : 0;
    case ir::Special::constant: return use.index;
    case ir::Special::clusterid: return block_->clusterid_[use.index];
    case ir::Special::nclusterid: return extents(launch.grid)[use.index] / extents(launch.cluster)[use.index];
    case ir::Special::cluster_ctaid: return block_->ctaid_[use.index] % extents(launch.cluster)[use.index];
    case ir::Special::cluster_nctaid: return extents(launch.cluster)[use.index];
    case ir::Special::cluster_ctarank: return block_->rank_;
    case ir::Special::cluster_nctarank: return launch.cluster.count();
    case ir::Special::is_explicit_cluster: return launch.explicit_cluster ? isa::kFullMask : 0u;
    case ir::Special::local_base: return frame.local_base;
    case ir::Special::tid_x:
    case ir::Special::tid_y:
    case ir::Special::tid_z:
    case ir::Special::laneid:
    case ir::Special::lanemask_eq:
    case ir::Special::lanemask_lt:
    case ir::Special::lanemask_le:
    case ir::Special::lanemask_gt:
    case ir::Special::lanemask_ge:
    case ir::Special::clock:
    case ir::Special::clock_hi:
    case ir::Special::clock64:
    case ir::Special::globaltimer:
    case ir::Special::globaltimer_lo:
    case ir::Special::globaltimer_hi: return std::nullopt;
  }
  return std::nullopt;
}

void WarpControl::fill_specials(Frame& frame) {
  const Extent& block = grid_->launch_.block;
  const uint32_t first = static_cast<uint32_t>(index_) * isa::kWarpSize;
  const bool flat = block.y == 1 && block.z == 1;
  for (const ir::SpecialUse& use : frame.function->specials) {
    std::byte* lanes = frame.regs + use.slot;
    if (const auto uniform = uniform_special(use, frame)) {
      if (use.bytes == 0) {
        const auto mask = static_cast<LaneMask>(*uniform);
        std::memcpy(lanes, &mask, sizeof mask);
        continue;
      }
      fill(lanes, use.bytes, [v = *uniform](uint32_t) { return v; });
      continue;
    }
    const auto by_lane = [&](auto value) { fill(lanes, use.bytes, value); };
    if (use.what == ir::Special::tid_x && flat) {
      by_lane([first](uint32_t lane) { return first + lane; });
    } else if (use.what == ir::Special::tid_x) {
      by_lane([&](uint32_t lane) { return (first + lane) % block.x; });
    } else if (use.what == ir::Special::tid_y) {
      by_lane([&](uint32_t lane) { return (first + lane) / block.x % block.y; });
    } else if (use.what == ir::Special::tid_z) {
      by_lane([&](uint32_t lane) { return (first + lane) / block.x / block.y; });
    } else if (use.what == ir::Special::laneid) {
      by_lane([](uint32_t lane) { return lane; });
    } else if (use.what == ir::Special::lanemask_eq) {
      by_lane([](uint32_t lane) { return 1u << lane; });
    } else if (use.what == ir::Special::lanemask_lt) {
      by_lane([](uint32_t lane) { return (1u << lane) - 1; });
    } else if (use.what == ir::Special::lanemask_le) {
      by_lane([](uint32_t lane) { return (2u << lane) - 1; });
    } else if (use.what == ir::Special::lanemask_gt) {
      by_lane([](uint32_t lane) { return ~((2u << lane) - 1); });
    } else if (use.what == ir::Special::lanemask_ge) {
      by_lane([](uint32_t lane) { return ~((1u << lane) - 1); });
    }
  }
}

void WarpControl::refresh_clocks(Frame& frame) {
  const Services& services = grid_->services_;
  const Launch& launch = grid_->launch_;
  const bool own = grid_->latency() != nullptr;
  const uint64_t clock = services.clock ? services.clock() : own ? cycles_ : grid_->executed();
  const double own_ns = launch.start_ns + static_cast<double>(cycles_) * launch.ns_per_cycle;
  const uint64_t timer = services.globaltimer_ns ? services.globaltimer_ns()
                         : own                   ? static_cast<uint64_t>(own_ns)
                                                 : grid_->executed();
  for (const ir::SpecialUse& use : frame.function->specials) {
    uint64_t v = 0;
    if (use.what == ir::Special::clock || use.what == ir::Special::clock64) {
      v = clock;
    } else if (use.what == ir::Special::clock_hi) {
      v = clock >> 32;
    } else if (use.what == ir::Special::globaltimer || use.what == ir::Special::globaltimer_lo) {
      v = timer;
    } else if (use.what == ir::Special::globaltimer_hi) {
      v = timer >> 32;
    } else {
      continue;
    }
    for (int lane = 0; lane < isa::kWarpSize; ++lane) {
      std::memcpy(frame.regs + use.slot + lane * use.bytes, &v, use.bytes);
    }
  }
}

void WarpControl::call(const ir::Inst& inst, LaneMask active) {
  const Group& g = groups_[static_cast<size_t>(current_)];
  const ir::CallSite& site = g.frame->function->calls[inst.extra];
  if (site.libm != nullptr || site.builtin != ir::Builtin::none) {
    if (site.libm != nullptr) {
      call_libm(site, active);
    } else {
      call_builtin(site, active);
      spin_.memory_changed();
    }
    if (!trapped()) {
      ++groups_[static_cast<size_t>(current_)].pc;
      arrive_if_joined();
    }
    return;
  }
  if (site.callee < 0) {
    return indirect_call(inst, site, active);
  }
  enter(site, site.callee, active);
}

// Lanes with the same target go in together, one target after the other, and meet again behind the call.
void WarpControl::indirect_call(const ir::Inst& inst, const ir::CallSite& site, LaneMask active) {
  const uint64_t address = value(inst.src[0], std::countr_zero(active), 8);
  const auto& known = grid_->launch_.module->code_addresses;
  const auto found = std::lower_bound(known.begin(), known.end(), std::pair(address, 0));
  if (found == known.end() || found->first != address) {
    return fail(TrapKind::invalid_pc, "indirect call of an address that is no function", std::countr_zero(active),
                address);
  }
  LaneMask same = 0;
  for (LaneMask rest = active; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    same |= value(inst.src[0], lane, 8) == address ? 1u << lane : 0u;
  }
  enter(site, found->second, same);
}

void WarpControl::enter(const ir::CallSite& site, int callee, LaneMask active) {
  const Pc return_pc = groups_[static_cast<size_t>(current_)].pc + 1;
  Frame* caller = groups_[static_cast<size_t>(current_)].frame;
  const ir::Function& function = grid_->launch_.module->functions[static_cast<size_t>(callee)];
  const uint32_t base = stack_top(*caller, active);
  if (base + function.local_bytes > grid_->local_bytes_ || frames_.size() > kMaxFrames) {
    return fail(TrapKind::stack_overflow, "call of " + demangle(function.name) + " overflows the thread's stack",
                std::countr_zero(active));
  }
  // Every lane of the group meets behind the call: those that do not call wait there.
  Group& g = groups_[static_cast<size_t>(current_)];
  const LaneMask others = g.mask & ~active;
  // Lanes of an indirect call with another target stay at the call itself and take their own way in afterwards.
  const bool guarded_others = others != 0;
  const int split = new_split(return_pc, caller, g.mask, g.split);
  g.split = split;
  if (guarded_others) {
    Group rest = g;
    rest.mask = others;
    const ir::Inst& inst = caller->function->code[g.pc];
    LaneMask wants = others;
    if (inst.guard != isa::kNoSlot) {
      LaneMask p;
      std::memcpy(&p, caller->regs + inst.guard, sizeof p);
      wants &= inst.guard_negated ? ~p : p;
    }
    const LaneMask skips = others & ~wants;
    if (wants != 0) {
      rest.mask = wants;
      groups_.insert(groups_.begin() + current_, rest);
      ++current_;
    }
    if (skips != 0) {
      splits_[static_cast<size_t>(split)].pending &= ~skips;
      splits_[static_cast<size_t>(split)].arrived |= skips;
    }
  }
  Frame* frame = new_frame(callee);
  frame->caller = caller;
  frame->site = &site;
  frame->return_pc = return_pc;
  frame->local_base = base;
  frame->live = active;
  fill_specials(*frame);
  Group& entering = groups_[static_cast<size_t>(current_)];
  entering.mask = active;
  entering.frame = frame;
  entering.pc = 0;
  if (site.callee >= 0) {
    copy_pieces(site.args, caller->local_base, base, active, true);
    return;
  }
  // Indirect: the formals are laid out by the callee.
  std::vector<ir::CallSite::Piece> pieces = site.args;
  for (size_t i = 0; i < pieces.size() && i < function.params.size(); ++i) {
    pieces[i].callee_offset = function.params[i].offset;
  }
  copy_pieces(pieces, caller->local_base, base, active, true);
}

void WarpControl::copy_pieces(const std::vector<ir::CallSite::Piece>& pieces, uint32_t caller_base,
                              uint32_t callee_base, LaneMask lanes, bool into_callee) {
  for (const ir::CallSite::Piece& piece : pieces) {
    for (LaneMask rest = lanes; rest != 0; rest &= rest - 1) {
      std::byte* local = local_memory(std::countr_zero(rest));
      std::byte* in_caller = local + caller_base + piece.caller_offset;
      std::byte* in_callee = local + callee_base + piece.callee_offset;
      std::memcpy(into_callee ? in_callee : in_caller, into_callee ? in_caller : in_callee, piece.bytes);
    }
  }
}

void WarpControl::return_lanes(LaneMask lanes) {
  Group& g = groups_[static_cast<size_t>(current_)];
  Frame* frame = g.frame;
  Frame* caller = frame->caller;
  HPML_CHECK(caller != nullptr, fmt::format("return from {} without a caller", frame->function->name));
  std::vector<ir::CallSite::Piece> pieces = frame->site->results;
  for (size_t i = 0; i < pieces.size() && i < frame->function->results.size(); ++i) {
    pieces[i].callee_offset = frame->function->results[i].offset;
  }
  copy_pieces(pieces, caller->local_base, frame->local_base, lanes, false);
  frame->live &= ~lanes;
  if (lanes != g.mask) {  // a guarded ret: the others stay in the function
    Group back = g;
    back.mask = lanes;
    back.frame = caller;
    back.pc = frame->return_pc;
    while (back.split >= 0 && splits_[static_cast<size_t>(back.split)].frame == frame) {
      splits_[static_cast<size_t>(back.split)].pending &= ~lanes;
      back.split = splits_[static_cast<size_t>(back.split)].parent;
    }
    g.mask &= ~lanes;
    ++g.pc;
    groups_.push_back(back);
    current_ = static_cast<int>(groups_.size()) - 1;
  } else {
    while (g.split >= 0 && splits_[static_cast<size_t>(g.split)].frame == frame) {
      splits_[static_cast<size_t>(g.split)].pending &= ~lanes;
      g.split = splits_[static_cast<size_t>(g.split)].parent;
    }
    g.frame = caller;
    g.pc = frame->return_pc;
  }
  arrive_if_joined();
  // Meeting points inside the function that waited only for the lanes that returned.
  for (int i = 0; i < static_cast<int>(splits_.size()); ++i) {
    const Split& split = splits_[static_cast<size_t>(i)];
    if (split.in_use && split.frame == frame && split.pending == 0) {
      complete(i);
      arrive_if_joined();
    }
  }
  if (frame->live == 0) {
    const auto found = std::find_if(frames_.begin(), frames_.end(), [&](const auto& f) { return f.get() == frame; });
    free_frames_.push_back(std::move(*found));
    frames_.erase(found);
  }
}

namespace {

// `bytes` of each lane of `active`, from the lanes' own memory (`stride` apart) into a lane array; idle lanes are zero.
void gather_argument(LaneMask active, const std::byte* memory, size_t stride, uint32_t bytes, std::byte* lanes) {
  std::memset(lanes, 0, size_t{bytes} * isa::kWarpSize);
  const auto copy = [&]<class T>(T) {
    each_lane(active, [&](size_t lane) { std::memcpy(lanes + lane * sizeof(T), memory + lane * stride, sizeof(T)); });
  };
  switch (bytes) {
    case 4: return copy(uint32_t{});
    case 8: return copy(uint64_t{});
    default:
      return each_lane(active, [&](size_t lane) { std::memcpy(lanes + lane * bytes, memory + lane * stride, bytes); });
  }
}

}  // namespace

// A math function as one instruction: arguments from the local frame into lane arrays, the op's lane loop, results
// back.
void WarpControl::call_libm(const ir::CallSite& site, LaneMask active) {
  const isa::Variant& v = *site.libm;
  alignas(64) std::array<std::byte, 8 * 256> lanes;
  isa::LaneInst inst;
  const uint32_t base = groups_[static_cast<size_t>(current_)].frame->local_base;
  const auto bytes_of = [](isa::Ty type) { return static_cast<uint32_t>(std::max(isa::bits(type) / 8, 1)); };
  for (size_t i = 0; i < static_cast<size_t>(v.dst_count); ++i) {
    inst.dst[i] = static_cast<isa::Slot>(i * 256);
    std::memset(lanes.data() + inst.dst[i], 0, 256);
  }
  for (size_t i = 0; i < static_cast<size_t>(v.src_count); ++i) {
    inst.src[i] = static_cast<isa::Slot>((4 + i) * 256);
    if (i >= site.args.size()) {
      return fail(TrapKind::illegal_instruction, "not supported: call of " + site.name + " with too few arguments",
                  std::countr_zero(active));
    }
    gather_argument(active, local_memory(0) + base + site.args[i].caller_offset, grid_->local_bytes_,
                    bytes_of(v.src[i].type), lanes.data() + inst.src[i]);
  }
  inst.dst_bytes = static_cast<uint8_t>(bytes_of(v.dst[0].type));
  inst.src_bytes = static_cast<uint8_t>(bytes_of(v.src[0].type));
  v.run(lanes.data(), lanes.data(), active, inst);
  // Results: the return value, and one pointer argument behind the sources for each further result (sincos, modf,
  // frexp).
  const size_t returned = site.results.empty() ? 0 : 1;
  for (LaneMask rest = active; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    for (size_t i = 0; i < static_cast<size_t>(v.dst_count); ++i) {
      const uint32_t bytes = bytes_of(v.dst[i].type);
      const std::byte* from = lanes.data() + inst.dst[i] + static_cast<uint32_t>(lane) * bytes;
      if (i < returned) {
        std::memset(local_memory(lane) + base + site.results[0].caller_offset, 0, site.results[0].bytes);
        std::memcpy(local_memory(lane) + base + site.results[0].caller_offset, from,
                    std::min(bytes, site.results[0].bytes));
        continue;
      }
      const size_t pointer = static_cast<size_t>(v.src_count) + i - returned;
      if (pointer < site.args.size()) {
        std::byte* place = data_at(read_arg(site, pointer, lane), lane, bytes);
        if (place == nullptr) {
          return fail(TrapKind::illegal_address, site.name + " writes its result out of bounds", lane,
                      read_arg(site, pointer, lane));
        }
        std::memcpy(place, from, bytes);
        note_written(read_arg(site, pointer, lane), bytes);
      }
    }
  }
}

}  // namespace hpml::sim::exec
