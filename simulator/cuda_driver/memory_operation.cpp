// Memory operations of streams: a stream waits until a word of memory has a value, or writes one.
#include "simulator/cudart/api/memory_operation.hpp"

#include "simulator/cuda_driver/frame.hpp"

namespace hpml::sim::cuda_driver {
namespace {

using cudart::MemoryOperation;

// CUstreamBatchMemOpParams
struct BatchEntry {
  int operation = 0;
  DevicePtr address = 0;
  uint64_t value = 0;
  unsigned flags = 0;
  DevicePtr alias = 0;
  uint64_t reserved = 0;
};
static_assert(sizeof(BatchEntry) == 48);
enum Operation : int { kWait32 = 1, kWrite32 = 2, kFlushRemoteWrites = 3, kWait64 = 4, kWrite64 = 5, kBarrier = 6 };

int one(const char* name, void* stream, const MemoryOperation& operation) {
  return forward(name, [&] { return cudart::memory_operation(name, stream, operation); });
}

int batch(void* stream, unsigned count, const BatchEntry* entries, unsigned flags) {
  constexpr unsigned kMost = 256;
  if (entries == nullptr || count > kMost || flags != 0) {
    return driver_call("cuStreamBatchMemOp", [](Runtime&, ApiRecord&) { return Error::invalid_value; });
  }
  for (unsigned i = 0; i < count; ++i) {
    const BatchEntry& entry = entries[i];
    const bool waits = entry.operation == kWait32 || entry.operation == kWait64;
    const bool writes = entry.operation == kWrite32 || entry.operation == kWrite64;
    const bool wide = entry.operation == kWait64 || entry.operation == kWrite64;
    if (!waits && !writes && entry.operation != kFlushRemoteWrites && entry.operation != kBarrier) {
      return driver_call("cuStreamBatchMemOp", [](Runtime&, ApiRecord&) { return Error::invalid_value; });
    }
    const MemoryOperation operation{.waits = waits,
                                    .pointer = pointer_of(entry.address),
                                    .bytes = wide ? 8u : 4u,
                                    .value = entry.value,
                                    .flags = entry.flags};
    if (const int result = waits || writes ? one("cuStreamBatchMemOp", stream, operation) : 0; result != 0) {
      return result;
    }
  }
  return 0;
}

}  // namespace
}  // namespace hpml::sim::cuda_driver

using namespace hpml::sim::cuda_driver;  // NOLINT(google-build-using-namespace): entry points have no namespace

// Before CUDA 11.7 programs had to switch these calls on in the driver; both forms are the same here.
#define HPML_MEMORY_OPERATION(name, waits_for, width, integer)                                                        \
  HPML_CU_API int name(void* stream, DevicePtr address, integer value, unsigned flags) {                              \
    return one(#name, stream,                                                                                         \
               {.waits = waits_for, .pointer = pointer_of(address), .bytes = width, .value = value, .flags = flags}); \
  }                                                                                                                   \
  HPML_CU_API int name##_v2(void* stream, DevicePtr address, integer value, unsigned flags) {                         \
    return name(stream, address, value, flags);                                                                       \
  }                                                                                                                   \
  HPML_CU_API int name##_ptsz(void* stream, DevicePtr address, integer value, unsigned flags) {                       \
    return name(per_thread(stream), address, value, flags);                                                           \
  }                                                                                                                   \
  HPML_CU_API int name##_v2_ptsz(void* stream, DevicePtr address, integer value, unsigned flags) {                    \
    return name(per_thread(stream), address, value, flags);                                                           \
  }
HPML_MEMORY_OPERATION(cuStreamWaitValue32, true, 4, uint32_t)
HPML_MEMORY_OPERATION(cuStreamWaitValue64, true, 8, uint64_t)
HPML_MEMORY_OPERATION(cuStreamWriteValue32, false, 4, uint32_t)
HPML_MEMORY_OPERATION(cuStreamWriteValue64, false, 8, uint64_t)
#undef HPML_MEMORY_OPERATION

HPML_CU_API int cuStreamBatchMemOp(void* stream, unsigned count, const void* entries, unsigned flags) {
  return batch(stream, count, static_cast<const BatchEntry*>(entries), flags);
}
HPML_CU_API int cuStreamBatchMemOp_v2(void* stream, unsigned count, const void* entries, unsigned flags) {
  return cuStreamBatchMemOp(stream, count, entries, flags);
}
HPML_CU_API int cuStreamBatchMemOp_ptsz(void* stream, unsigned count, const void* entries, unsigned flags) {
  return cuStreamBatchMemOp(per_thread(stream), count, entries, flags);
}
HPML_CU_API int cuStreamBatchMemOp_v2_ptsz(void* stream, unsigned count, const void* entries, unsigned flags) {
  return cuStreamBatchMemOp(per_thread(stream), count, entries, flags);
}
