// Memory management: allocation, release, pinned and managed memory, queries.
#include "simulator/cudart/api/common.hpp"

namespace hpml::sim::cudart {
namespace {

constexpr uint64_t kPitchAlignment = 512;

struct Pool {
  memory::Kind kind;
  device::ApiCost cost;
};
constexpr Pool kDevicePool{memory::Kind::device, device::ApiCost::malloc_device};
constexpr Pool kManagedPool{memory::Kind::managed, device::ApiCost::malloc_managed};
constexpr Pool kPinnedPool{memory::Kind::pinned, device::ApiCost::malloc_host};

Error allocate(Runtime& runtime, Context& context, const Pool& pool, void** pointer, uint64_t bytes,
               ApiRecord& record) {
  if (pointer == nullptr) {
    return Error::invalid_value;
  }
  record.bytes = as_bytes_field(bytes);
  runtime.clock.advance(context.device().api_cost(pool.cost, bytes));
  if (bytes == 0) {
    *pointer = nullptr;
    return Error::success;
  }
  const uint64_t address = context.memory().allocate(pool.kind, bytes);
  if (address == 0) {
    *pointer = nullptr;
    return Error::memory_allocation;
  }
  if (pool.kind == memory::Kind::managed) {
    context.device().managed_allocated(address, bytes);
  }
  check_allocated(runtime, context, record, address);
  *pointer = reinterpret_cast<void*>(address);
  return Error::success;
}

// The context whose memory starts an allocation at `pointer`; null when there is none.
Context* owner_of(Runtime& runtime, const void* pointer, const memory::Allocation*& allocation) {
  for (int ordinal = 0; ordinal < runtime.device_count(); ++ordinal) {
    Context* context = runtime.started(ordinal);
    allocation = context != nullptr ? context->memory().find(reinterpret_cast<uint64_t>(pointer)) : nullptr;
    if (allocation != nullptr) {
      return allocation->base == reinterpret_cast<uint64_t>(pointer) ? context : nullptr;
    }
  }
  return nullptr;
}

bool is_one_of(memory::Kind kind, memory::Kind a, memory::Kind b) { return kind == a || kind == b; }

// cudaFree and cudaFreeHost wait for the device: a kernel in flight may still use the memory.
Error release(Runtime& runtime, void* pointer, memory::Kind a, memory::Kind b, bool waits, ApiRecord& record) {
  const memory::Allocation* allocation = nullptr;
  Context* owner = owner_of(runtime, pointer, allocation);
  if (owner == nullptr || !is_one_of(allocation->kind, a, b)) {
    check_free_failed(runtime, record, pointer);
    return Error::invalid_value;
  }
  if (waits) {
    if (const Error error = synchronize_device(*owner); error != Error::success) {
      return error;
    }
  }
  const memory::Kind kind = allocation->kind;
  record.bytes = as_bytes_field(allocation->size);
  const auto cost = kind == memory::Kind::managed  ? device::ApiCost::free_managed
                    : kind == memory::Kind::device ? device::ApiCost::free_device
                                                   : device::ApiCost::free_host;
  runtime.clock.advance(owner->device().api_cost(cost, allocation->size));
  const auto address = reinterpret_cast<uint64_t>(pointer);
  if (kind == memory::Kind::managed) {
    owner->device().managed_freed(address);
  }
  return owner->memory().free(address, kind) == memory::FreeResult::ok ? Error::success : Error::invalid_value;
}

int pinned(const char* name, void** pointer, size_t bytes) {
  return device_call(name, [&](Runtime& runtime, Context& context, ApiRecord& record) {
    return allocate(runtime, context, kPinnedPool, pointer, bytes, record);
  });
}

int asynchronous_malloc(const char* name, void** pointer, size_t bytes, void* stream) {
  return device_call(name, [&](Runtime& runtime, Context& context, ApiRecord& record) {
    if (context.stream(stream) == nullptr) {
      return Error::invalid_resource_handle;
    }
    return allocate(runtime, context, kDevicePool, pointer, bytes, record);
  });
}

int asynchronous_free(const char* name, void* pointer, void* stream) {
  return device_call(name, [&](Runtime& runtime, Context& context, ApiRecord& record) {
    if (context.stream(stream) == nullptr) {
      return Error::invalid_resource_handle;
    }
    return release(runtime, pointer, memory::Kind::device, memory::Kind::device, false, record);
  });
}

}  // namespace

int pointer_attributes(const void* pointer, PointerAttributes& attributes) {
  return device_call("cudaPointerGetAttributes", [&](Runtime& runtime, Context& context, ApiRecord&) {
    runtime.clock.advance(context.device().api_cost(device::ApiCost::query, 0));
    Place place;
    attributes = {};
    if (!locate(runtime, pointer, 1, place) || place.allocation == nullptr) {
      attributes.device = -2;  // cudaInvalidDeviceId: what the runtime says of memory it does not know
      attributes.host_pointer = const_cast<void*>(pointer);
      return pointer == nullptr ? Error::invalid_value : Error::success;
    }
    const bool managed = place.allocation->kind == memory::Kind::managed;
    attributes.type = managed ? 3 : place.is_device() ? 2 : 1;
    attributes.device = context.ordinal();
    attributes.device_pointer = const_cast<void*>(pointer);
    attributes.host_pointer = place.is_device() ? nullptr : const_cast<void*>(pointer);
    return Error::success;
  });
}

}  // namespace hpml::sim::cudart

using namespace hpml::sim::cudart;  // NOLINT(google-build-using-namespace): entry points have no namespace
namespace memory = hpml::sim::memory;
namespace device = hpml::sim::device;

