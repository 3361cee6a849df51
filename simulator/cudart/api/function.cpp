// Execution control: attributes of kernels, occupancy.
#include <algorithm>

#include "simulator/cudart/api/kernel_call.hpp"

namespace hpml::sim::cudart {
namespace {

enum FunctionAttribute : int {  // cudaFuncAttribute
  kMaxDynamicShared = 8,
  kPreferredCarveout = 9,
  kClusterWidth = 11,
  kClusterDepth = 13,
  kNonPortableCluster = 14,
  kClusterPolicy = 15,
};

Error set_attribute(Context& context, device::KernelId kernel, int attribute, int value) {
  constexpr int kDefaultCarveout = -1, kWholeCarveout = 100;
  FunctionSettings& settings = context.function_settings[kernel];
  if (attribute == kMaxDynamicShared) {
    if (value < 0 || !context.device().set_max_dynamic_shared(kernel, static_cast<uint32_t>(value))) {
      return Error::invalid_value;
    }
    settings.max_dynamic_shared = value;
    return Error::success;
  }
  if (attribute == kPreferredCarveout) {
    if (value < kDefaultCarveout || value > kWholeCarveout) {
      return Error::invalid_value;
    }
    settings.preferred_carveout = value;  // a hint, which the model does not need: it knows the best
    return Error::success;
  }
  if (attribute >= kClusterWidth && attribute <= kClusterDepth) {
    if (context.device().kernel(kernel).cluster) {
      return Error::invalid_value;  // the code says it; the manual has cudaErrorNotPermitted, CUDA 13.0 this
    }
    settings.cluster[static_cast<size_t>(attribute - kClusterWidth)] = value;
    return value >= 0 ? Error::success : Error::invalid_value;
  }
  if (attribute == kNonPortableCluster) {
    settings.non_portable_cluster = value != 0;
    return Error::success;
  }
  settings.cluster_policy = attribute == kClusterPolicy ? value : settings.cluster_policy;
  return attribute == kClusterPolicy ? Error::success : Error::invalid_value;
}

bool is_cache_config(int config) { return config >= 0 && config <= 3; }  // cudaFuncCache
bool is_bank_config(int config) { return config >= 0 && config <= 2; }   // cudaSharedMemConfig

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
    const FunctionSettings& settings = context.function_settings[kernel];
    attributes.max_dynamic_shared = settings.max_dynamic_shared.value_or(static_cast<int>(room));
    attributes.preferred_carveout = settings.preferred_carveout;
    attributes.required_cluster = settings.cluster;
    if (info.cluster) {
      attributes.required_cluster = {static_cast<int>(info.cluster->x), static_cast<int>(info.cluster->y),
                                     static_cast<int>(info.cluster->z)};
    }
    attributes.non_portable_cluster = settings.non_portable_cluster;
    attributes.cluster_policy = settings.cluster_policy;
    return Error::success;
  });
}

}  // namespace hpml::sim::cudart

using namespace hpml::sim::cudart;  // NOLINT(google-build-using-namespace): entry points have no namespace
namespace device = hpml::sim::device;

HPML_CUDA_API int cudaFuncSetAttribute(const void* stub, int attribute, int value) {
  return kernel_call("cudaFuncSetAttribute", stub, [&](Runtime&, Context& context, device::KernelId kernel) {
    return set_attribute(context, kernel, attribute, value);
  });
}
HPML_CUDA_API int cudaFuncSetCacheConfig(const void* stub, int config) {  // a hint
  return kernel_call("cudaFuncSetCacheConfig", stub, [&](Runtime&, Context&, device::KernelId) {
    return is_cache_config(config) ? Error::success : Error::invalid_value;
  });
}
HPML_CUDA_API int cudaFuncSetSharedMemConfig(const void* stub, int config) {  // no device since Maxwell takes it
  return kernel_call("cudaFuncSetSharedMemConfig", stub, [&](Runtime&, Context&, device::KernelId) {
    return is_bank_config(config) ? Error::success : Error::invalid_value;
  });
}

HPML_CUDA_API int cudaKernelSetAttributeForDevice(const void* kernel, int attribute, int value, int ordinal) {
  return api_call("cudaKernelSetAttributeForDevice", [&](Runtime& runtime, ApiRecord&) {
    if (ordinal < 0 || ordinal >= runtime.device_count()) {
      return Error::invalid_device;
    }
    const int before = std::exchange(this_thread().device, ordinal);
    const int error = cudaFuncSetAttribute(kernel, attribute, value);
    this_thread().device = before;
    return static_cast<Error>(error);
  });
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
HPML_CUDA_API int cudaFuncGetParamInfo(const void* stub, size_t index, size_t* offset, size_t* size) {
  return kernel_call("cudaFuncGetParamInfo", stub, [&](Runtime&, Context& context, device::KernelId kernel) {
    const auto& params = context.device().kernel(kernel).params;
    if (offset == nullptr || index >= params.size()) {
      return Error::invalid_value;
    }
    *offset = params[index].offset;
    if (size != nullptr) {
      *size = params[index].size;
    }
    return Error::success;
  });
}
