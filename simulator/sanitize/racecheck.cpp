#include "simulator/sanitize/racecheck.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <string_view>
#include <utility>

namespace hpml::sim::sanitize {
namespace {

constexpr uint64_t kWordBytes = 4;

// Accesses that the memory model lets collide (PTX ISA 9.0, 8.7 "morally strong" operations). Volatile ones are not
// meant: with them old programs leave out the synchronisation that this check is about.
bool is_strong(const ir::Inst& inst) {
  switch (inst.mods.sem) {
    case isa::Sem::weak:
    case isa::Sem::volatile_: return is_atomic(inst);
    case isa::Sem::relaxed:
    case isa::Sem::acquire:
    case isa::Sem::release:
    case isa::Sem::acq_rel:
    case isa::Sem::sc:
    case isa::Sem::mmio: return true;
  }
  return false;
}

// Operations with which programs build locks and flags.
bool is_lock(const ir::Inst& inst) {
  switch (inst.mods.sem) {
    case isa::Sem::acquire:
    case isa::Sem::release:
    case isa::Sem::acq_rel:
    case isa::Sem::sc: return true;
    case isa::Sem::weak:
    case isa::Sem::volatile_:
    case isa::Sem::relaxed:
    case isa::Sem::mmio: break;
  }
  if (!is_atomic(inst) || inst.variant == nullptr) {
    return false;
  }
  const std::string_view word = inst.variant->spec->fixed;
  return word.find("cas") != std::string_view::npos || word.find("exch") != std::string_view::npos;
}

}  // namespace

void Racecheck::begin_launch() {
  blocks_.clear();
  sites_.clear();
  first_site_.clear();
}

void Racecheck::block_started(const exec::ObservedBlock& info) {
  const auto at = static_cast<size_t>(info.handle);
  if (at >= blocks_.size()) {
    blocks_.resize(at + 1);
  }
  Block& block = blocks_[at];
  ++block.round;
  block.order.start(info.warps);
  block.words.resize((info.shared_bytes + kWordBytes - 1) / kWordBytes);
}

uint32_t Racecheck::site_of(const exec::ObservedAccess& access) {
  const auto pc = static_cast<uint32_t>(access.at - access.function->code.data());
  for (const auto& [function, first] : first_site_) {
    if (function == access.function) {
      return first + pc;
    }
  }
  const auto first = static_cast<uint32_t>(sites_.size());
  first_site_.emplace_back(access.function, first);
  for (const ir::Inst& inst : access.function->code) {
    sites_.push_back({access.function, &inst});
  }
  return first + pc;
}

void Racecheck::access(const exec::ObservedAccess& access) {
  Block& block = blocks_[static_cast<size_t>(access.block)];
  if (access.owner != access.block) {
    return;  // between blocks of a cluster, whose order is not known here
  }
  if (access.space == isa::Space::shared) {
    ++serial_;
    Now now{access, site_of(access), 0, 0, 0, is_strong(*access.inst)};
    for (isa::LaneMask rest = access.active; rest != 0; rest &= rest - 1) {
      now.lane = std::countr_zero(rest);
      const uint64_t from = access.address[now.lane], to = from + access.bytes;
      if (to > block.words.size() * kWordBytes || to < from) {
        continue;
      }
      for (now.address = from / kWordBytes * kWordBytes; now.address < to; now.address += kWordBytes) {
        const uint64_t low = std::max(from, now.address) - now.address;
        const uint64_t high = std::min(to - now.address, kWordBytes);
        now.bytes = static_cast<uint8_t>((1u << high) - (1u << low));
        use_word(block, block.words[now.address / kWordBytes], now);
      }
    }
  }
  if (access.space != isa::Space::local && is_lock(*access.inst)) {
    for (isa::LaneMask rest = access.active; rest != 0; rest &= rest - 1) {
      const int lane = std::countr_zero(rest);
      block.order.lock(access.warp, lane, access.address[lane]);
    }
  }
}

void Racecheck::use_word(Block& block, Word& word, const Now& now) {
  if (word.round != block.round) {
    word = Word{.round = block.round, .write = {}, .reads = {}};
  }
  const bool writes = now.access.inst->mem != isa::Mem::ld;
  const int warp = now.access.warp;
  check_write(block, word, now, writes);
  if (writes) {
    check_reads(block, word, now);
    word.write = {block.order.now(warp),
                  now.site,
                  serial_,
                  static_cast<uint16_t>(warp * isa::kWarpSize + now.lane),
                  now.bytes,
                  now.atomic};
    word.reads.fill({});
    return;
  }
  Read& read = word.reads[static_cast<size_t>(warp) % word.reads.size()];
  if (read.lanes != 0 && read.warp == warp && read.then == block.order.now(warp)) {
    read.lanes |= 1u << now.lane;
    read.bytes |= now.bytes;
  } else {
    read = {block.order.now(warp), now.site, 1u << now.lane, static_cast<uint8_t>(warp), now.bytes, now.atomic};
  }
}

bool Racecheck::ordered(const Block& block, const Now& now, int warp, isa::LaneMask lanes,
                        BlockOrder::Moment then) const {
  return (lockstep_ && warp == now.access.warp) || block.order.ordered(now.access.warp, now.lane, warp, lanes, then);
}

void Racecheck::check_write(const Block& block, const Word& word, const Now& now, bool writes) {
  const Write& write = word.write;
  const int warp = write.thread / isa::kWarpSize, lane = write.thread % isa::kWarpSize;
  if ((write.bytes & now.bytes) == 0 || (write.atomic && now.atomic)) {
    return;
  }
  const bool together = writes && write.serial == serial_;  // two lanes of one instruction
  const bool itself = warp == now.access.warp && lane == now.lane;
  if (itself || (!together && ordered(block, now, warp, 1u << lane, write.then))) {
    return;
  }
  const Severity severity = writes && same_value(word, now) ? Severity::warning : Severity::error;
  report(writes ? Kind::write_after_write : Kind::read_after_write, now, write.site, write.thread, severity);
}

void Racecheck::check_reads(const Block& block, const Word& word, const Now& now) {
  for (const Read& read : word.reads) {
    if (read.lanes == 0 || (read.bytes & now.bytes) == 0 || (read.atomic && now.atomic) ||
        ordered(block, now, read.warp, read.lanes, read.then)) {
      continue;
    }
    const isa::LaneMask own = read.warp == now.access.warp ? 1u << now.lane : 0u;
    for (isa::LaneMask rest = read.lanes & ~own; rest != 0; rest &= rest - 1) {
      const int lane = std::countr_zero(rest);
      if (!ordered(block, now, read.warp, 1u << lane, read.then)) {
        report(Kind::write_after_read, now, read.site, static_cast<uint32_t>(read.warp * isa::kWarpSize + lane),
               Severity::error);
        break;
      }
    }
  }
}

// Does the lane write what is there already (or what the other lane of the same instruction writes)?
bool Racecheck::same_value(const Word& word, const Now& now) const {
  const exec::ObservedAccess& access = now.access;
  const uint64_t from = access.address[now.lane];
  if (access.stored[0] == nullptr) {
    return false;
  }
  const auto element = [&](size_t i, int lane) {
    return access.stored[i] + static_cast<size_t>(lane) * access.stored_bytes;
  };
  const size_t width = access.inst->elem_bytes;
  for (size_t i = 0; i < access.inst->mods.vec && i < access.stored.size(); ++i) {
    const std::byte* before = access.shared.data() + from + i * width;
    if (word.write.serial == serial_) {
      const int other = word.write.thread % isa::kWarpSize;
      if (access.address[other] != from) {
        return false;
      }
      before = element(i, other);
    }
    if (std::memcmp(before, element(i, now.lane), width) != 0) {
      return false;
    }
  }
  return true;
}

void Racecheck::report(Kind kind, const Now& now, uint32_t other_site, uint32_t other_thread, Severity severity) {
  const Site& here = sites_[now.site];
  const Site& there = sites_[other_site];
  if (!findings_.is_new(kind, launch_.anchor(*here.function, *here.inst),
                        launch_.anchor(*there.function, *there.inst))) {
    return;
  }
  const exec::ObservedAccess& access = now.access;
  Finding finding;
  finding.kind = kind;
  finding.severity = severity;
  finding.kernel = launch_.kernel();
  finding.threads = {
      launch_.place(access.block, launch_.thread_index(access.warp, now.lane), *here.function, *here.inst),
      launch_.place(access.block, other_thread, *there.function, *there.inst)};
  finding.threads[0].does = kind == Kind::read_after_write ? "reads" : "writes";
  finding.threads[1].does = kind == Kind::write_after_read ? "read" : "wrote";
  finding.space = "shared";
  finding.address = access.address[now.lane];
  finding.size = access.bytes;
  const char* words = kind == Kind::read_after_write   ? "read after write"
                      : kind == Kind::write_after_read ? "write after read"
                                                       : "write after write";
  finding.message =
      fmt::format("{} hazard on {} bytes of shared memory at offset {:#x}{}", words, access.bytes,
                  access.address[now.lane], severity == Severity::warning ? " (both write the same value)" : "");
  const bool one_warp = static_cast<int>(other_thread) / isa::kWarpSize == access.warp;
  finding.hint = one_warp ? "nothing orders the two threads: __syncwarp() or __syncthreads() between the accesses"
                          : "nothing orders the two threads: __syncthreads() between the accesses";
  findings_.add(std::move(finding));
}

void Racecheck::barrier_arrived(const exec::ObservedGroup& group, bool waits) {
  if (!waits) {
    blocks_[static_cast<size_t>(group.block)].order.barrier_passed_by(group.warp, group.barrier);
  }
}

void Racecheck::barrier_opens(int block, int barrier, std::span<const exec::ObservedGroup> waited, bool counted) {
  uint64_t warps = 0;
  for (const exec::ObservedGroup& group : waited) {
    warps |= uint64_t{1} << group.warp;
  }
  blocks_[static_cast<size_t>(block)].order.barrier_opens(barrier, warps, !counted);
}

// A lane is synchronised with those that its mask names. Exchanges (shfl, vote, match, redux) count as well: their
// lanes have arrived together.
void Racecheck::warp_synced(std::span<const exec::ObservedGroup> groups, isa::LaneMask together,
                            const std::array<isa::LaneMask, 32>& masks) {
  BlockOrder& order = blocks_[static_cast<size_t>(groups[0].block)].order;
  for (isa::LaneMask rest = together; rest != 0;) {
    const isa::LaneMask mask = masks[static_cast<size_t>(std::countr_zero(rest))];
    isa::LaneMask same = 0;
    for (isa::LaneMask lanes = rest; lanes != 0; lanes &= lanes - 1) {
      const int lane = std::countr_zero(lanes);
      same |= masks[static_cast<size_t>(lane)] == mask ? 1u << lane : 0u;
    }
    order.warp_synced(groups[0].warp, same, groups[0].live);
    rest &= ~same;
  }
}

}  // namespace hpml::sim::sanitize
