#pragma once
// CUcontext of the driver API. All contexts of a device share its one state (streams, memory, modules): a context made
// by cuCtxCreate is a further name for it. The runtime API works on the primary one.
#include <cstdint>
#include <map>
#include <memory>
#include <vector>

namespace hpml::sim::cudart {

struct ContextHandle {
  int device = 0;
  bool primary = false;
  uint64_t id = 0;       // cuCtxGetId
  unsigned version = 0;  // of the driver API it was made for
  unsigned flags = 0;
  // Of a primary context: times retained by cuDevicePrimaryCtxRetain, and whether the runtime API holds it too.
  int retained = 0;
  bool used_by_runtime = false;
};

class ContextHandles {
 public:
  explicit ContextHandles(int device_count);
  ContextHandle& primary(int device) { return *primaries_.at(static_cast<size_t>(device)); }
  ContextHandle& create(int device, unsigned flags, unsigned version);
  void destroy(const ContextHandle& handle) { created_.erase(&handle); }
  // Null when it is no context of this process.
  ContextHandle* find(const void* handle) const;

  bool started = false;  // cuInit has been called, or the runtime has begun to use a device

 private:
  uint64_t next_id_ = 1;
  std::vector<std::unique_ptr<ContextHandle>> primaries_;
  std::map<const void*, std::unique_ptr<ContextHandle>> created_;
};

}  // namespace hpml::sim::cudart
