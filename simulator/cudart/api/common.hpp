#pragma once
// Shared by the chapters of entry points: the export mark, and what several chapters need.
#include <cstddef>
#include <cstdint>

#include "simulator/cudart/runtime/capture.hpp"
#include "simulator/cudart/runtime/check.hpp"
#include "simulator/cudart/runtime/execute.hpp"

// An entry point of the CUDA runtime. The same code serves every major whose signature is the same; the others are in
// abi/cudart_<major>.cpp.
#define HPML_CUDA_API extern "C" __attribute__((visibility("default")))

namespace hpml::sim::cudart {

using device::Dim3;

// For calls that a stream capture going on may forbid (cudaThreadExchangeStreamCaptureMode): as device_call().
template <class Body>
int unsafe_call(const char* name, Body body) {
  return device_call(name, [&](Runtime& runtime, Context& context, ApiRecord& record) {
    const Error error = unsafe_during_capture(runtime);
    return error == Error::success ? body(runtime, context, record) : error;
  });
}

// For calls about one stream, of any device: `body(Runtime&, StreamRef, ApiRecord&) -> Error`.
template <class Body>
int stream_call(const char* name, const void* handle, Body body) {
  return device_call(name, [&](Runtime& runtime, Context&, ApiRecord& record) {
    const StreamRef at = runtime.stream(handle);
    if (at.stream == nullptr) {
      return Error::invalid_resource_handle;
    }
    const Error error = at.context->error();
    return error == Error::success ? body(runtime, at, record) : error;
  });
}

// Kernels by stub address; the module is loaded when this is its first use. Errors: 98, or the module's.
struct FoundKernel {
  Error error = Error::success;
  device::KernelId id = -1;
};
FoundKernel find_kernel(Runtime& runtime, Context& context, const void* stub);

// What this runtime does not have, refused by name: "cudaThis: those things". Returns cudaErrorNotSupported.
Error refuse(const char* what);

// Waits for all work of the device (cudaDeviceSynchronize without its cost).
Error synchronize_device(Context& context);

inline int64_t as_bytes_field(uint64_t bytes) { return static_cast<int64_t>(bytes); }

// --default-stream per-thread links the names with _ptsz and _ptds: their stream 0 is the per-thread stream.
inline void* per_thread(void* stream) { return stream == nullptr ? reinterpret_cast<void*>(uintptr_t{2}) : stream; }

// What differs between majors only in its layout; abi/ writes it out.
struct FunctionAttributes {
  uint64_t shared_bytes = 0, const_bytes = 0, local_bytes = 0;
  int max_threads = 0, registers = 0, ptx_version = 0, binary_version = 0;
  int max_dynamic_shared = 0, preferred_carveout = -1;
  std::array<int, 3> required_cluster = {};  // 0: none
  bool non_portable_cluster = false;
  int cluster_policy = 0;
};
int function_attributes(const void* stub, FunctionAttributes& attributes);

struct PointerAttributes {
  int type = 0;  // cudaMemoryType: 0 unregistered, 1 host, 2 device, 3 managed
  int device = 0;
  void* device_pointer = nullptr;
  void* host_pointer = nullptr;
};
int pointer_attributes(const void* pointer, PointerAttributes& attributes);

// On success `properties` is set. Codes as cudaGetDeviceProperties.
int device_properties(int ordinal, const device::Properties*& properties);

// status: where CUDA 12 and later write whether it was found; null for CUDA 11.
int get_driver_entry_point(const char* name, void** function, unsigned long long flags, int* status);

// location: a device ordinal, or -1 for the host (cudaCpuDeviceId).
int mem_prefetch(const void* pointer, size_t bytes, int location, void* stream);
int mem_advise(const void* pointer, size_t bytes, int advice, int location);

enum class Waiting : uint8_t { host_waits, asynchronous };
// Issues a copy, or a fill, as the synchronous or the asynchronous call does.
Error copy(Runtime& runtime, const CopyWork& copy, const void* stream, Waiting waiting, ApiRecord& record);
Error fill(Runtime& runtime, const FillWork& fill, const void* stream, Waiting waiting, ApiRecord& record);

// A copy of rows of `width` bytes; of one row, with any pitch.
CopyWork copy_rows(void* dst, size_t dst_pitch, const void* src, size_t src_pitch, size_t width, size_t height,
                   int kind);
// From what the program asked for to what is copied. Errors as cudaMemcpy3D.
Error to_copy(Runtime& runtime, const Copy3D& asked, CopyWork& copy);
CopyWork copy_bytes(void* dst, const void* src, size_t bytes, int kind);

// A copy to or from a symbol: fills in the side that is the variable. Errors as cudaMemcpyToSymbol.
Error symbol_copy_work(Runtime& runtime, Context& context, const void* symbol, size_t offset, CopyWork& copy,
                       bool to_symbol);

struct LaunchArguments {
  const void* stub = nullptr;
  Dim3 grid, block;
  void** arguments = nullptr;
  size_t shared = 0;
  void* stream = nullptr;
  bool cooperative = false;
  std::optional<Dim3> cluster = {};
};
int launch(const char* name, const LaunchArguments& arguments);

}  // namespace hpml::sim::cudart
