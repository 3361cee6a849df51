// Stream-ordered allocation and memory pools.
#include "simulator/cudart/api/graph.hpp"
#include "simulator/cudart/runtime/held_work.hpp"

namespace hpml::sim::cudart {
namespace {

// In a capture the allocation becomes a node, with its address known at once.
Error capture_allocation(StreamRef at, void** pointer, size_t bytes) {
  auto memory = at.context->new_graph_memory(bytes);
  if (memory == nullptr) {
    return Error::memory_allocation;
  }
  *pointer = reinterpret_cast<void*>(memory->address());
  return capture_work(*at.stream, *at.context, AllocWork{std::move(memory)}) != nullptr
             ? Error::success
             : Error::stream_capture_invalidated;
}

uint8_t readers_of(const MemPool& pool) {
  uint8_t gpus = 0;
  for (const int ordinal : pool.readers) {
    gpus |= static_cast<uint8_t>(1u << ordinal);
  }
  return gpus;
}

Error allocate(Runtime& runtime, StreamRef at, MemPool& pool, void** pointer, size_t bytes) {
  *pointer = nullptr;
  if (bytes == 0) {
    return Error::success;
  }
  if (at.stream->capture != nullptr) {
    return capture_allocation(at, pointer, bytes);
  }
  Context& context = *at.context;
  runtime.clock.advance(context.device().api_cost(device::ApiCost::query, bytes));
  if (pool.file >= 0) {
    return Error::invalid_value;  // an imported pool has no memory of its own
  }
  if (pool.max_bytes > 0 && pool.used + bytes > pool.max_bytes) {
    return Error::memory_allocation;
  }
  const uint64_t address = context.memory().allocate(memory::Kind::device, bytes);
  if (address == 0) {
    return Error::memory_allocation;
  }
  pool.allocated(address, bytes);
  context.memory().set_readers(address, readers_of(pool));
  *pointer = reinterpret_cast<void*>(address);
  return Error::success;
}

int malloc_async(const char* name, void** pointer, size_t bytes, const void* pool_handle, bool current, void* stream) {
  return stream_call(name, stream, [&](Runtime& runtime, StreamRef at, ApiRecord& record) {
    record.bytes = as_bytes_field(bytes);
    MemPool* pool = current ? &at.context->current_pool() : at.context->pool(pool_handle);
    if (pointer == nullptr || pool == nullptr) {
      return Error::invalid_value;
    }
    return allocate(runtime, at, *pool, pointer, bytes);
  });
}

int free_async(void* pointer, void* stream) {
  return stream_call("cudaFreeAsync", stream, [&](Runtime& runtime, StreamRef at, ApiRecord&) {
    Context& context = *at.context;
    const auto address = reinterpret_cast<uint64_t>(pointer);
    GraphMemory* graph_memory = context.graph_memory(pointer);
    if (at.stream->capture != nullptr) {
      Span unused{};
      return graph_memory != nullptr ? issue(runtime, at, FreeWork{pointer}, 0, unused) : Error::invalid_value;
    }
    await_held(runtime, at);
    runtime.clock.advance(context.device().api_cost(device::ApiCost::query, 0));
    if (graph_memory != nullptr) {
      return std::exchange(graph_memory->live, false) ? Error::success : Error::invalid_value;
    }
    if (MemPool* pool = context.pool_of(address); pool != nullptr) {
      pool->freed(address);
    }
    // What cudaMalloc gave can be freed so as well (seen on an H200, driver 580).
    return context.memory().free(address, memory::Kind::device) == memory::FreeResult::ok ? Error::success
                                                                                          : Error::invalid_value;
  });
}

// `body(Runtime&, Context&, MemPool&) -> Error`, with the device the pool belongs to.
template <class Body>
int pool_call(const char* name, const void* handle, Body body) {
  return device_call(name, [&](Runtime& runtime, Context&, ApiRecord&) {
    for (int ordinal = 0; ordinal < runtime.device_count(); ++ordinal) {
      Context* owner = runtime.started(ordinal);
      if (MemPool* pool = owner != nullptr ? owner->pool(handle) : nullptr; pool != nullptr) {
        return body(runtime, *owner, *pool);
      }
    }
    return Error::invalid_value;
  });
}

// `body(Context&) -> Error` with that device.
template <class Body>
int ordinal_call(const char* name, int ordinal, Body body) {
  return api_call(name, [&](Runtime& runtime, ApiRecord&) {
    if (ordinal < 0 || ordinal >= runtime.device_count()) {
      return Error::invalid_device;
    }
    Context* context = runtime.device(ordinal);
    return context != nullptr ? body(*context) : Error::initialization_error;
  });
}

// By cudaMemLocation and cudaMemAllocationType instead of an ordinal: `call(ordinal) -> int`.
template <class Call>
int location_call(const char* name, const int* location, int type, Call call) {
  constexpr int kOnDevice = 1, kPinned = 1, kManaged = 2;
  if (location != nullptr && location[0] == kOnDevice && type == kPinned) {
    return call(location[1]);
  }
  return api_call(name, [&](Runtime&, ApiRecord&) {
    const bool known = location != nullptr && location[0] > 0 && (type == kPinned || type == kManaged);
    return known ? refuse("memory pools of the host and of managed memory") : Error::invalid_value;
  });
}

enum Attribute : int {  // cudaMemPoolAttr
  kFollowEvents = 1,
  kOpportunistic = 2,
  kInternal = 3,
  kThreshold = 4,
  kReservedCurrent = 5,
  kReservedHigh = 6,
  kUsedCurrent = 7,
  kUsedHigh = 8,
};

Error get_attribute(const MemPool& pool, int attribute, void* value) {
  auto* flag = static_cast<int*>(value);
  auto* bytes = static_cast<uint64_t*>(value);
  switch (attribute) {
    case kFollowEvents: *flag = pool.reuse_follow_event_dependencies ? 1 : 0; break;
    case kOpportunistic: *flag = pool.reuse_opportunistic ? 1 : 0; break;
    case kInternal: *flag = pool.reuse_internal_dependencies ? 1 : 0; break;
    case kThreshold: *bytes = pool.release_threshold; break;
    case kReservedCurrent: *bytes = pool.reserved; break;
    case kReservedHigh: *bytes = pool.reserved_high; break;
    case kUsedCurrent: *bytes = pool.used; break;
    case kUsedHigh: *bytes = pool.used_high; break;
    default: return Error::invalid_value;
  }
  return Error::success;
}

// High-water marks can only be set back to zero, which means to what there is now.
Error reset_high(uint64_t& high, uint64_t now, uint64_t value) {
  high = value == 0 ? now : high;
  return value == 0 ? Error::success : Error::invalid_value;
}

Error set_attribute(MemPool& pool, int attribute, const void* value) {
  const bool flag = *static_cast<const int*>(value) != 0;
  const auto bytes = [&] { return *static_cast<const uint64_t*>(value); };
  switch (attribute) {
    case kFollowEvents: pool.reuse_follow_event_dependencies = flag; break;
    case kOpportunistic: pool.reuse_opportunistic = flag; break;
    case kInternal: pool.reuse_internal_dependencies = flag; break;
    case kThreshold: pool.release_threshold = bytes(); break;
    case kReservedHigh: return reset_high(pool.reserved_high, pool.reserved, bytes());
    case kUsedHigh: return reset_high(pool.used_high, pool.used, bytes());
    default: return Error::invalid_value;
  }
  return Error::success;
}

struct AccessDescription {  // cudaMemAccessDesc
  int location_type, location_id, flags;
};

constexpr int kDeviceLocation = 1, kNoAccess = 0, kReadWrite = 3;

Error set_access(Runtime& runtime, MemPool& pool, const AccessDescription* list, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    const AccessDescription& wanted = list[i];
    const bool known = wanted.location_type == kDeviceLocation && wanted.location_id >= 0 &&
                       wanted.location_id < runtime.device_count();
    const bool own_taken_away = wanted.location_id == pool.ordinal && wanted.flags != kReadWrite;
    if (!known) {
      return Error::invalid_device;
    }
    if (own_taken_away || (wanted.flags != kNoAccess && wanted.flags != kReadWrite)) {
      return Error::invalid_value;
    }
    if (wanted.flags == kReadWrite) {
      pool.readers.insert(wanted.location_id);
    } else {
      pool.readers.erase(wanted.location_id);
    }
  }
  for (const auto& [address, bytes] : pool.allocations) {
    runtime.started(pool.ordinal)->memory().set_readers(address, readers_of(pool));
  }
  return Error::success;
}

}  // namespace
}  // namespace hpml::sim::cudart

