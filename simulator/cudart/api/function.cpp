// Execution control: attributes of kernels, occupancy.
#include <algorithm>

#include "simulator/cudart/api/common.hpp"

namespace hpml::sim::cudart {
namespace {

constexpr int kMaxDynamicShared = 8, kPreferredCarveout = 9;  // cudaFuncAttribute

// `body(Runtime&, Context&, KernelId) -> Error`
template <class Body>
int kernel_call(const char* name, const void* stub, Body body) {
  return device_call(name, [&](Runtime& runtime, Context& context, ApiRecord& record) {
    const FoundKernel kernel = find_kernel(runtime, context, stub);
    if (kernel.error != Error::success) {
      return kernel.error;
    }
    record.detail = context.device().kernel(kernel.id).name;
    runtime.clock.advance(context.device().api_cost(device::ApiCost::query, 0));
    return body(runtime, context, kernel.id);
  });
}

int max_blocks(int* blocks, const void* stub, int threads, size_t shared) {
  constexpr const char* kName = "cudaOccupancyMaxActiveBlocksPerMultiprocessor";
  return kernel_call(kName, stub, [&](Runtime&, Context& context, device::KernelId kernel) {
    if (blocks == nullptr || threads <= 0) {
      return Error::invalid_value;
    }
    *blocks = context.device().occupancy(kernel, threads, shared).blocks_per_multiprocessor;
    return Error::success;
  });
}

// The largest dynamic shared memory with which `blocks` blocks are still resident: occupancy falls as it grows.
size_t available_shared(device::Device& device, device::KernelId kernel, int blocks, int threads) {
  size_t low = 0;
  size_t high = device.properties().shared_per_multiprocessor;
  while (low < high) {
    const size_t middle = (low + high + 1) / 2;
    if (device.occupancy(kernel, threads, middle).blocks_per_multiprocessor >= blocks) {
      low = middle;
    } else {
      high = middle - 1;
    }
  }
  return low;
}

}  // namespace

int function_attributes(const void* stub, FunctionAttributes& attributes) {
  return kernel_call("cudaFuncGetAttributes", stub, [&](Runtime&, Context& context, device::KernelId kernel) {
    const device::KernelInfo& info = context.device().kernel(kernel);
    const device::Properties& properties = context.device().properties();
    attributes.shared_bytes = info.static_shared;
    attributes.const_bytes = info.const_bytes;
    attributes.local_bytes = info.local_bytes;
    attributes.max_threads = info.max_threads_per_block;
    attributes.registers = info.registers;
    attributes.ptx_version = info.ptx_version;
    attributes.binary_version = properties.cc_major * 10 + properties.cc_minor;
    const uint64_t room =
        properties.shared_per_block - std::min<uint64_t>(info.static_shared, properties.shared_per_block);
    attributes.max_dynamic_shared = static_cast<int>(room);
    return Error::success;
  });
}

}  // namespace hpml::sim::cudart

using namespace hpml::sim::cudart;  // NOLINT(google-build-using-namespace): entry points have no namespace
namespace device = hpml::sim::device;

HPML_CUDA_API int cudaFuncSetAttribute(const void* stub, int attribute, int value) {
  return kernel_call("cudaFuncSetAttribute", stub, [&](Runtime&, Context& context, device::KernelId kernel) {
    if (attribute == kMaxDynamicShared) {
      const bool fits = value >= 0 && context.device().set_max_dynamic_shared(kernel, static_cast<uint32_t>(value));
      return fits ? Error::success : Error::invalid_value;
    }
    return attribute == kPreferredCarveout ? Error::success : Error::invalid_value;  // the carve-out is a hint
  });
}

HPML_CUDA_API int cudaFuncSetCacheConfig(const void* stub, int) {  // a hint
  return kernel_call("cudaFuncSetCacheConfig", stub,
                     [](Runtime&, Context&, device::KernelId) { return Error::success; });
}
HPML_CUDA_API int cudaFuncSetSharedMemConfig(const void* stub, int) {  // a hint that no device since Maxwell takes
  return kernel_call("cudaFuncSetSharedMemConfig", stub,
                     [](Runtime&, Context&, device::KernelId) { return Error::success; });
}

HPML_CUDA_API int cudaFuncGetName(const char** name, const void* stub) {
  return kernel_call("cudaFuncGetName", stub, [&](Runtime&, Context& context, device::KernelId kernel) {
    if (name == nullptr) {
      return Error::invalid_value;
    }
    *name = context.device().kernel(kernel).name.c_str();
    return Error::success;
  });
}

HPML_CUDA_API int cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void* stub, int threads,
                                                                size_t shared) {
  return max_blocks(blocks, stub, threads, shared);
}
HPML_CUDA_API int cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, const void* stub, int threads,
                                                                         size_t shared, unsigned) {
  return max_blocks(blocks, stub, threads, shared);
}

HPML_CUDA_API int cudaOccupancyAvailableDynamicSMemPerBlock(size_t* bytes, const void* stub, int blocks, int threads) {
  return kernel_call("cudaOccupancyAvailableDynamicSMemPerBlock", stub,
                     [&](Runtime&, Context& context, device::KernelId kernel) {
                       if (bytes == nullptr || blocks <= 0 || threads <= 0) {
                         return Error::invalid_value;
                       }
                       *bytes = available_shared(context.device(), kernel, blocks, threads);
                       return Error::success;
                     });
}
