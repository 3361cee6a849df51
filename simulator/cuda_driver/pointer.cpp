// What is known of an address.
#include "simulator/cuda_driver/frame.hpp"

namespace hpml::sim::cuda_driver {
namespace {

// CUpointer_attribute
constexpr int kContext = 1, kMemoryType = 2, kDevicePointer = 3, kHostPointer = 4, kSyncMemops = 6, kBufferId = 7,
              kIsManaged = 8, kDeviceOrdinal = 9, kRangeStart = 11, kRangeSize = 12, kMapped = 13;
constexpr unsigned kTypeHost = 1, kTypeDevice = 2;  // CUmemorytype

template <class Value>
Error give(void* data, Value value) {
  *static_cast<Value*>(data) = value;
  return Error::success;
}

Error attribute_of(Runtime& runtime, Context& context, const cudart::Place& place, int attribute, DevicePtr address,
                   void* data) {
  const memory::Allocation& allocation = *place.allocation;
  const bool host_side = place.is_pinned();
  switch (attribute) {
    case kContext: return give<void*>(data, &runtime.context_handles.primary(context.ordinal()));
    case kMemoryType: return give(data, host_side ? kTypeHost : kTypeDevice);
    case kDevicePointer: return give(data, address);
    case kHostPointer: return place.is_device() ? Error::invalid_value : give(data, pointer_of(address));
    case kSyncMemops:
    case kIsManaged: return give(data, attribute == kIsManaged && allocation.kind == memory::Kind::managed);
    case kBufferId: return give(data, uint64_t{allocation.serial});
    case kDeviceOrdinal: return give(data, context.ordinal());
    case kRangeStart: return give(data, allocation.base);
    case kRangeSize: return give(data, size_t{allocation.size});
    case kMapped: return give(data, true);
    default: return Error::not_supported;
  }
}

// Of memory that CUDA does not know.
Error attribute_of_unknown(int attribute, void* data) {
  switch (attribute) {
    case kMemoryType: return give(data, 0U);
    case kSyncMemops:
    case kIsManaged:
    case kMapped: return give(data, false);
    case kDeviceOrdinal: return give(data, -2);
    case kContext:
    case kDevicePointer:
    case kHostPointer:
    case kBufferId:
    case kRangeStart:
    case kRangeSize: return give(data, uint64_t{0});
    default: return Error::not_supported;
  }
}

// The device whose memory the address lies in; null: none.
Context* owner_of(Runtime& runtime, DevicePtr address) {
  for (int ordinal = 0; ordinal < runtime.device_count(); ++ordinal) {
    Context* context = runtime.started(ordinal);
    if (context != nullptr && context->memory().find(address) != nullptr) {
      return context;
    }
  }
  return nullptr;
}

}  // namespace
}  // namespace hpml::sim::cuda_driver

using namespace hpml::sim::cuda_driver;  // NOLINT(google-build-using-namespace): entry points have no namespace
namespace cudart = hpml::sim::cudart;

HPML_CU_API int cuPointerGetAttribute(void* data, int attribute, DevicePtr address) {
  return context_call("cuPointerGetAttribute", [&](Runtime& runtime, Context&, ApiRecord&) {
    cudart::Place place;
    Context* owner = owner_of(runtime, address);
    if (data == nullptr || owner == nullptr || !cudart::locate(runtime, pointer_of(address), 1, place)) {
      return Error::invalid_value;
    }
    return attribute_of(runtime, *owner, place, attribute, address, data);
  });
}

HPML_CU_API int cuPointerGetAttributes(unsigned count, const int* attributes, void** data, DevicePtr address) {
  return context_call("cuPointerGetAttributes", [&](Runtime& runtime, Context&, ApiRecord&) {
    if (attributes == nullptr || data == nullptr) {
      return Error::invalid_value;
    }
    cudart::Place place;
    Context* owner = owner_of(runtime, address);
    const bool known = owner != nullptr && cudart::locate(runtime, pointer_of(address), 1, place);
    for (unsigned i = 0; i < count; ++i) {  // what does not apply is zero, and no error
      if (!known || attribute_of(runtime, *owner, place, attributes[i], address, data[i]) == Error::invalid_value) {
        if (attribute_of_unknown(attributes[i], data[i]) != Error::success) {
          return Error::invalid_value;
        }
      }
    }
    return Error::success;
  });
}

// Synchronous memory operations: they are so here in any case.
HPML_CU_API int cuPointerSetAttribute(const void* value, int attribute, DevicePtr address) {
  return context_call("cuPointerSetAttribute", [&](Runtime& runtime, Context&, ApiRecord&) {
    constexpr int kSynchronousOperations = 6;  // CU_POINTER_ATTRIBUTE_SYNC_MEMOPS, the only one that can be set
    const bool known = value != nullptr && attribute == kSynchronousOperations && owner_of(runtime, address) != nullptr;
    return known ? Error::success : Error::invalid_value;
  });
}

HPML_CU_API int cuMemGetAddressRange_v2(DevicePtr* base, size_t* size, DevicePtr address) {
  return context_call("cuMemGetAddressRange", [&](Runtime& runtime, Context&, ApiRecord&) {
    Context* owner = owner_of(runtime, address);
    if (owner == nullptr) {
      return kNotFound;
    }
    const auto* allocation = owner->memory().find(address);
    if (base != nullptr) {
      *base = allocation->base;
    }
    if (size != nullptr) {
      *size = allocation->size;
    }
    return Error::success;
  });
}