using namespace hpml::sim::cudart;  // NOLINT(google-build-using-namespace): entry points have no namespace

HPML_CUDA_API int cudaMallocAsync(void** pointer, size_t bytes, void* stream) {
  return malloc_async("cudaMallocAsync", pointer, bytes, nullptr, true, stream);
}
HPML_CUDA_API int cudaMallocAsync_ptsz(void** pointer, size_t bytes, void* stream) {
  return malloc_async("cudaMallocAsync", pointer, bytes, nullptr, true, per_thread(stream));
}
HPML_CUDA_API int cudaMallocFromPoolAsync(void** pointer, size_t bytes, void* pool, void* stream) {
  return malloc_async("cudaMallocFromPoolAsync", pointer, bytes, pool, false, stream);
}
HPML_CUDA_API int cudaMallocFromPoolAsync_ptsz(void** pointer, size_t bytes, void* pool, void* stream) {
  return malloc_async("cudaMallocFromPoolAsync", pointer, bytes, pool, false, per_thread(stream));
}
HPML_CUDA_API int cudaFreeAsync(void* pointer, void* stream) { return free_async(pointer, stream); }
HPML_CUDA_API int cudaFreeAsync_ptsz(void* pointer, void* stream) { return free_async(pointer, per_thread(stream)); }

