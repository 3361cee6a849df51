// The driver API's functions by name, and functions of kernels for it.
#include <dlfcn.h>

#include <string>

#include "simulator/cudart/api/common.hpp"

namespace hpml::sim::cudart {
namespace {

constexpr int kFound = 0, kNotFound = 1;  // cudaDriverEntryPointQueryResult

// The driver library names what it has; without one nothing is found.
void* driver_function(const char* name) {
  static void* driver = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  return driver != nullptr ? dlsym(driver, name) : nullptr;
}

// Names without a version mean the newest form, which the library exports under its number.
void* newest(const std::string& name) {
  for (const char* version : {"_v3", "_v2", ""}) {
    if (void* found = driver_function((name + version).c_str()); found != nullptr) {
      return found;
    }
  }
  return nullptr;
}

int entry_point(const char* call, const char* name, void** function, unsigned long long flags, int* status) {
  return api_call(call, [&](Runtime&, ApiRecord&) {
    constexpr unsigned long long kPerThread = 2;  // cudaEnablePerThreadDefaultStream
    if (name == nullptr || function == nullptr || flags > kPerThread) {
      return Error::invalid_value;
    }
    void* found = flags == kPerThread ? driver_function((std::string(name) + "_ptsz").c_str()) : nullptr;
    *function = found != nullptr ? found : newest(name);
    if (status != nullptr) {
      *status = *function != nullptr ? kFound : kNotFound;
    }
    return Error::success;
  });
}

}  // namespace
}  // namespace hpml::sim::cudart

using namespace hpml::sim::cudart;  // NOLINT(google-build-using-namespace): entry points have no namespace

HPML_CUDA_API int cudaGetDriverEntryPointByVersion(const char* name, void** function, unsigned,
                                                   unsigned long long flags, int* status) {
  return entry_point("cudaGetDriverEntryPointByVersion", name, function, flags, status);
}
HPML_CUDA_API int cudaGetDriverEntryPointByVersion_ptsz(const char* name, void** function, unsigned,
                                                        unsigned long long flags, int* status) {
  return entry_point("cudaGetDriverEntryPointByVersion", name, function, flags, status);
}

namespace hpml::sim::cudart {

int get_driver_entry_point(const char* name, void** function, unsigned long long flags, int* status) {
  return entry_point("cudaGetDriverEntryPoint", name, function, flags, status);
}

}  // namespace hpml::sim::cudart

// cudaFunction_t and CUfunction are the kernel's stub address here, or what the driver API gave.
HPML_CUDA_API int cudaGetFuncBySymbol(const void** function, const void* stub) {
  return device_call("cudaGetFuncBySymbol", [&](Runtime& runtime, Context& context, ApiRecord&) {
    const FoundKernel found = find_kernel(runtime, context, stub);
    if (function == nullptr) {
      return Error::invalid_value;
    }
    *function = found.error == Error::success ? stub : nullptr;
    return found.error;
  });
}