HPML_CUDA_API int cudaMalloc(void** pointer, size_t bytes) {
  return device_call("cudaMalloc", [&](Runtime& runtime, Context& context, ApiRecord& record) {
    return allocate(runtime, context, kDevicePool, pointer, bytes, record);
  });
}

HPML_CUDA_API int cudaMallocManaged(void** pointer, size_t bytes, unsigned flags) {
  return device_call("cudaMallocManaged", [&](Runtime& runtime, Context& context, ApiRecord& record) {
    constexpr unsigned kGlobal = 1, kHost = 2, kSingle = 4;  // cudaMemAttach*
    if (bytes == 0 || (flags != kGlobal && flags != kHost && flags != kSingle)) {
      return Error::invalid_value;
    }
    return allocate(runtime, context, kManagedPool, pointer, bytes, record);
  });
}

HPML_CUDA_API int cudaMallocHost(void** pointer, size_t bytes) { return pinned("cudaMallocHost", pointer, bytes); }
HPML_CUDA_API int cudaHostAlloc(void** pointer, size_t bytes, unsigned) {
  return pinned("cudaHostAlloc", pointer, bytes);
}

HPML_CUDA_API int cudaMallocPitch(void** pointer, size_t* pitch, size_t width, size_t height) {
  return device_call("cudaMallocPitch", [&](Runtime& runtime, Context& context, ApiRecord& record) {
    if (pitch == nullptr) {
      return Error::invalid_value;
    }
    *pitch = (width + kPitchAlignment - 1) / kPitchAlignment * kPitchAlignment;
    return allocate(runtime, context, kDevicePool, pointer, *pitch * height, record);
  });
}

HPML_CUDA_API int cudaFree(void* pointer) {
  return device_call("cudaFree", [&](Runtime& runtime, Context&, ApiRecord& record) {
    return pointer == nullptr ? Error::success
                              : release(runtime, pointer, memory::Kind::device, memory::Kind::managed, true, record);
  });
}

HPML_CUDA_API int cudaFreeHost(void* pointer) {
  return device_call("cudaFreeHost", [&](Runtime& runtime, Context&, ApiRecord& record) {
    return pointer == nullptr ? Error::success
                              : release(runtime, pointer, memory::Kind::pinned, memory::Kind::pinned, true, record);
  });
}

HPML_CUDA_API int cudaMallocAsync(void** pointer, size_t bytes, void* stream) {
  return asynchronous_malloc("cudaMallocAsync", pointer, bytes, stream);
}
HPML_CUDA_API int cudaMallocAsync_ptsz(void** pointer, size_t bytes, void* stream) {
  return asynchronous_malloc("cudaMallocAsync", pointer, bytes, per_thread(stream));
}
HPML_CUDA_API int cudaFreeAsync(void* pointer, void* stream) {
  return asynchronous_free("cudaFreeAsync", pointer, stream);
}
HPML_CUDA_API int cudaFreeAsync_ptsz(void* pointer, void* stream) {
  return asynchronous_free("cudaFreeAsync", pointer, per_thread(stream));
}

HPML_CUDA_API int cudaMemGetInfo(size_t* free_bytes, size_t* total_bytes) {
  return device_call("cudaMemGetInfo", [&](Runtime& runtime, Context& context, ApiRecord&) {
    if (free_bytes == nullptr || total_bytes == nullptr) {
      return Error::invalid_value;
    }
    runtime.clock.advance(context.device().api_cost(device::ApiCost::query, 0));
    *free_bytes = context.memory().free_bytes();
    *total_bytes = context.memory().total_bytes();
    return Error::success;
  });
}

HPML_CUDA_API int cudaHostRegister(void* pointer, size_t bytes, unsigned) {
  return device_call("cudaHostRegister", [&](Runtime& runtime, Context& context, ApiRecord& record) {
    if (pointer == nullptr || bytes == 0) {
      return Error::invalid_value;
    }
    record.bytes = as_bytes_field(bytes);
    runtime.clock.advance(context.device().api_cost(device::ApiCost::malloc_host, bytes));
    return context.memory().register_host(pointer, bytes) ? Error::success : Error::host_memory_already_registered;
  });
}

HPML_CUDA_API int cudaHostUnregister(void* pointer) {
  return device_call("cudaHostUnregister", [&](Runtime& runtime, Context& context, ApiRecord&) {
    runtime.clock.advance(context.device().api_cost(device::ApiCost::free_host, 0));
    return context.memory().unregister_host(pointer) ? Error::success : Error::host_memory_not_registered;
  });
}

HPML_CUDA_API int cudaHostGetDevicePointer(void** device_pointer, void* host, unsigned flags) {
  return device_call("cudaHostGetDevicePointer", [&](Runtime& runtime, Context&, ApiRecord&) {
    Place place;
    if (device_pointer == nullptr || flags != 0 || !locate(runtime, host, 1, place) || !place.is_pinned()) {
      return Error::invalid_value;
    }
    *device_pointer = host;  // one address space: the same address serves both
    return Error::success;
  });
}

HPML_CUDA_API int cudaHostGetFlags(unsigned* flags, void* host) {
  return device_call("cudaHostGetFlags", [&](Runtime& runtime, Context&, ApiRecord&) {
    Place place;
    if (flags == nullptr || !locate(runtime, host, 1, place) || !place.is_pinned()) {
      return Error::invalid_value;
    }
    *flags = 2;  // cudaHostAllocMapped: true of all pinned memory in a unified address space
    return Error::success;
  });
}
