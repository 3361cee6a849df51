// Memory management: allocation, release, pinned and managed memory, queries.
#include "simulator/cudart/api/common.hpp"
#include "simulator/cudart/runtime/refusal.hpp"

namespace hpml::sim::cudart {
namespace {

constexpr uint64_t kPitchAlignment = 512;

uint64_t pitch_of(uint64_t width) { return (width + kPitchAlignment - 1) / kPitchAlignment * kPitchAlignment; }

struct Source {
  memory::Kind kind;
  device::ApiCost cost;
};
constexpr Source kDevice{memory::Kind::device, device::ApiCost::malloc_device};
constexpr Source kManaged{memory::Kind::managed, device::ApiCost::malloc_managed};
constexpr Source kPinned{memory::Kind::pinned, device::ApiCost::malloc_host};

Error allocate(Runtime& runtime, Context& context, const Source& source, void** pointer, uint64_t bytes,
               ApiRecord& record) {
  if (pointer == nullptr) {
    return Error::invalid_value;
  }
  record.bytes = as_bytes_field(bytes);
  const uint64_t address = bytes > 0 ? context.memory().allocate(source.kind, bytes) : 0;
  // What cannot be given costs the call alone, whatever was asked for.
  runtime.clock.advance(context.device().api_cost(source.cost, address != 0 ? bytes : 0));
  if (bytes == 0) {
    *pointer = nullptr;
    return Error::success;
  }
  if (address == 0) {
    *pointer = nullptr;
    return Error::memory_allocation;
  }
  if (source.kind == memory::Kind::managed) {
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
    allocation = context != nullptr ? context->memory().own(reinterpret_cast<uint64_t>(pointer)) : nullptr;
    if (allocation != nullptr) {
      return allocation->base == reinterpret_cast<uint64_t>(pointer) ? context : nullptr;
    }
  }
  return nullptr;
}

bool is_one_of(memory::Kind kind, memory::Kind a, memory::Kind b) { return kind == a || kind == b; }

// cudaFree and cudaFreeHost wait for the device: a kernel in flight may still use the memory.
Error release(Runtime& runtime, void* pointer, memory::Kind a, memory::Kind b, ApiRecord& record) {
  const memory::Allocation* allocation = nullptr;
  Context* owner = owner_of(runtime, pointer, allocation);
  const bool of_handle = owner != nullptr && std::ranges::any_of(owner->opened_memory, [&](const auto& entry) {
                           return entry.second.address == allocation->base;  // cudaIpcCloseMemHandle ends it
                         });
  if (owner == nullptr || of_handle || !is_one_of(allocation->kind, a, b)) {
    check_free_failed(runtime, record, pointer);
    say_why_free_refused(runtime, pointer, record.name);
    return Error::invalid_value;
  }
  if (const Error error = synchronize_device(*owner); error != Error::success) {
    return error;
  }
  const memory::Kind kind = allocation->kind;
  record.bytes = as_bytes_field(allocation->size);
  const auto cost = kind == memory::Kind::managed  ? device::ApiCost::free_managed
                    : kind == memory::Kind::device ? device::ApiCost::free_device
                                                   : device::ApiCost::free_host;
  runtime.clock.advance(owner->device().api_cost(cost, allocation->size));
  const auto address = reinterpret_cast<uint64_t>(pointer);
  if (GraphMemory* graph_memory = owner->graph_memory(pointer); graph_memory != nullptr) {
    return std::exchange(graph_memory->live, false) ? Error::success : Error::invalid_value;
  }
  if (MemPool* pool = owner->pool_of(address); pool != nullptr) {
    pool->freed(address);
  }
  if (kind == memory::Kind::managed) {
    owner->device().managed_freed(address);
  }
  return owner->memory().free(address, kind) == memory::FreeResult::ok ? Error::success : Error::invalid_value;
}

int pinned(const char* name, void** pointer, size_t bytes, unsigned flags) {
  return unsafe_call(name, [&](Runtime& runtime, Context& context, ApiRecord& record) {
    const Error error = allocate(runtime, context, kPinned, pointer, bytes, record);
    if (error == Error::success) {
      runtime.host_flags[reinterpret_cast<uint64_t>(*pointer)] = flags;
    }
    return error;
  });
}

int refused(const char* name) {
  return api_call(name, [](Runtime&, ApiRecord&) { return Error::invalid_value; });
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
    attributes.type = place.is_managed() ? 3 : place.is_device() ? 2 : 1;
    attributes.device = place.owner->ordinal();
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
  return unsafe_call("cudaMalloc", [&](Runtime& runtime, Context& context, ApiRecord& record) {
    return allocate(runtime, context, kDevice, pointer, bytes, record);
  });
}

HPML_CUDA_API int cudaMallocManaged(void** pointer, size_t bytes, unsigned flags) {
  return unsafe_call("cudaMallocManaged", [&](Runtime& runtime, Context& context, ApiRecord& record) {
    constexpr unsigned kGlobal = 1, kHost = 2, kSingle = 4;  // cudaMemAttach*
    if (bytes == 0 || (flags != kGlobal && flags != kHost && flags != kSingle)) {
      return Error::invalid_value;
    }
    return allocate(runtime, context, kManaged, pointer, bytes, record);
  });
}

HPML_CUDA_API int cudaMallocHost(void** pointer, size_t bytes) { return pinned("cudaMallocHost", pointer, bytes, 0); }
HPML_CUDA_API int cudaHostAlloc(void** pointer, size_t bytes, unsigned flags) {
  constexpr unsigned kKnown = 7;  // portable, mapped, write-combined
  return flags <= kKnown ? pinned("cudaHostAlloc", pointer, bytes, flags) : refused("cudaHostAlloc");
}

HPML_CUDA_API int cudaMallocPitch(void** pointer, size_t* pitch, size_t width, size_t height) {
  return unsafe_call("cudaMallocPitch", [&](Runtime& runtime, Context& context, ApiRecord& record) {
    if (pitch == nullptr) {
      return Error::invalid_value;
    }
    *pitch = pitch_of(width);
    return allocate(runtime, context, kDevice, pointer, *pitch * height, record);
  });
}
HPML_CUDA_API int cudaMalloc3D(PitchedPointer* out, Extent extent) {
  return unsafe_call("cudaMalloc3D", [&](Runtime& runtime, Context& context, ApiRecord& record) {
    if (out == nullptr) {
      return Error::invalid_value;
    }
    const uint64_t pitch = pitch_of(extent.width);
    *out = {.pointer = nullptr, .pitch = pitch, .width = extent.width, .height = extent.height};
    return allocate(runtime, context, kDevice, &out->pointer, pitch * extent.height * extent.depth, record);
  });
}

HPML_CUDA_API int cudaFree(void* pointer) {
  return unsafe_call("cudaFree", [&](Runtime& runtime, Context&, ApiRecord& record) {
    return pointer == nullptr ? Error::success
                              : release(runtime, pointer, memory::Kind::device, memory::Kind::managed, record);
  });
}

HPML_CUDA_API int cudaFreeHost(void* pointer) {
  return unsafe_call("cudaFreeHost", [&](Runtime& runtime, Context&, ApiRecord& record) {
    return pointer == nullptr ? Error::success
                              : release(runtime, pointer, memory::Kind::pinned, memory::Kind::pinned, record);
  });
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

HPML_CUDA_API int cudaHostRegister(void* pointer, size_t bytes, unsigned flags) {
  constexpr unsigned kKnown = 15;  // portable, mapped, I/O memory, read-only
  return unsafe_call("cudaHostRegister", [&](Runtime& runtime, Context& context, ApiRecord& record) {
    if (pointer == nullptr || bytes == 0 || flags > kKnown) {
      return Error::invalid_value;
    }
    record.bytes = as_bytes_field(bytes);
    runtime.clock.advance(context.device().api_cost(device::ApiCost::malloc_host, bytes));
    if (!context.memory().register_host(pointer, bytes)) {
      return Error::host_memory_already_registered;
    }
    runtime.host_flags[reinterpret_cast<uint64_t>(pointer)] = flags;
    return Error::success;
  });
}

HPML_CUDA_API int cudaHostUnregister(void* pointer) {
  return unsafe_call("cudaHostUnregister", [&](Runtime& runtime, Context& context, ApiRecord&) {
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
    constexpr unsigned kMapped = 2;  // as all pinned memory in a unified address space
    const auto asked = runtime.host_flags.find(place.allocation != nullptr ? place.allocation->base : 0);
    *flags = kMapped | (asked != runtime.host_flags.end() ? asked->second : 0);
    return Error::success;
  });
}
