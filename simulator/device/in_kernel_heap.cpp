#include "simulator/device/in_kernel_heap.hpp"

namespace hpml::sim::device {
namespace {

constexpr uint64_t kUnit = 16;  // alignment that device malloc promises (CUDA programming guide)
constexpr const char* kHeapLabel = "<device malloc>";

uint64_t footprint(uint64_t bytes) { return (bytes + kUnit - 1) / kUnit * kUnit; }

}  // namespace

uint64_t InKernelHeap::allocate(uint64_t bytes) {
  if (bytes == 0 || bytes > limit_ || footprint(bytes) > limit_ - used_) {
    return 0;
  }
  const uint64_t address = memory_.allocate(memory::Kind::module, bytes, kHeapLabel);
  used_ += address != 0 ? footprint(bytes) : 0;
  return address;
}

bool InKernelHeap::resize(uint64_t limit_bytes) {
  if (used_ > 0) {
    return false;
  }
  limit_ = limit_bytes;
  return true;
}

bool InKernelHeap::free(uint64_t address) {
  const memory::Allocation* block = memory_.find(address);
  if (block == nullptr || block->base != address || block->label != kHeapLabel) {
    return false;
  }
  used_ -= footprint(block->size);
  return memory_.free(address, memory::Kind::module) == memory::FreeResult::ok;
}

}  // namespace hpml::sim::device
