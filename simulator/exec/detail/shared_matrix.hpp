#pragma once
// Where the elements of a matrix in shared memory lie that wgmma names by a descriptor (PTX ISA 9.0, 9.7.15.5.1,
// "Matrix Descriptor", and the canonical layouts of 9.7.15.5). Units of 16 bytes hold neighbours along k, or,
// transposed, along the rows; eight of them, one below the other, make a core matrix.
#include <cstddef>
#include <cstdint>

namespace hpml::sim::exec {

class SharedMatrix {
 public:
  SharedMatrix(uint64_t descriptor, bool transposed, int element_bits);

  struct Bits {
    uint64_t offset;  // in shared memory, of the byte the element begins in
    int shift;        // of types narrower than a byte
  };
  // `row`: a row of a or a column of b.
  Bits at(size_t row, size_t k) const;

 private:
  uint64_t swizzled(uint64_t offset) const;

  uint64_t start_, leading_, stride_;  // bytes
  uint64_t units_;                     // of 16 bytes in a row of the swizzled pattern: 1, 2, 4 or 8
  uint64_t phase_;                     // of the pattern, where it does not begin at a multiple of its size
  bool transposed_;
  size_t bits_;
};

}  // namespace hpml::sim::exec
