#pragma once
// A tensor map: what the driver writes into the 128 bytes of a CUtensorMap and the executor reads from them. The fields
// are ours: programs treat the object as opaque.
#include <array>
#include <cstddef>
#include <cstdint>

namespace hpml::sim::memory {

inline constexpr uint32_t kTensorMapMark = 0x50'4d'54'67;  // "gTMP"
inline constexpr size_t kTensorDimensions = 5;

enum class TensorElement : uint8_t { u8, u16, u32, s32, u64, s64, f16, f32, f64, bf16, f32_ftz, tf32, tf32_ftz };
constexpr size_t bytes_of(TensorElement type) {
  constexpr std::array<uint8_t, 13> kBytes = {1, 2, 4, 4, 8, 8, 2, 4, 8, 2, 4, 4, 4};
  return kBytes[static_cast<size_t>(type)];
}

// Dimension 0 is the one whose neighbours lie side by side.
struct TensorMap {
  uint32_t mark = kTensorMapMark;
  uint8_t rank = 0;
  TensorElement element = TensorElement::u8;
  uint8_t swizzle_units = 1;  // of 16 bytes: 1 (none), 2, 4, 8
  bool nan_outside = false;   // elements outside are read as NaN instead of zero
  uint64_t address = 0;
  std::array<uint64_t, kTensorDimensions> stride = {};  // bytes; [0]: of one element
  std::array<uint64_t, kTensorDimensions> size = {};
  std::array<uint16_t, kTensorDimensions> box = {}, step = {};  // elements of the box; every step-th of them is copied
};
static_assert(sizeof(TensorMap) <= 128);

}  // namespace hpml::sim::memory
