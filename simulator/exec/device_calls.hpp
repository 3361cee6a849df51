#pragma once
// What a kernel asks of its device through the CUDA device runtime (CUDA programming guide, CUDA Dynamic Parallelism):
// grids of its own, copies and fills in their order, and facts. The device answers; a launch happens when it likes,
// after the call.
#include <array>
#include <cstdint>
#include <optional>

namespace hpml::sim::exec {

struct ChildGrid {
  uint64_t kernel = 0;  // code address
  std::array<uint32_t, 3> grid = {1, 1, 1}, block = {1, 1, 1};
  uint32_t dynamic_shared = 0;
};

struct KernelFacts {
  uint64_t shared_bytes = 0, const_bytes = 0, local_bytes = 0;
  int max_threads = 0, registers = 0, ptx_version = 0, binary_version = 0, max_dynamic_shared = 0;
};

// Results that are ints are cudaError_t.
class DeviceCalls {
 public:
  virtual ~DeviceCalls() = default;
  // Device memory for the child's parameters; 0: such a grid cannot be launched, and last_error() says why.
  virtual uint64_t parameter_buffer(const ChildGrid& grid) = 0;
  virtual int launch(uint64_t buffer, uint64_t stream) = 0;
  virtual int copy(uint64_t to, uint64_t from, uint64_t bytes) = 0;
  virtual int fill(uint64_t to, uint8_t value, uint64_t bytes) = 0;
  virtual int last_error(bool clear) = 0;
  virtual std::optional<int> attribute(int which) const = 0;   // cudaDeviceAttr
  virtual std::optional<uint64_t> limit(int which) const = 0;  // cudaLimit
  // Of the kernel at a code address; nothing: there is none.
  virtual std::optional<KernelFacts> kernel(uint64_t code) const = 0;
  virtual std::optional<int> resident_blocks(uint64_t code, int block_threads, uint64_t dynamic_shared) const = 0;
  virtual int device() const = 0;
  virtual uint64_t new_handle() = 0;  // of a stream or an event
  virtual void set_conditional(uint64_t handle, uint32_t value) = 0;
};

}  // namespace hpml::sim::exec
