#pragma once
// The part of an address space that holds one kind of memory.
#include "simulator/memory/address_space.hpp"
#include "simulator/memory/detail/free_list.hpp"
#include "simulator/memory/detail/mapping.hpp"

namespace hpml::sim::memory {

struct AddressSpace::Region {
  detail::Mapping mapping;
  detail::FreeList free;
};

}  // namespace hpml::sim::memory
