#pragma once
// One number for all that a launch has done: the bytes of the GPU's memory, and the counters.
#include <cstdint>

#include "simulator/exec/grid.hpp"
#include "simulator/memory/address_space.hpp"

namespace hpml::sim::debug {

uint64_t digest(const memory::AddressSpace& memory, const exec::Counters& counters);

}  // namespace hpml::sim::debug
