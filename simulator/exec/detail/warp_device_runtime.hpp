#pragma once
// Functions that the device runtime offers to kernels: printf, assert, malloc, launches from the device, attributes.
#include <array>
#include <string>

#include "simulator/exec/detail/warp_memory.hpp"

namespace hpml::sim::exec {

class WarpDeviceRuntime : public WarpMemory {
 protected:
  // device_runtime.cpp
  void call_builtin(const ir::CallSite& site, LaneMask active);
  uint64_t read_arg(const ir::CallSite& site, size_t index, int lane) const;

 private:
  std::string read_string(uint64_t address, int lane, size_t limit);
  void device_printf(const ir::CallSite& site, LaneMask active);
  void assert_fail(const ir::CallSite& site, LaneMask active);
  // device_calls.cpp
  void device_calls(const ir::CallSite& site, LaneMask active);
  uint64_t device_call(const ir::CallSite& site, int lane);
  uint64_t device_malloc_call(const ir::CallSite& site, int lane);
  uint64_t device_box_call(const ir::CallSite& site, int lane);
  uint64_t function_attributes(const ir::CallSite& site, int lane);
  uint64_t resident_blocks(const ir::CallSite& site, int lane);
  uint64_t give(const ir::CallSite& site, size_t argument, int lane, uint64_t value, uint64_t bytes);
  std::array<uint32_t, 3> read_dim3(const ir::CallSite& site, size_t index, int lane);
};

}  // namespace hpml::sim::exec
