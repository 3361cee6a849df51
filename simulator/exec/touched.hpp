#pragma once
// Which allocations a launch has read and written so far.
#include <vector>

#include "simulator/memory/address_space.hpp"

namespace hpml::sim::exec {

struct Touched {
  struct Part {
    const memory::Allocation* allocation = nullptr;
    bool read = false, written = false;
  };
  std::vector<Part> parts;
  bool complete = true;  // false: it did more than that (textures, calls of the device runtime), or touched too many

  void add(const memory::Allocation& allocation, bool read, bool written);
  void add(const Touched& other);
};

}  // namespace hpml::sim::exec
