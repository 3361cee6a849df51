// The driver API's functions by name, and functions of kernels for it.
#include <dlfcn.h>

#include "simulator/cudart/api/common.hpp"

namespace hpml::sim::cudart {
namespace {

constexpr int kNewest = 13000;
constexpr int kNotFound = 1;  // cudaDriverEntryPointQueryResult and CUdriverProcAddressQueryResult

using GetProcAddress = int (*)(const char* name, void** function, int version, uint64_t flags, int* status);

// The driver library beside this one knows its functions by name and version; without it nothing is found.
GetProcAddress driver_lookup() {
  static void* driver = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  return driver != nullptr ? reinterpret_cast<GetProcAddress>(dlsym(driver, "cuGetProcAddress_v2")) : nullptr;
}

int entry_point(const char* call, const char* name, void** function, int version, unsigned long long flags,
                int* status) {
  return api_call(call, [&](Runtime&, ApiRecord&) {
    constexpr unsigned long long kPerThread = 2;  // cudaEnablePerThreadDefaultStream
    if (name == nullptr || function == nullptr || flags > kPerThread) {
      return Error::invalid_value;
    }
    *function = nullptr;
    int found = kNotFound;
    if (const GetProcAddress lookup = driver_lookup(); lookup != nullptr) {
      lookup(name, function, version, flags, &found);  // a name that is not there is no error here
    }
    if (status != nullptr) {
      *status = found;
    }
    return Error::success;
  });
}

}  // namespace
}  // namespace hpml::sim::cudart

using namespace hpml::sim::cudart;  // NOLINT(google-build-using-namespace): entry points have no namespace

HPML_CUDA_API int cudaGetDriverEntryPointByVersion(const char* name, void** function, unsigned version,
                                                   unsigned long long flags, int* status) {
  return entry_point("cudaGetDriverEntryPointByVersion", name, function, static_cast<int>(version), flags, status);
}
HPML_CUDA_API int cudaGetDriverEntryPointByVersion_ptsz(const char* name, void** function, unsigned version,
                                                        unsigned long long flags, int* status) {
  return entry_point("cudaGetDriverEntryPointByVersion", name, function, static_cast<int>(version), flags, status);
}

namespace hpml::sim::cudart {

int get_driver_entry_point(const char* name, void** function, unsigned long long flags, int* status) {
  return entry_point("cudaGetDriverEntryPoint", name, function, kNewest, flags, status);
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
