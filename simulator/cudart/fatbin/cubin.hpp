#pragma once
// What a cubin tells about its kernels: registers per thread and static shared memory. The machine code is never run.
#include <cstdint>
#include <map>
#include <span>
#include <string>

#include "common/base/result.hpp"

namespace hpml::sim::fatbin {

struct KernelResources {
  uint32_t registers = 0;     // per thread; 0 = not stated
  uint32_t shared_bytes = 0;  // static, without the bytes the system reserves
  uint32_t frame_bytes = 0;   // stack frame per thread
};

// Kernels by name. `sm` is the one of the entry: from sm_90 on .nv.shared.<kernel> counts 1024 reserved bytes.
Result<std::map<std::string, KernelResources>> read_cubin(std::span<const std::byte> elf, uint32_t sm,
                                                          const std::string& name);

}  // namespace hpml::sim::fatbin
