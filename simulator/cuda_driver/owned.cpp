#include "simulator/cuda_driver/owned.hpp"

#include <map>
#include <utility>

extern "C" int cuModuleUnload(void* module);

namespace hpml::sim::cuda_driver {
namespace {

using Things = std::set<std::pair<OwnedKind, void*>>;

std::map<const ContextHandle*, Things>& table() {  // guarded by the runtime's lock
  static auto* owned = new std::map<const ContextHandle*, Things>();
  return *owned;
}

void release(OwnedKind kind, void* thing) {
  switch (kind) {
    case OwnedKind::memory: cudaFree(thing); return;
    case OwnedKind::stream: cudaStreamDestroy(thing); return;
    case OwnedKind::event: cudaEventDestroy(thing); return;
    case OwnedKind::module: cuModuleUnload(thing); return;
  }
}

}  // namespace

void own(OwnedKind kind, void* thing) {
  const std::lock_guard lock(Runtime::get().mutex);
  const auto& contexts = this_thread().contexts;
  if (!contexts.empty() && !contexts.back()->primary) {
    table()[contexts.back()].emplace(kind, thing);
  }
}

void disown(OwnedKind kind, void* thing) {
  const std::lock_guard lock(Runtime::get().mutex);
  for (auto& [context, things] : table()) {
    things.erase({kind, thing});
  }
}

void release_owned(const ContextHandle& handle) {
  const Things things = std::exchange(table()[&handle], {});
  table().erase(&handle);
  for (const auto& [kind, thing] : things) {
    release(kind, thing);
  }
}

}  // namespace hpml::sim::cuda_driver
