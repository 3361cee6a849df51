#include "simulator/sanitize/initcheck.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <utility>

#include "simulator/sanitize/memcheck.hpp"

namespace hpml::sim::sanitize {
namespace {

bool host_may_write(const memory::Allocation& allocation) {
  switch (allocation.kind) {
    case memory::Kind::device: return false;
    case memory::Kind::managed:
    case memory::Kind::pinned:
    case memory::Kind::registered:
    case memory::Kind::module: return true;
  }
  return true;
}

// 32 lanes on consecutive elements.
bool consecutive(const exec::ObservedAccess& access) {
  if (access.active != isa::kFullMask) {
    return false;
  }
  bool all = true;
  for (uint64_t lane = 1; lane < isa::kWarpSize; ++lane) {
    all &= access.address[lane] == access.address[0] + lane * access.bytes;
  }
  return all;
}

}  // namespace

void Initcheck::block_started(const exec::ObservedBlock& block) {
  const auto at = static_cast<size_t>(block.handle);
  if (at >= shared_.size()) {
    shared_.resize(at + 1);
  }
  shared_[at].reset();
  if (block.shared_bytes > 0) {
    shared_[at].emplace(block.shared_bytes);
  }
}

BitShadow* Initcheck::shadow_at(uint64_t address, uint64_t& base) {
  if (generation_ == memory_.generation() && address >= begin_ && address < end_) {
    base = begin_;
    return last_;
  }
  const memory::Allocation* allocation = memory_.own(address);
  if (allocation == nullptr) {
    return nullptr;  // a peer's memory: who wrote it is not known here
  }
  BitShadow* shadow = nullptr;
  // What is mapped into a reserved range may have been written before it was mapped.
  if (!host_may_write(*allocation) && !memory_.is_reserved(allocation->base, allocation->size)) {
    auto it = tracked_.find(allocation->base);
    if (it == tracked_.end() || it->second.serial != allocation->serial) {
      tracked_.erase(allocation->base);
      it = tracked_
               .emplace(allocation->base, Tracked{allocation->serial, allocation->end(), BitShadow(allocation->size)})
               .first;
    }
    shadow = &it->second.shadow;
  }
  last_ = shadow;
  begin_ = allocation->base;
  end_ = allocation->end();
  generation_ = memory_.generation();
  base = begin_;
  return shadow;
}

void Initcheck::access(const exec::ObservedAccess& access) {
  if (access.space == isa::Space::global) {
    check_global(access);
  } else if (access.space == isa::Space::shared) {
    check_shared(access);
  }
}

void Initcheck::check_global(const exec::ObservedAccess& access) {
  const bool reads = access.inst->mem != isa::Mem::st;
  const bool writes = access.inst->mem != isa::Mem::ld;
  uint64_t base = 0;
  if (consecutive(access)) {
    BitShadow* shadow = shadow_at(access.address[0], base);
    const uint64_t offset = access.address[0] - base, count = uint64_t{access.bytes} * isa::kWarpSize;
    if (shadow == nullptr && base != 0 && offset + count <= end_ - begin_) {
      return;
    }
    if (shadow != nullptr && offset + count <= shadow->bytes() && (!reads || shadow->all_set(offset, count))) {
      if (writes) {
        shadow->set(offset, count);
      }
      return;
    }
  }
  for (isa::LaneMask rest = access.active; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    BitShadow* shadow = shadow_at(access.address[lane], base);
    const uint64_t offset = access.address[lane] - base;
    if (shadow == nullptr || offset + access.bytes > shadow->bytes()) {
      continue;
    }
    if (reads && !shadow->all_set(offset, access.bytes)) {
      report(access, lane, Kind::uninitialized_global_read);
    }
    if (writes) {
      shadow->set(offset, access.bytes);
    }
  }
}

void Initcheck::check_shared(const exec::ObservedAccess& access) {
  if (access.owner < 0) {
    return;
  }
  auto& shadow = shared_[static_cast<size_t>(access.owner)];
  if (!shadow) {
    return;
  }
  for (isa::LaneMask rest = access.active; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    const uint64_t offset = access.address[lane];
    if (offset + access.bytes > shadow->bytes() || offset + access.bytes < offset) {
      continue;
    }
    if (access.inst->mem != isa::Mem::st && !shadow->all_set(offset, access.bytes)) {
      report(access, lane, Kind::uninitialized_shared_read);
    }
    if (access.inst->mem != isa::Mem::ld) {
      shadow->set(offset, access.bytes);
    }
  }
}

void Initcheck::written(int block, isa::Space space, uint64_t address, uint64_t bytes) {
  if (space == isa::Space::shared) {
    auto& shadow = shared_[static_cast<size_t>(block)];
    if (shadow && address + bytes <= shadow->bytes()) {
      shadow->set(address, bytes);
    }
    return;
  }
  uint64_t base = 0;
  BitShadow* shadow = shadow_at(address, base);
  if (shadow != nullptr) {
    shadow->set(address - base, std::min(bytes, shadow->bytes() - (address - base)));
  }
}

void Initcheck::report(const exec::ObservedAccess& access, int lane, Kind kind) {
  if (!findings_.is_new(kind, launch_.anchor(*access.function, *access.at))) {
    return;
  }
  const bool global = kind == Kind::uninitialized_global_read;
  Finding finding;
  finding.kind = kind;
  finding.kernel = launch_.kernel();
  finding.threads = {
      launch_.place(access.block, launch_.thread_index(access.warp, lane), *access.function, *access.at)};
  finding.space = global ? "global" : "shared";
  finding.address = access.address[lane];
  finding.size = access.bytes;
  finding.message = fmt::format("read of {} bytes of {} memory that was never written", access.bytes, finding.space);
  if (global) {
    finding.allocation = place_of(memory_, access.address[lane], access.bytes);
  }
  findings_.add(std::move(finding));
}

// A copy of a buffer that is only partly filled is legal, so this is no error.
void Initcheck::host_reads(const std::string& api, uint64_t address, uint64_t bytes) {
  uint64_t base = 0;
  BitShadow* shadow = shadow_at(address, base);
  if (shadow == nullptr || address - base + bytes > shadow->bytes() || shadow->all_set(address - base, bytes)) {
    return;
  }
  const uint64_t offset = shadow->first_clear(address - base);
  Finding finding;
  finding.kind = Kind::uninitialized_copy;
  finding.severity = Severity::warning;
  finding.message = fmt::format("{} reads {} bytes of device memory that were never written, of {}", api,
                                shadow->count_clear(address - base, bytes), bytes);
  finding.space = "global";
  finding.address = base + offset;
  finding.size = bytes;
  finding.api = api;
  finding.allocation = place_of(memory_, base + offset, 1);
  findings_.add_single(std::move(finding));
}

}  // namespace hpml::sim::sanitize
