#include "simulator/cudart/runtime/context_handle.hpp"

namespace hpml::sim::cudart {
namespace {
constexpr unsigned kVersionOfPrimary = 3020;  // what cuCtxGetApiVersion says of contexts since CUDA 3.2
}

ContextHandles::ContextHandles(int device_count) {
  for (int device = 0; device < device_count; ++device) {
    primaries_.push_back(std::make_unique<ContextHandle>(
        ContextHandle{.device = device, .primary = true, .id = next_id_++, .version = kVersionOfPrimary}));
  }
}

ContextHandle& ContextHandles::create(int device, unsigned flags, unsigned version) {
  auto made = std::make_unique<ContextHandle>(
      ContextHandle{.device = device, .id = next_id_++, .version = version, .flags = flags});
  ContextHandle& handle = *made;
  created_.emplace(&handle, std::move(made));
  return handle;
}

ContextHandle* ContextHandles::find(const void* handle) const {
  for (const auto& primary : primaries_) {
    if (primary.get() == handle) {
      return primary.get();
    }
  }
  const auto found = created_.find(handle);
  return found == created_.end() ? nullptr : found->second.get();
}

}  // namespace hpml::sim::cudart
