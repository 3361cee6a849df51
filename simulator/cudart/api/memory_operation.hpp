#pragma once
// What a stream does with one word of memory: wait for a value, or write one.
#include "simulator/cudart/api/common.hpp"

namespace hpml::sim::cudart {

struct MemoryOperation {
  bool waits = false;
  void* pointer = nullptr;
  uint32_t bytes = 4;  // or 8
  uint64_t value = 0;
  unsigned flags = 0;  // CUstreamWaitValue_flags, CUstreamWriteValue_flags
};
// Codes as the driver's calls.
int memory_operation(const char* name, void* stream, const MemoryOperation& operation);

}  // namespace hpml::sim::cudart
