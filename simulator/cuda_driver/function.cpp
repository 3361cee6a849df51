// What is known of a kernel: attributes, parameters, occupancy. CUfunction and CUkernel are one kind of handle.
#include <algorithm>

#include "simulator/cuda_driver/loading.hpp"

namespace hpml::sim::cuda_driver {
namespace {

// CUfunction_attribute
enum class Attribute : int {
  max_threads = 0,
  shared = 1,
  constant = 2,
  local = 3,
  registers = 4,
  ptx_version = 5,
  binary_version = 6,
  cache_mode_ca = 7,
  max_dynamic_shared = 8,
  preferred_carveout = 9,
  cluster_must_be_set = 10,
  cluster_width = 11,
  cluster_height = 12,
  cluster_depth = 13,
  non_portable_cluster = 14,
  cluster_policy = 15
};

int value_of(const cudart::FunctionAttributes& known, int attribute, int& value) {
  switch (static_cast<Attribute>(attribute)) {
    case Attribute::max_threads: value = known.max_threads; return 0;
    case Attribute::shared: value = static_cast<int>(known.shared_bytes); return 0;
    case Attribute::constant: value = static_cast<int>(known.const_bytes); return 0;
    case Attribute::local: value = static_cast<int>(known.local_bytes); return 0;
    case Attribute::registers: value = known.registers; return 0;
    case Attribute::ptx_version: value = known.ptx_version; return 0;
    case Attribute::binary_version: value = known.binary_version; return 0;
    case Attribute::cache_mode_ca: value = 0; return 0;
    case Attribute::max_dynamic_shared: value = known.max_dynamic_shared; return 0;
    case Attribute::preferred_carveout: value = known.preferred_carveout; return 0;
    case Attribute::cluster_must_be_set: value = known.required_cluster[0] != 0 ? 1 : 0; return 0;
    case Attribute::cluster_width: value = known.required_cluster[0]; return 0;
    case Attribute::cluster_height: value = known.required_cluster[1]; return 0;
    case Attribute::cluster_depth: value = known.required_cluster[2]; return 0;
    case Attribute::non_portable_cluster: value = known.non_portable_cluster ? 1 : 0; return 0;
    case Attribute::cluster_policy: value = known.cluster_policy; return 0;
  }
  return static_cast<int>(Error::invalid_value);
}

int get_attribute(int* value, int attribute, const void* function) {
  if (value == nullptr) {
    return static_cast<int>(Error::invalid_value);
  }
  cudart::FunctionAttributes known;
  const int error = cudart::function_attributes(function, known);
  return error == 0 ? value_of(known, attribute, *value) : error;
}

// For the calls that name a device; its primary context is the one meant.
template <class Call>
int on_device(const char* name, int device, Call call) {
  return forward_contextless(name, [&] {
    Runtime& runtime = Runtime::get();
    return is_device(runtime, device) ? with_context(runtime.context_handles.primary(device), call)
                                      : static_cast<int>(Error::invalid_device);
  });
}

// A parameter's place in the block; an index past the last one is an error, by which programs count them.
int parameter(const char* name, const void* function, size_t index, size_t* offset, size_t* size) {
  return context_call(name, [&](Runtime& runtime, Context& context, ApiRecord&) {
    const cudart::FoundKernel found = cudart::find_kernel(runtime, context, function);
    if (found.error != Error::success) {
      return found.error;
    }
    const auto& params = context.device().kernel(found.id).params;
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

}  // namespace
}  // namespace hpml::sim::cuda_driver

using namespace hpml::sim::cuda_driver;  // NOLINT(google-build-using-namespace): entry points have no namespace

HPML_CU_API int cuFuncGetAttribute(int* value, int attribute, void* function) {
  return forward("cuFuncGetAttribute", [&] { return get_attribute(value, attribute, function); });
}
HPML_CU_API int cuFuncSetAttribute(void* function, int attribute, int value) {
  return forward("cuFuncSetAttribute", [&] { return cudaFuncSetAttribute(function, attribute, value); });
}
HPML_CU_API int cuFuncSetCacheConfig(void* function, int config) {
  return forward("cuFuncSetCacheConfig", [&] { return cudaFuncSetCacheConfig(function, config); });
}
HPML_CU_API int cuFuncSetSharedMemConfig(void* function, int config) {
  return forward("cuFuncSetSharedMemConfig", [&] { return cudaFuncSetSharedMemConfig(function, config); });
}
HPML_CU_API int cuFuncGetModule(void** module, void* function) {
  return get_module_of("cuFuncGetModule", module, function);
}
HPML_CU_API int cuFuncGetName(const char** name, void* function) {
  return forward("cuFuncGetName", [&] { return cudaFuncGetName(name, function); });
}
HPML_CU_API int cuFuncGetParamInfo(void* function, size_t index, size_t* offset, size_t* size) {
  return parameter("cuFuncGetParamInfo", function, index, offset, size);
}
HPML_CU_API int cuFuncIsLoaded(int* state, void*) {
  return context_call("cuFuncIsLoaded", [&](Runtime&, Context&, ApiRecord&) {
    constexpr int kLoaded = 1;  // CU_FUNCTION_LOADING_STATE_LOADED
    return state != nullptr ? (*state = kLoaded, Error::success) : Error::invalid_value;
  });
}
HPML_CU_API int cuFuncLoad(void* function) {
  void* module = nullptr;
  return get_module_of("cuFuncLoad", &module, function);
}

HPML_CU_API int cuKernelGetAttribute(int* value, int attribute, void* kernel, int device) {
  return on_device("cuKernelGetAttribute", device, [&] { return get_attribute(value, attribute, kernel); });
}
HPML_CU_API int cuKernelSetAttribute(int attribute, int value, void* kernel, int device) {
  return on_device("cuKernelSetAttribute", device, [&] { return cudaFuncSetAttribute(kernel, attribute, value); });
}
HPML_CU_API int cuKernelSetCacheConfig(void* kernel, int config, int device) {
  return on_device("cuKernelSetCacheConfig", device, [&] { return cudaFuncSetCacheConfig(kernel, config); });
}
HPML_CU_API int cuKernelGetName(const char** name, void* kernel) {
  return forward("cuKernelGetName", [&] { return cudaFuncGetName(name, kernel); });
}
HPML_CU_API int cuKernelGetParamInfo(void* kernel, size_t index, size_t* offset, size_t* size) {
  return parameter("cuKernelGetParamInfo", kernel, index, offset, size);
}
