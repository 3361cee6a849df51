#pragma once
// shfl (PTX ISA 9.0, 9.7.9.6): the modes are up, down, bfly, idx.
#include <cstdint>

#include "simulator/isa/types.hpp"

namespace hpml::sim::exec {

using isa::LaneMask;

struct ShuffleSource {
  int lane;
  bool in_range;  // otherwise the lane reads its own value
};

// Where a lane reads, of those that take part.
ShuffleSource shuffle_source(int mode, int lane, LaneMask active, uint32_t b, uint32_t c);

// Of 32-bit values, one per lane; writes the active lanes of d, which may be a. uniform: b and c are the same in all
// active lanes. Returns the lanes whose source is in range.
LaneMask shuffle_words(int mode, LaneMask active, bool uniform, const uint32_t* a, const uint32_t* b, const uint32_t* c,
                       uint32_t* d);

}  // namespace hpml::sim::exec
