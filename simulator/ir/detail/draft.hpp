#pragma once
// A function while it is being lowered: instructions whose slots still are virtual registers.
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "simulator/ir/detail/linker.hpp"
#include "simulator/ir/kernel.hpp"
#include "simulator/isa/decode.hpp"

namespace hpml::sim::ir {

// During lowering a Slot is a virtual register number with this bit, or a constant (isa::kConstBit).
inline constexpr isa::Slot kVirtualBit = 0x4000'0000u;
inline constexpr bool is_virtual(isa::Slot slot) {
  return slot != isa::kNoSlot && (slot & (kVirtualBit | isa::kConstBit)) == kVirtualBit;
}
inline constexpr uint32_t virtual_number(isa::Slot slot) { return slot & ~kVirtualBit; }

struct VirtualReg {
  isa::Ty type = isa::Ty::none;
  uint8_t bytes = 4;   // container
  bool fixed = false;  // special register, scratch, carry: keeps one slot for the whole function
};

struct Draft {
  Function out;
  std::vector<VirtualReg> regs;
  isa::Slot scratch = isa::kNoSlot;  // where absent results go
  isa::Slot carry = isa::kNoSlot;
  bool keep_apart = false;  // no two registers share a slot
};

// Broadcast constants, shared by the functions of one module.
class ConstPool {
 public:
  isa::Slot get(uint64_t bits, uint8_t container);  // deduplicated
  isa::Slot reserve(uint8_t container);             // a slot of its own, filled at launch
  isa::Slot mask(isa::LaneMask mask);               // a predicate constant
  // The number that get() was given; empty for masks and launch parameters.
  std::optional<uint64_t> value(isa::Slot slot) const;
  std::vector<std::byte> take() { return std::move(bytes_); }

 private:
  std::map<std::pair<uint64_t, uint8_t>, isa::Slot> seen_;
  std::map<isa::Slot, uint64_t> values_;
  std::vector<std::byte> bytes_;
};

// Passes over a draft, in the order of FunctionLowering::run().
void merge_shared_loads(Draft& draft, const ConstPool& pool);
void contract(Draft& draft);                  // products and sums -> fma
void find_reconvergence(Function& function);  // branch targets known -> Inst::reconverge, is_join
void fold_machine_ops(Draft& draft);          // Inst::machine_ops
// Loops that ptxas unrolls, after fold_machine_ops(). rename: copies have registers of their own.
void unroll(Draft& draft, ConstPool& pool, bool rename);
void combine_atomics(Draft& draft);         // Inst::combine; after find_reconvergence()
void schedule(Draft& draft);                // within basic blocks
int register_pressure(const Draft& draft);  // 32-bit registers that machine code holds at once, in this order
int registers_needed(const Draft& draft, int as_written, int as_scheduled);  // from both pressures: ptxas's count
// Liveness, slots, dependence numbers, frame_bytes. Returns the slot of each virtual register.
std::vector<isa::Slot> assign_registers(Draft& draft);
void mark_turns(Function& function);  // Inst::turns
void mark_plain(Function& function);  // Inst::plain

// Makes it the operation that was decoded; operands, guard and place stay.
void set_operation(Inst& inst, const isa::Decoded& decoded);

// Takes out the marked instructions, and puts some in front of others; branches go to what follows, or to what was put
// in front.
void rebuild(Function& function, const std::vector<bool>& dead, const std::map<Pc, std::vector<Inst>>& in_front);
void remove(Function& function, const std::vector<bool>& dead);

}  // namespace hpml::sim::ir
