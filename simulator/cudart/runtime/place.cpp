#include "simulator/cudart/runtime/place.hpp"

namespace hpml::sim::cudart {

bool Place::is_device() const {
  return allocation != nullptr &&
         (allocation->kind == memory::Kind::device || allocation->kind == memory::Kind::module);
}

bool Place::is_pinned() const {
  return allocation != nullptr &&
         (allocation->kind == memory::Kind::pinned || allocation->kind == memory::Kind::registered);
}

bool Place::is_managed() const { return allocation != nullptr && allocation->kind == memory::Kind::managed; }

bool locate(Runtime& runtime, const void* pointer, uint64_t bytes, Place& place) {
  if (pointer == nullptr) {
    return false;
  }
  const auto address = reinterpret_cast<uint64_t>(pointer);
  for (int ordinal = 0; ordinal < runtime.device_count(); ++ordinal) {
    Context* context = runtime.started(ordinal);
    if (context == nullptr) {
      continue;
    }
    if (const memory::Allocation* found = context->memory().own(address); found != nullptr) {
      place = {.data = found->view + (address - found->base), .allocation = found, .owner = context};
      return found->contains(address, bytes);
    }
    if (context->memory().freed(address) != nullptr) {
      return false;
    }
  }
  place = {.data = static_cast<std::byte*>(const_cast<void*>(pointer))};
  return true;
}

}  // namespace hpml::sim::cudart
