#include "simulator/device/traps.hpp"

#include <fmt/format.h>

namespace hpml::sim::device {
namespace {

TrapKind to_device_kind(exec::TrapKind kind) {
  switch (kind) {
    case exec::TrapKind::illegal_address: return TrapKind::illegal_address;
    case exec::TrapKind::misaligned_address: return TrapKind::misaligned_address;
    case exec::TrapKind::invalid_address_space: return TrapKind::invalid_address_space;
    case exec::TrapKind::shared_out_of_bounds: return TrapKind::shared_out_of_bounds;
    case exec::TrapKind::local_out_of_bounds: return TrapKind::local_out_of_bounds;
    case exec::TrapKind::stack_overflow: return TrapKind::stack_overflow;
    case exec::TrapKind::trap_instruction: return TrapKind::trap_instruction;
    case exec::TrapKind::assertion: return TrapKind::assertion;
    case exec::TrapKind::illegal_instruction: return TrapKind::illegal_instruction;
    case exec::TrapKind::invalid_pc: return TrapKind::invalid_pc;
    case exec::TrapKind::timeout: return TrapKind::timeout;
    case exec::TrapKind::deadlock: return TrapKind::deadlock;
  }
  HPML_CHECK(false, fmt::format("trap kind {}", static_cast<int>(kind)));
}

}  // namespace

Trap to_device_trap(const exec::Trap& trap) { return {.kind = to_device_kind(trap.kind), .message = trap.message}; }

}  // namespace hpml::sim::device
