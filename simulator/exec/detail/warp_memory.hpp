#pragma once
// Loads, stores, atomics and address conversion: an access is checked, counted, observed, and moves its data.
#include <array>
#include <span>
#include <string>
#include <vector>

#include "simulator/exec/detail/warp_registers.hpp"

namespace hpml::sim::memory {
struct Allocation;
}

namespace hpml::sim::exec {

struct AddressPass;
struct ObservedGroup;

// Where each lane's bytes of an access are.
using Places = std::array<const std::byte*, 32>;

// A block's, for an observer.
struct SharedMemory {
  int owner = -1;  // handle; -1: there is no such block
  std::span<const std::byte> bytes;
};

class WarpMemory : public WarpRegisters {
 protected:
  // The lanes' addresses sorted by the window they are in.
  struct Windows {
    LaneMask global = 0, shared = 0, local = 0, param = 0;
  };

  // memory_ops.cpp
  void access(const ir::Inst& inst, LaneMask active, Effects* effects);
  void set_addresses(const ir::Inst& inst, LaneMask active);
  Windows sort_generic(LaneMask active);
  // The access of address_: checked, counted, found; moves nothing. False: it trapped.
  bool find_places(const ir::Inst& inst, LaneMask active, Effects* effects, Places& place);
  std::byte* local_memory(int lane) const;
  std::byte* data_at(uint64_t address, int lane, uint64_t bytes);  // generic address; null: out of bounds
  // memory_spaces.cpp
  bool global_places(const ir::Inst& inst, LaneMask active, Effects* effects, Places& place);
  // pieces.cpp
  bool piece_places(const ir::Inst& access, LaneMask active, Effects* effects, Places& place, bool lines = true);
  // fast_access.cpp: the short way of most accesses; false: it was not taken
  bool fast_access(const ir::Inst& inst, LaneMask active, MemorySite& site);
  // observe.cpp
  ObservedGroup observed_group(const Group& group) const;
  void append_waiting(std::vector<ObservedGroup>& out) const;
  void note_written(uint64_t address, uint64_t bytes);
  // cluster_memory.cpp
  static uint64_t at_rank(uint64_t address, uint32_t rank);
  std::byte* shared_at(uint64_t address, uint64_t bytes) const;

  LaneAddresses address_;  // of the access in hand

 private:
  // memory_ops.cpp
  bool is_in_space(const ir::Inst& inst, uint64_t address) const;
  void convert_address(const ir::Inst& inst, LaneMask active);
  void generic_access(const ir::Inst& inst, LaneMask active, Effects* effects);
  // memory_spaces.cpp
  void global_access(const ir::Inst& inst, LaneMask active, Effects* effects);
  void shared_access(const ir::Inst& inst, LaneMask active, Effects* effects);
  void local_access(const ir::Inst& inst, LaneMask active, Effects* effects);
  void param_access(const ir::Inst& inst, LaneMask active);
  const MemorySite* region_for(const ir::Inst& inst, LaneMask active);
  bool moves(const memory::Allocation& allocation) const;
  const memory::Allocation* allocation_at(uint64_t address, const ir::Inst& inst);
  void touch_managed(const ir::Inst& inst, LaneMask active, Effects* effects);
  const std::byte* stray_place(const ir::Inst& inst, int lane);
  void place_at(LaneMask active, const std::byte* view, uint64_t base, Places& place) const;
  bool shared_places(const ir::Inst& inst, LaneMask active, Effects* effects, Places& place);
  bool places_in(BlockImpl& block, const ir::Inst& inst, LaneMask active, Places& place);
  void count_shared(const ir::Inst& inst, LaneMask active, Effects* effects);
  bool local_places(const ir::Inst& inst, LaneMask active, Effects* effects, Places& place);
  void count_global(const ir::Inst& inst, LaneMask active, Effects* effects, isa::Space space);
  bool aligned(const ir::Inst& inst, LaneMask active, isa::Space space);
  // cluster_memory.cpp
  using Owners = std::array<BlockImpl*, isa::kWarpSize>;
  uint64_t in_cluster(uint64_t own) const;
  uint64_t in_block(uint64_t address) const;
  uint32_t cta_rank(uint64_t address) const;
  BlockImpl* owner_of(uint64_t address, std::string& why) const;
  bool find_owners(const ir::Inst& inst, LaneMask& active, Owners& owner, Places& place);
  bool cluster_places(const ir::Inst& inst, LaneMask active, Effects* effects, Places& place);
  // transfer.cpp
  void transfer(const ir::Inst& inst, LaneMask active, const Places& place, isa::Space space);
  void move_bytes(const ir::Inst& inst, LaneMask active, const Places& place, isa::Space space);
  template <uint32_t kBytes, uint32_t kContainer>
  void transfer_elements(const ir::Inst& inst, LaneMask active, const Places& place);
  void transfer_one(const ir::Inst& inst, int lane, const std::byte* place);
  void atomic(const ir::Inst& inst, LaneMask active, const Places& place, isa::Space space);
  void atomic_wide(const ir::Inst& inst, int lane, std::byte* memory);
  // fast_access.cpp
  struct FastPlace;
  struct FastCount;
  Route route_of(const ir::Inst& inst) const;
  bool fast_global(const ir::Inst& inst, LaneMask active, MemorySite& site, std::byte* regs);
  bool fast_shared(const ir::Inst& inst, LaneMask active, MemorySite& site, std::byte* regs);
  bool fast_local(const ir::Inst& inst, LaneMask active, MemorySite& site, std::byte* regs);
  template <class T>
  bool fast_lanes(const ir::Inst& inst, LaneMask active, MemorySite& site, std::byte* regs, const FastPlace& place,
                  FastCount& count);
  AccessShape& learned_shape(MemorySite& site);
  void take_rows(const ir::Inst& inst, MemorySite& site);
  void count_pass(const ir::Inst& inst, LaneMask active, const MemorySite& site, const AddressPass& pass,
                  FastCount& out) const;
  void count_shape(const ir::Inst& inst, LaneMask active, const MemorySite& site, AccessShape& shape, uint64_t first,
                   FastCount& out);
  AccessCounters& counters_of(MemorySite& site, isa::Space space);
  void move(const ir::Inst& inst, LaneMask active, const AddressPass& pass, std::byte* regs, uintptr_t origin);
  void move_shape(const ir::Inst& inst, LaneMask active, const AccessShape& shape, std::byte* regs, uintptr_t at,
                  uint64_t third);
  void move_lanes(const ir::Inst& inst, LaneMask active, std::byte* regs, uintptr_t origin, const uint64_t* address);
  void move_one(const ir::Inst& inst, size_t lane, std::byte* regs, std::byte* place);
  void update(const ir::Inst& inst, LaneMask active, std::byte* regs, uintptr_t origin, const uint64_t* address,
              uint64_t third);
  // observe.cpp
  LaneMask observed(const ir::Inst& inst, LaneMask active, isa::Space space, Places& place,
                    const SharedMemory* of_cluster = nullptr);
  void hold_back(const ir::Inst& inst, LaneMask lane, isa::Space space);
  // source_lines.cpp: the counters of the instruction in hand
  AccessCounters& site(isa::Space space);
  void count_stride(AccessCounters& counters, LaneMask active) const;
  void add_conflict(AccessCounters& counters, LaneMask active, uint32_t bytes) const;
};

}  // namespace hpml::sim::exec