HPML_CUDA_API int cudaDeviceGetDefaultMemPool(void** pool, int ordinal) {
  return ordinal_call("cudaDeviceGetDefaultMemPool", ordinal, [&](Context& context) {
    return pool != nullptr ? (*pool = &context.default_pool(), Error::success) : Error::invalid_value;
  });
}
HPML_CUDA_API int cudaDeviceGetMemPool(void** pool, int ordinal) {
  return ordinal_call("cudaDeviceGetMemPool", ordinal, [&](Context& context) {
    return pool != nullptr ? (*pool = &context.current_pool(), Error::success) : Error::invalid_value;
  });
}
HPML_CUDA_API int cudaDeviceSetMemPool(int ordinal, void* handle) {
  return ordinal_call("cudaDeviceSetMemPool", ordinal, [&](Context& context) {
    MemPool* pool = context.pool(handle);
    if (pool == nullptr) {
      return Error::invalid_value;
    }
    context.set_current_pool(*pool);
    return Error::success;
  });
}

HPML_CUDA_API int cudaMemGetDefaultMemPool(void** pool, const int* location, int type) {
  return location_call("cudaMemGetDefaultMemPool", location, type,
                       [&](int ordinal) { return cudaDeviceGetDefaultMemPool(pool, ordinal); });
}
HPML_CUDA_API int cudaMemGetMemPool(void** pool, const int* location, int type) {
  return location_call("cudaMemGetMemPool", location, type,
                       [&](int ordinal) { return cudaDeviceGetMemPool(pool, ordinal); });
}
HPML_CUDA_API int cudaMemSetMemPool(const int* location, int type, void* pool) {
  return location_call("cudaMemSetMemPool", location, type,
                       [&](int ordinal) { return cudaDeviceSetMemPool(ordinal, pool); });
}

