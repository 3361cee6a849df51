#pragma once
// Memory for lane arrays: 64-byte aligned, as the lane loops of the isa room require (isa/op.hpp, Slot).
#include <cstddef>
#include <new>
#include <vector>

namespace hpml::sim::exec {

template <class T>
struct LaneAllocator {
  using value_type = T;
  static constexpr std::align_val_t kAlign{64};
  LaneAllocator() = default;
  template <class U>
  explicit LaneAllocator(const LaneAllocator<U>&) {}
  T* allocate(size_t n) { return static_cast<T*>(::operator new(n * sizeof(T), kAlign)); }
  void deallocate(T* p, size_t) { ::operator delete(p, kAlign); }
  friend bool operator==(const LaneAllocator&, const LaneAllocator&) { return true; }
};

using LaneStorage = std::vector<std::byte, LaneAllocator<std::byte>>;

}  // namespace hpml::sim::exec
