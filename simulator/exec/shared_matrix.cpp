#include "simulator/exec/detail/shared_matrix.hpp"

namespace hpml::sim::exec {

namespace {

constexpr uint64_t kUnit = 16, kCoreRows = 8;
constexpr uint64_t kPatternRow = 128;  // bytes from which the swizzle takes the row number

// Fields of 14 bits count units.
uint64_t unit_field(uint64_t descriptor, int from) { return (descriptor >> from & 0x3fff) * kUnit; }

// Bits 62 and 63: no swizzle, of 128, 64, 32 bytes.
uint64_t units_of(uint64_t descriptor) {
  constexpr uint64_t kUnits[] = {1, 8, 4, 2};
  return kUnits[descriptor >> 62];
}

}  // namespace

SharedMatrix::SharedMatrix(uint64_t descriptor, bool transposed, int element_bits)
    : start_(unit_field(descriptor, 0)),
      leading_(unit_field(descriptor, 16)),
      stride_(unit_field(descriptor, 32)),
      units_(units_of(descriptor)),
      phase_(descriptor >> 49 & 7),
      transposed_(transposed),
      bits_(static_cast<size_t>(element_bits)) {}

// The number of the unit within its row is xored with the number of the row.
uint64_t SharedMatrix::swizzled(uint64_t offset) const {
  return offset ^ ((offset / kPatternRow - phase_) & (units_ - 1)) * kUnit;
}

SharedMatrix::Bits SharedMatrix::at(size_t row, size_t k) const {
  const uint64_t across = transposed_ ? k : row;                // one line of a core matrix to the next
  const uint64_t along_bits = (transposed_ ? row : k) * bits_;  // within lines
  const uint64_t unit = along_bits / (8 * kUnit), within = along_bits / 8 % kUnit;
  uint64_t offset = start_ + across % kCoreRows * kUnit * units_ + within;
  if (units_ > 1) {
    offset += unit % units_ * kUnit + unit / units_ * leading_ + across / kCoreRows * stride_;
  } else if (transposed_) {
    offset += unit * stride_ + across / kCoreRows * leading_;
  } else {
    offset += unit * leading_ + across / kCoreRows * stride_;
  }
  return {swizzled(offset), static_cast<int>(along_bits % 8)};
}

}  // namespace hpml::sim::exec
