// Libraries and their kernels: modules that belong to no context; each device loads them when it first needs them.
#include <unistd.h>

#include "simulator/cuda_driver/loading.hpp"

namespace hpml::sim::cuda_driver {
namespace {

// `image() -> Result<Image>`. Compiled for the calling thread's device at once, so that errors show.
template <class ReadImage>
int load_library(const char* name, void** library, const void* source, const JitOptions& options, ReadImage image) {
  return driver_call(name, [&](Runtime& runtime, ApiRecord&) {
    if (library == nullptr || source == nullptr || options.error() != Error::success) {
      return options.error() != Error::success ? options.error() : Error::invalid_value;
    }
    Context* context = runtime.device(this_thread().device);
    if (context == nullptr) {
      return Error::initialization_error;
    }
    Error error = Error::success;
    *library = load(runtime, *context, image(), options, error);
    return error;
  });
}

}  // namespace
}  // namespace hpml::sim::cuda_driver

using namespace hpml::sim::cuda_driver;  // NOLINT(google-build-using-namespace): entry points have no namespace

HPML_CU_API int cuLibraryLoadData(void** library, const void* code, const int* options, void** values, unsigned count,
                                  const int*, void**, unsigned) {
  return load_library("cuLibraryLoadData", library, code, JitOptions(count, options, values),
                      [&] { return read_image(code, "<image given to cuLibraryLoadData>"); });
}
HPML_CU_API int cuLibraryLoadFromFile(void** library, const char* path, const int* options, void** values,
                                      unsigned count, const int*, void**, unsigned) {
  if (path != nullptr && access(path, R_OK) != 0) {
    return driver_call("cuLibraryLoadFromFile", [](Runtime&, ApiRecord&) { return kFileNotFound; });
  }
  return load_library("cuLibraryLoadFromFile", library, path, JitOptions(count, options, values),
                      [&] { return read_image_file(path); });
}
HPML_CU_API int cuLibraryUnload(void* library) {
  return driver_call("cuLibraryUnload", [&](Runtime& runtime, ApiRecord&) {
    RegisteredFatbin* found = runtime.registry.module(library);
    if (found == nullptr || found->wrapper != nullptr) {
      return kInvalidHandle;
    }
    unload(runtime, *found);
    return Error::success;
  });
}

HPML_CU_API int cuLibraryGetKernel(void** kernel, void* library, const char* name) {
  return get_function("cuLibraryGetKernel", kernel, library, name);
}
HPML_CU_API int cuLibraryGetModule(void** module, void* library) {
  return module_call("cuLibraryGetModule", library, [&](Runtime&, Context&, RegisteredFatbin& found, int) {
    return module != nullptr ? (*module = &found, Error::success) : Error::invalid_value;
  });
}
HPML_CU_API int cuLibraryGetGlobal(DevicePtr* address, size_t* bytes, void* library, const char* symbol) {
  return get_global("cuLibraryGetGlobal", address, bytes, library, symbol);
}
HPML_CU_API int cuLibraryGetManaged(DevicePtr* address, size_t* bytes, void* library, const char* symbol) {
  return get_global("cuLibraryGetManaged", address, bytes, library, symbol);
}
HPML_CU_API int cuLibraryGetKernelCount(unsigned* count, void* library) {
  return count_functions("cuLibraryGetKernelCount", count, library);
}
HPML_CU_API int cuLibraryEnumerateKernels(void** kernels, unsigned count, void* library) {
  return enumerate_functions("cuLibraryEnumerateKernels", kernels, count, library);
}
HPML_CU_API int cuKernelGetLibrary(void** library, void* kernel) {
  return get_module_of("cuKernelGetLibrary", library, kernel);
}
// One handle serves as the kernel of the library and as its function in a context.
HPML_CU_API int cuKernelGetFunction(void** function, void* kernel) {
  void* module = nullptr;
  const int error = get_module_of("cuKernelGetFunction", &module, kernel);
  if (error == 0 && function != nullptr) {
    *function = kernel;
  }
  return function != nullptr ? error : static_cast<int>(Error::invalid_value);
}
