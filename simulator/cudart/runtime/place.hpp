#pragma once
// Where a pointer that the program passed points to.
#include <cstddef>
#include <cstdint>

#include "simulator/cudart/runtime/runtime.hpp"

namespace hpml::sim::cudart {

struct Place {
  std::byte* data = nullptr;                       // where this process reads and writes it
  const memory::Allocation* allocation = nullptr;  // null: ordinary host memory
  Context* owner = nullptr;                        // the device it was allocated on; null: ordinary host memory
  bool is_device() const;                          // device memory or a module variable: the host cannot touch it
  bool is_pinned() const;
  bool is_managed() const;
};

// `bytes` at `pointer`, on any device of the process. False: null, or not inside one live allocation.
bool locate(Runtime& runtime, const void* pointer, uint64_t bytes, Place& place);

}  // namespace hpml::sim::cudart