HPML_CUDA_API int cudaMemPoolCreate(void** pool, const MemPoolProps* properties) {
  if (pool == nullptr || properties == nullptr) {
    return api_call("cudaMemPoolCreate", [](Runtime&, ApiRecord&) { return Error::invalid_value; });
  }
  return ordinal_call("cudaMemPoolCreate", properties->location_id, [&](Context& context) {
    constexpr int kPinned = 1;
    if (properties->allocation_type != kPinned || properties->location_type != kDeviceLocation) {
      return Error::invalid_value;
    }
    constexpr int kFileDescriptor = 1;
    if (properties->handle_types > kFileDescriptor) {
      return refuse("cudaMemPoolCreate: pools shared by other means than file descriptors");
    }
    MemPool* made = context.add_pool();
    made->shareable = properties->handle_types == kFileDescriptor;
    made->max_bytes = properties->max_size;
    *pool = made;
    return Error::success;
  });
}
HPML_CUDA_API int cudaMemPoolDestroy(void* handle) {
  return pool_call("cudaMemPoolDestroy", handle, [](Runtime&, Context& owner, MemPool& pool) {
    if (&pool == &owner.default_pool()) {
      return Error::invalid_value;
    }
    owner.destroy_pool(pool);
    return Error::success;
  });
}
HPML_CUDA_API int cudaMemPoolTrimTo(void* handle, size_t keep) {
  return pool_call("cudaMemPoolTrimTo", handle, [&](Runtime&, Context&, MemPool& pool) {
    pool.trim(keep);
    return Error::success;
  });
}
HPML_CUDA_API int cudaMemPoolSetAttribute(void* handle, int attribute, void* value) {
  return pool_call("cudaMemPoolSetAttribute", handle, [&](Runtime&, Context&, MemPool& pool) {
    return value != nullptr ? set_attribute(pool, attribute, value) : Error::invalid_value;
  });
}
HPML_CUDA_API int cudaMemPoolGetAttribute(void* handle, int attribute, void* value) {
  return pool_call("cudaMemPoolGetAttribute", handle, [&](Runtime&, Context&, MemPool& pool) {
    return value != nullptr ? get_attribute(pool, attribute, value) : Error::invalid_value;
  });
}
HPML_CUDA_API int cudaMemPoolSetAccess(void* handle, const void* list, size_t count) {
  return pool_call("cudaMemPoolSetAccess", handle, [&](Runtime& runtime, Context&, MemPool& pool) {
    return list != nullptr || count == 0 ? set_access(runtime, pool, static_cast<const AccessDescription*>(list), count)
                                         : Error::invalid_value;
  });
}
HPML_CUDA_API int cudaMemPoolGetAccess(int* flags, void* handle, const int* location) {
  return pool_call("cudaMemPoolGetAccess", handle, [&](Runtime&, Context&, MemPool& pool) {
    if (flags == nullptr || location == nullptr || location[0] != kDeviceLocation) {
      return Error::invalid_value;
    }
    const bool allowed = location[1] == pool.ordinal || pool.readers.contains(location[1]);
    *flags = allowed ? kReadWrite : kNoAccess;
    return Error::success;
  });
}

HPML_CUDA_API int cudaDeviceGraphMemTrim(int ordinal) {
  return ordinal_call("cudaDeviceGraphMemTrim", ordinal, [](Context&) { return Error::success; });
}
HPML_CUDA_API int cudaDeviceGetGraphMemAttribute(int ordinal, int attribute, void* value) {
  return ordinal_call("cudaDeviceGetGraphMemAttribute", ordinal, [&](Context& context) {
    constexpr int kUsed = 0, kUsedHighWater = 1, kReservedHighWater = 3;  // cudaGraphMemAttributeType; 2: reserved
    if (value == nullptr || attribute < kUsed || attribute > kReservedHighWater) {
      return Error::invalid_value;
    }
    const bool used = attribute == kUsed || attribute == kUsedHighWater;
    *static_cast<uint64_t*>(value) = used ? context.graph_bytes(true) : context.graph_bytes(false);
    return Error::success;
  });
}
HPML_CUDA_API int cudaDeviceSetGraphMemAttribute(int ordinal, int attribute, void* value) {
  return ordinal_call("cudaDeviceSetGraphMemAttribute", ordinal, [&](Context&) {
    constexpr int kUsedHighWater = 1, kReservedHighWater = 3;
    const bool high = attribute == kUsedHighWater || attribute == kReservedHighWater;
    return value != nullptr && high && *static_cast<uint64_t*>(value) == 0 ? Error::success : Error::invalid_value;
  });
}
