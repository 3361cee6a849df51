#pragma once
// What a program made while a context of cuCtxCreate was current: it goes with the context. Contexts of a device share
// one state here, so that somebody has to remember.
#include <set>

#include "simulator/cuda_driver/frame.hpp"

namespace hpml::sim::cuda_driver {

enum class OwnedKind { memory, stream, event, module };

// Of the calling thread's current context; primary contexts keep no list.
void own(OwnedKind kind, void* thing);
void disown(OwnedKind kind, void* thing);
// Frees all that the context owns; it must be current.
void release_owned(const ContextHandle& handle);

// A creating call through `handle`: its result, after having noted what was made.
template <class Handle>
int made(OwnedKind kind, Handle* handle, int result) {
  if (result == 0) {
    own(kind, reinterpret_cast<void*>(*handle));
  }
  return result;
}
// A destroying call.
inline int gone(OwnedKind kind, void* thing, int result) {
  if (result == 0) {
    disown(kind, thing);
  }
  return result;
}

}  // namespace hpml::sim::cuda_driver
