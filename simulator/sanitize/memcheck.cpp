#include "simulator/sanitize/memcheck.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <utility>

namespace hpml::sim::sanitize {
namespace {

// A distance beyond any array: the address is no overrun of the nearest allocation, it has nothing to do with it.
constexpr uint64_t kFar = uint64_t{1} << 36;

std::string kind_name(memory::Kind kind) {
  switch (kind) {
    case memory::Kind::device: return "device";
    case memory::Kind::managed: return "managed";
    case memory::Kind::pinned: return "pinned host";
    case memory::Kind::registered: return "registered host";
    case memory::Kind::module: return "module";
  }
  return "";
}

const char* verb(const ir::Inst& inst) {
  return is_atomic(inst) ? "atomic" : inst.mem == isa::Mem::st ? "write" : "read";
}

// Of three kinds in the order read, write, atomic.
Kind variant(Kind read, const ir::Inst& inst) {
  const int offset = is_atomic(inst) ? 2 : inst.mem == isa::Mem::st ? 1 : 0;
  return static_cast<Kind>(static_cast<int>(read) + offset);
}

Kind outside_kind(const exec::ObservedAccess& access) {
  switch (access.space) {
    case isa::Space::shared: return variant(Kind::invalid_shared_read, *access.inst);
    case isa::Space::local:
      return access.inst->mem == isa::Mem::st ? Kind::invalid_local_write : Kind::invalid_local_read;
    case isa::Space::generic:
    case isa::Space::global:
    case isa::Space::constant:
    case isa::Space::param: break;
  }
  return variant(Kind::invalid_global_read, *access.inst);
}

const char* space_name(isa::Space space) {
  return space == isa::Space::shared ? "shared" : space == isa::Space::local ? "local" : "global";
}

}  // namespace

std::optional<AllocationPlace> place_of(const memory::AddressSpace& memory, uint64_t address, uint64_t bytes) {
  const memory::Allocation* gone = memory.freed(address);
  const memory::Allocation* near = gone != nullptr ? gone : memory.nearest(address);
  if (near == nullptr) {
    return std::nullopt;
  }
  AllocationPlace out;
  out.base = near->base;
  out.size = near->size;
  out.kind = kind_name(near->kind);
  out.label = near->label;
  out.serial = near->serial;
  if (gone != nullptr) {
    out.relation = AllocationPlace::Relation::freed;
    out.distance = address - gone->base;
  } else if (address < near->base) {
    out.relation = AllocationPlace::Relation::before;
    out.distance = near->base - address;
  } else if (address >= near->end()) {
    out.relation = AllocationPlace::Relation::behind;
    out.distance = address - near->end();
  } else {
    out.relation =
        near->contains(address, bytes) ? AllocationPlace::Relation::inside : AllocationPlace::Relation::crosses_end;
    out.distance = address - near->base;
  }
  return out;
}

bool Memcheck::in_one_allocation(const exec::ObservedAccess& access) {
  if (generation_ != memory_.generation()) {
    begin_ = 1;
    end_ = 0;
    generation_ = memory_.generation();
  }
  const uint64_t first = access.address[std::countr_zero(access.active)];
  uint64_t low = first, high = first, bits = 0;
  for (isa::LaneMask rest = access.active; rest != 0; rest &= rest - 1) {
    const uint64_t a = access.address[std::countr_zero(rest)];
    low = std::min(low, a);
    high = std::max(high, a);
    bits |= a;
  }
  if ((bits & (access.bytes - 1)) != 0) {
    return false;
  }
  if (low < begin_ || high >= end_) {
    const memory::Allocation* found = memory_.find(first);
    if (found == nullptr) {
      return false;
    }
    begin_ = found->base;
    end_ = found->end();
  }
  return low >= begin_ && high < end_ && access.bytes <= end_ - high;
}

bool Memcheck::valid(const exec::ObservedAccess& access, uint64_t address) const {
  const uint64_t end = address + access.bytes;
  switch (access.space) {
    case isa::Space::shared: return end <= access.shared.size() && end > address;
    case isa::Space::local: return end <= access.local_bytes && end > address;
    case isa::Space::generic:
    case isa::Space::global:
    case isa::Space::constant:
    case isa::Space::param: break;
  }
  const memory::Allocation* found = memory_.find(address);
  return found != nullptr && found->contains(address, access.bytes);
}

isa::LaneMask Memcheck::access(const exec::ObservedAccess& access) {
  if (access.space == isa::Space::global && in_one_allocation(access)) {
    return access.active;
  }
  isa::LaneMask legal = access.active;
  for (isa::LaneMask rest = access.active; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    const uint64_t address = access.address[lane];
    const bool misaligned = (address & (access.bytes - 1)) != 0;
    if (misaligned || !valid(access, address)) {
      legal &= ~(1u << lane);
      report(access, lane, misaligned);
    }
  }
  return legal;
}

void Memcheck::report(const exec::ObservedAccess& access, int lane, bool misaligned) {
  const uint64_t address = access.address[lane];
  const ir::Inst& inst = *access.inst;
  const bool global = access.space == isa::Space::global;
  const bool freed = global && !misaligned && memory_.freed(address) != nullptr;
  const Kind kind = misaligned ? variant(Kind::misaligned_read, inst)
                    : freed    ? Kind::use_after_free
                               : outside_kind(access);
  if (!findings_.is_new(kind, launch_.anchor(*access.function, *access.at))) {
    return;
  }
  Finding finding;
  finding.kind = kind;
  finding.kernel = launch_.kernel();
  finding.threads = {
      launch_.place(access.block, launch_.thread_index(access.warp, lane), *access.function, *access.at)};
  finding.space = space_name(access.space);
  finding.address = address;
  finding.size = access.bytes;
  if (global) {
    finding.allocation = place_of(memory_, address, access.bytes);
  }
  if (misaligned) {
    finding.message = fmt::format("misaligned {} of {} bytes of {} memory", verb(inst), access.bytes, finding.space);
    finding.hint = fmt::format("the address must be a multiple of {}", access.bytes);
  } else if (freed) {
    finding.message = fmt::format("{} of {} bytes of freed memory", verb(inst), access.bytes);
  } else {
    finding.message = fmt::format("invalid {} of {} bytes of {} memory", verb(inst), access.bytes, finding.space);
    describe_outside(access, finding);
  }
  findings_.add(std::move(finding));
}

void Memcheck::describe_outside(const exec::ObservedAccess& access, Finding& finding) const {
  if (access.space != isa::Space::global) {
    const uint64_t size = access.space == isa::Space::shared ? access.shared.size() : access.local_bytes;
    AllocationPlace all;
    all.size = size;
    all.kind = finding.space;
    const uint64_t address = *finding.address;
    all.relation = address < size ? AllocationPlace::Relation::crosses_end : AllocationPlace::Relation::behind;
    all.distance = address < size ? address : address - size;
    finding.allocation = all;
    return;
  }
  constexpr uint64_t kFirstPage = 4096;
  if (*finding.address < kFirstPage) {
    finding.hint = "a null pointer: was the allocation checked for an error, was it freed, was the pointer set?";
    finding.allocation.reset();
  } else if (!finding.allocation || finding.allocation->distance > kFar) {
    finding.hint = "not an address of the GPU: was a host pointer passed to the kernel?";
    finding.allocation.reset();
  }
}

}  // namespace hpml::sim::sanitize
