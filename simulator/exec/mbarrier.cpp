// mbarrier objects (PTX ISA 9.0, 9.7.13.15): 64 bits of shared memory that count down the arrivals and the bytes a
// phase still waits for. Their contents are opaque; here:
//   bits 0-19 arrivals of each phase, 20-39 arrivals pending, 40-60 bytes pending (signed), 63 parity of the phase.
#include <fmt/format.h>

#include <bit>
#include <cstring>

#include "simulator/exec/detail/access.hpp"
#include "simulator/exec/detail/grid_impl.hpp"

namespace hpml::sim::exec {

namespace {

constexpr uint64_t kMostArrivals = (uint64_t{1} << 20) - 1;
constexpr int64_t kMostBytes = (int64_t{1} << 20) - 1;
// A try_wait whose phase is still open gives the others this long; the hardware's limit is not documented.
constexpr uint32_t kSuspendNs = 20;

struct Phase {
  uint64_t expected = 0, pending = 0;
  int64_t bytes = 0;
  bool parity = false;

  static Phase unpack(uint64_t word) {
    const auto bytes = static_cast<int64_t>(word << 3) >> 43;
    return {word & kMostArrivals, word >> 20 & kMostArrivals, bytes, word >> 63 != 0};
  }
  uint64_t pack() const {
    return expected | pending << 20 | (static_cast<uint64_t>(bytes) & 0x1f'ffff) << 40 | uint64_t{parity} << 63;
  }
  void complete_if_done() {
    if (pending == 0 && bytes == 0) {
      parity = !parity;
      pending = expected;
    }
  }
};

// Null: done. Otherwise what is wrong.
const char* arrive(Phase& phase, uint64_t count) {
  if (count == 0 || count > phase.pending) {
    return "arrives more often than the mbarrier's phase expects (is it initialised?)";
  }
  phase.pending -= count;
  phase.complete_if_done();
  return nullptr;
}

const char* add_bytes(Phase& phase, int64_t bytes) {
  phase.bytes += bytes;
  if (phase.bytes > kMostBytes || phase.bytes < -kMostBytes) {
    return "makes an mbarrier count more than 2^20 - 1 bytes";
  }
  return nullptr;
}

const char* drop(Phase& phase, uint64_t count) {
  if (count > phase.expected) {
    return "drops more arrivals than the mbarrier has";
  }
  phase.expected -= count;
  return nullptr;
}

// Changes the object as `inst` says. `operand`: its count or bytes, 1 where none is written.
const char* change(const ir::Inst& inst, uint64_t operand, Phase& phase) {
  using isa::Mbarrier;
  const char* wrong = nullptr;
  switch (inst.variant->mbarrier) {
    case Mbarrier::init:
      phase = {operand, operand, 0, false};
      return operand == 0 || operand > kMostArrivals ? "initialises an mbarrier with a count outside 1 to 2^20 - 1"
                                                     : nullptr;
    case Mbarrier::inval: phase = Phase{}; return nullptr;
    case Mbarrier::expect_tx: return add_bytes(phase, static_cast<int64_t>(operand));
    case Mbarrier::complete_tx:
      wrong = add_bytes(phase, -static_cast<int64_t>(operand));
      phase.complete_if_done();
      return wrong;
    case Mbarrier::arrive: return arrive(phase, operand);
    case Mbarrier::arrive_drop: wrong = drop(phase, operand); return wrong != nullptr ? wrong : arrive(phase, operand);
    case Mbarrier::arrive_expect_tx:
      wrong = add_bytes(phase, static_cast<int64_t>(operand));
      return wrong != nullptr ? wrong : arrive(phase, 1);
    case Mbarrier::arrive_drop_expect_tx:
      wrong = add_bytes(phase, static_cast<int64_t>(operand));
      wrong = wrong != nullptr ? wrong : drop(phase, 1);
      return wrong != nullptr ? wrong : arrive(phase, 1);
    // The copies are done: the arrival follows at once. Raising the count first leaves it as it was.
    case Mbarrier::copies_arrive: return inst.mods.mode == 0 ? nullptr : arrive(phase, 1);
    case Mbarrier::test_wait:
    case Mbarrier::try_wait:
    case Mbarrier::pending_count:
    case Mbarrier::none: return nullptr;
  }
  return nullptr;
}

}  // namespace

// complete_tx by a copy: `barrier` is its address in shared memory.
bool WarpCollectives::complete_bytes(uint64_t barrier, uint64_t bytes, int lane) {
  uint64_t word = 0;
  std::byte* const object = shared_at(barrier, sizeof word);
  if (barrier % sizeof word != 0 || object == nullptr) {
    fail(TrapKind::shared_out_of_bounds, fmt::format("an mbarrier at shared offset {}", barrier), lane);
    return false;
  }
  std::memcpy(&word, object, sizeof word);
  Phase phase = Phase::unpack(word);
  if (const char* wrong = add_bytes(phase, -static_cast<int64_t>(bytes)); wrong != nullptr) {
    fail(TrapKind::illegal_instruction, fmt::format("a copy {}", wrong), lane);
    return false;
  }
  phase.complete_if_done();
  word = phase.pack();
  std::memcpy(object, &word, sizeof word);
  return true;
}

void WarpCollectives::mbarrier(const ir::Inst& inst, LaneMask active, Effects* effects) {
  using isa::Mbarrier;
  const Mbarrier op = inst.variant->mbarrier;
  const bool waits = op == Mbarrier::test_wait || op == Mbarrier::try_wait;
  yield_ = false;
  if (op == Mbarrier::pending_count) {
    for (LaneMask rest = active; rest != 0; rest &= rest - 1) {
      const int lane = std::countr_zero(rest);
      set_value(inst.dst[0], lane, inst.dst_bytes, Phase::unpack(value(inst.src[0], lane, inst.src_bytes)).pending);
    }
    return;
  }
  set_addresses(inst, active);
  if (inst.mods.space == isa::Space::generic && sort_generic(active).shared != active) {
    return fail(TrapKind::invalid_address_space, "an mbarrier must be in shared memory", std::countr_zero(active));
  }
  const isa::Mem kind = waits ? isa::Mem::ld : op == Mbarrier::init ? isa::Mem::st : isa::Mem::atom;
  ir::Inst access = plain_access(inst, kind, sizeof(uint64_t));
  access.mods.of_cluster |= access.mods.space == isa::Space::generic;
  access.mods.space = isa::Space::shared;
  // Arrivals release, fulfilled waits acquire (9.7.13.15.11): to an observer each is both.
  access.mods.sem = op == Mbarrier::init || op == Mbarrier::inval ? isa::Sem::weak : isa::Sem::acq_rel;
  Places place;
  if (!find_places(access, active, effects, place)) {
    return;
  }
  if (!waits) {
    spin_.memory_changed();
  }
  if (effects != nullptr && op == Mbarrier::copies_arrive) {
    effects->copy = CopyStep::arrival;
    effects->mbarrier = place[static_cast<size_t>(std::countr_zero(active))];
  }
  LaneMask done = 0;
  for (LaneMask rest = active; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    std::byte* object = const_cast<std::byte*>(place[static_cast<size_t>(lane)]);
    uint64_t word = 0;
    std::memcpy(&word, object, sizeof word);
    Phase phase = Phase::unpack(word);
    const uint64_t operand = inst.src[0] != isa::kNoSlot ? value(inst.src[0], lane, inst.src_bytes) : 1;
    if (waits) {
      const bool parity = inst.mods.mode != 0 ? (operand & 1) != 0 : Phase::unpack(operand).parity;
      done |= phase.parity != parity ? 1u << lane : 0u;
      continue;
    }
    if (const char* wrong = change(inst, operand, phase); wrong != nullptr) {
      return fail(TrapKind::illegal_instruction, fmt::format("{} {}", inst.variant->spec->mnemonic, wrong), lane);
    }
    const uint64_t now = phase.pack();
    std::memcpy(object, &now, sizeof now);
    if (inst.dst[0] != isa::kNoSlot) {
      set_value(inst.dst[0], lane, inst.dst_bytes, word);
    }
  }
  if (waits) {
    set_predicate(inst.dst[0], active, done);
    if (done != 0 && effects != nullptr) {
      effects->copy = CopyStep::awaited;
      effects->mbarrier = place[static_cast<size_t>(std::countr_zero(done))];
    }
    if (done != active) {
      yield_ = true;
      if (op == Mbarrier::try_wait && effects != nullptr) {
        effects->sleep_ns = kSuspendNs;
      }
    }
  }
}

}  // namespace hpml::sim::exec
