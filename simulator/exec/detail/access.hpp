#pragma once
// What the memory instructions' files share about one access.
#include <array>

#include "simulator/exec/effects.hpp"
#include "simulator/ir/kernel.hpp"

namespace hpml::sim::exec {

// Generic addresses of the kernel's parameters (cvta.param), beside the windows of isa/types.hpp.
inline constexpr uint64_t kParamWindow = isa::kLocalWindow + (uint64_t{1} << 40);
inline constexpr uint64_t kParamWindowSize = uint64_t{1} << 16;
inline bool in_param_window(uint64_t address) {
  return address >= kParamWindow && address < kParamWindow + kParamWindowSize;
}

inline uint32_t access_bytes(const ir::Inst& inst) { return uint32_t{inst.elem_bytes} * inst.mods.vec; }

// An atomic whose word and operands have one width, which isa::Variant::update knows.
inline bool updates_words(const ir::Inst& inst) {
  return inst.variant->update != nullptr && inst.mods.vec == 1 && inst.src_bytes == inst.elem_bytes &&
         inst.src[0] != isa::kNoSlot && (inst.mem != isa::Mem::atom || inst.dst_bytes == inst.elem_bytes);
}

inline bool is_write(const ir::Inst& inst) { return inst.mem != isa::Mem::ld; }

// One plain access of `elements` times `bytes` per lane, as part of `inst`: its space and cache words.
ir::Inst plain_access(const ir::Inst& inst, isa::Mem mem, uint32_t bytes, uint8_t elements = 1);

// Fills in everything about the access but its counts.
void describe_access(const ir::Inst& inst, isa::LaneMask active, isa::Space space,
                     const std::array<uint64_t, 32>& address, Effects& effects);

}  // namespace hpml::sim::exec
