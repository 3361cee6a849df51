#pragma once
// Shared by the chapters of entry points: the export mark, and what several chapters need.
#include <cstddef>
#include <cstdint>

#include "simulator/cudart/runtime/check.hpp"
#include "simulator/cudart/runtime/runtime.hpp"

// An entry point of the CUDA runtime. The same code serves every major whose signature is the same; the others are in
// abi/cudart_<major>.cpp.
#define HPML_CUDA_API extern "C" __attribute__((visibility("default")))

namespace hpml::sim::cudart {

using device::Dim3;

// Where a pointer that the program passed points to.
struct Place {
  std::byte* data = nullptr;                       // where this process reads and writes it
  const memory::Allocation* allocation = nullptr;  // null: ordinary host memory
  bool is_device() const;                          // device memory or a module variable: the host cannot touch it
  bool is_pinned() const;
};

// `bytes` at `pointer`, on any device of the process. False: null, or not inside one live allocation.
bool locate(Runtime& runtime, const void* pointer, uint64_t bytes, Place& place);

// Kernels by stub address; the module is loaded when this is its first use. Errors: 98, or the module's.
struct FoundKernel {
  Error error = Error::success;
  device::KernelId id = -1;
};
FoundKernel find_kernel(Runtime& runtime, Context& context, const void* stub);

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

// location: a device ordinal, or -1 for the host (cudaCpuDeviceId).
int mem_prefetch(const void* pointer, size_t bytes, int location, void* stream);
int mem_advise(const void* pointer, size_t bytes, int advice, int location);

struct CopyArguments {
  void* dst = nullptr;
  const void* src = nullptr;
  size_t dst_pitch = 0, src_pitch = 0;  // from one row to the next, at least the width
  size_t width = 0, height = 1;
  int kind = 4;  // cudaMemcpyKind
};
enum class Waiting : uint8_t { host_waits, asynchronous };
Error copy(Runtime& runtime, Context& context, const CopyArguments& copy, void* stream, Waiting waiting,
           ApiRecord& record);
int launch(const char* name, const void* stub, Dim3 grid, Dim3 block, void** arguments, size_t shared, void* stream,
           bool cooperative);

}  // namespace hpml::sim::cudart
