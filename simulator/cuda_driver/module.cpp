// Modules: load PTX or a fat binary, look up kernels and variables.
#include <unistd.h>

#include "simulator/cuda_driver/loading.hpp"
#include "simulator/cuda_driver/owned.hpp"

namespace hpml::sim::cuda_driver {
namespace {

constexpr const char* kNameOfData = "<image given to cuModuleLoadData>";

int load_data(const char* name, void** module, const void* data, const JitOptions& options) {
  return context_call(name, [&](Runtime& runtime, Context& context, ApiRecord&) {
    if (module == nullptr || data == nullptr || options.error() != Error::success) {
      return options.error() != Error::success ? options.error() : Error::invalid_value;
    }
    Error error = Error::success;
    *module = load(runtime, context, read_image(data, kNameOfData), options, error);
    return error;
  });
}

int load_file(void** module, const char* path) {
  return context_call("cuModuleLoad", [&](Runtime& runtime, Context& context, ApiRecord&) {
    if (module == nullptr || path == nullptr) {
      return Error::invalid_value;
    }
    if (access(path, R_OK) != 0) {
      return kFileNotFound;
    }
    Error error = Error::success;
    *module = load(runtime, context, read_image_file(path), JitOptions(0, nullptr, nullptr), error);
    return error;
  });
}

}  // namespace
}  // namespace hpml::sim::cuda_driver

using namespace hpml::sim::cuda_driver;  // NOLINT(google-build-using-namespace): entry points have no namespace

HPML_CU_API int cuModuleLoad(void** module, const char* path) {
  return made(OwnedKind::module, module, load_file(module, path));
}
HPML_CU_API int cuModuleLoadData(void** module, const void* data) {
  return made(OwnedKind::module, module, load_data("cuModuleLoadData", module, data, JitOptions(0, nullptr, nullptr)));
}
HPML_CU_API int cuModuleLoadDataEx(void** module, const void* data, unsigned count, const int* options, void** values) {
  return made(OwnedKind::module, module,
              load_data("cuModuleLoadDataEx", module, data, JitOptions(count, options, values)));
}
HPML_CU_API int cuModuleLoadFatBinary(void** module, const void* data) {
  return made(OwnedKind::module, module,
              load_data("cuModuleLoadFatBinary", module, data, JitOptions(0, nullptr, nullptr)));
}

HPML_CU_API int cuModuleUnload(void* module) {
  return gone(OwnedKind::module, module,
              module_call("cuModuleUnload", module, [](Runtime& runtime, Context&, RegisteredFatbin& found, int) {
                if (found.wrapper != nullptr) {
                  return kNotPermitted;  // of the program itself: the runtime's
                }
                unload(runtime, found);
                return Error::success;
              }));
}

HPML_CU_API int cuModuleGetFunction(void** function, void* module, const char* kernel) {
  return get_function("cuModuleGetFunction", function, module, kernel);
}
HPML_CU_API int cuModuleGetGlobal_v2(DevicePtr* address, size_t* bytes, void* module, const char* symbol) {
  return get_global("cuModuleGetGlobal", address, bytes, module, symbol);
}
HPML_CU_API int cuModuleGetFunctionCount(unsigned* count, void* module) {
  return count_functions("cuModuleGetFunctionCount", count, module);
}
HPML_CU_API int cuModuleEnumerateFunctions(void** functions, unsigned count, void* module) {
  return enumerate_functions("cuModuleEnumerateFunctions", functions, count, module);
}
HPML_CU_API int cuModuleGetLoadingMode(int* mode) {
  return driver_call("cuModuleGetLoadingMode", [&](Runtime&, ApiRecord&) {
    constexpr int kEager = 1;  // CU_MODULE_EAGER_LOADING
    return mode != nullptr ? (*mode = kEager, Error::success) : Error::invalid_value;
  });
}
