// cudaLibrary*: modules that the program loads. The driver library beside this one does it; handles and error codes are
// the same in both.
#include <dlfcn.h>

#include "simulator/cudart/api/common.hpp"

namespace hpml::sim::cudart {
namespace {

// The driver's function of that name; without the driver library, the call is refused.
template <class Function, class... Arguments>
int ask_driver(const char* call, const char* name, Arguments... arguments) {
  // The runtime's first call makes the context that the driver's calls need.
  const int ready = device_call(call, [](Runtime&, Context&, ApiRecord&) { return Error::success; });
  if (ready != 0) {
    return ready;
  }
  static void* driver = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  auto* function = driver != nullptr ? reinterpret_cast<Function*>(dlsym(driver, name)) : nullptr;
  const Error error = function != nullptr ? static_cast<Error>(function(arguments...)) : Error::not_supported;
  return error == Error::success ? 0 : api_call(call, [&](Runtime&, ApiRecord&) { return error; });
}

using LoadData = int(void**, const void*, const int*, void**, unsigned, const int*, void**, unsigned);
using LoadFile = int(void**, const char*, const int*, void**, unsigned, const int*, void**, unsigned);
using OfLibrary = int(void*);
using GetKernel = int(void**, void*, const char*);
using GetVariable = int(uint64_t*, size_t*, void*, const char*);
using Count = int(unsigned*, void*);
using Enumerate = int(void**, unsigned, void*);

}  // namespace
}  // namespace hpml::sim::cudart

using namespace hpml::sim::cudart;  // NOLINT(google-build-using-namespace): entry points have no namespace

HPML_CUDA_API int cudaLibraryLoadData(void** library, const void* code, const int* jit, void** jit_values,
                                      unsigned jit_count, const int* options, void** values, unsigned count) {
  return ask_driver<LoadData>("cudaLibraryLoadData", "cuLibraryLoadData", library, code, jit, jit_values, jit_count,
                              options, values, count);
}
HPML_CUDA_API int cudaLibraryLoadFromFile(void** library, const char* path, const int* jit, void** jit_values,
                                          unsigned jit_count, const int* options, void** values, unsigned count) {
  return ask_driver<LoadFile>("cudaLibraryLoadFromFile", "cuLibraryLoadFromFile", library, path, jit, jit_values,
                              jit_count, options, values, count);
}
HPML_CUDA_API int cudaLibraryUnload(void* library) {
  return ask_driver<OfLibrary>("cudaLibraryUnload", "cuLibraryUnload", library);
}
HPML_CUDA_API int cudaLibraryGetKernel(void** kernel, void* library, const char* name) {
  return ask_driver<GetKernel>("cudaLibraryGetKernel", "cuLibraryGetKernel", kernel, library, name);
}
HPML_CUDA_API int cudaLibraryGetGlobal(void** pointer, size_t* bytes, void* library, const char* name) {
  return ask_driver<GetVariable>("cudaLibraryGetGlobal", "cuLibraryGetGlobal", reinterpret_cast<uint64_t*>(pointer),
                                 bytes, library, name);
}
HPML_CUDA_API int cudaLibraryGetManaged(void** pointer, size_t* bytes, void* library, const char* name) {
  return ask_driver<GetVariable>("cudaLibraryGetManaged", "cuLibraryGetManaged", reinterpret_cast<uint64_t*>(pointer),
                                 bytes, library, name);
}
HPML_CUDA_API int cudaLibraryGetKernelCount(unsigned* count, void* library) {
  return ask_driver<Count>("cudaLibraryGetKernelCount", "cuLibraryGetKernelCount", count, library);
}
HPML_CUDA_API int cudaLibraryEnumerateKernels(void** kernels, unsigned count, void* library) {
  return ask_driver<Enumerate>("cudaLibraryEnumerateKernels", "cuLibraryEnumerateKernels", kernels, count, library);
}
