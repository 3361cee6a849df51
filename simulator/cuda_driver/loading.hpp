#pragma once
// Modules of the program: shared by the chapters on modules, libraries and links.
#include "simulator/cuda_driver/frame.hpp"
#include "simulator/cuda_driver/image.hpp"
#include "simulator/cuda_driver/jit_options.hpp"

namespace hpml::sim::cuda_driver {

using cudart::RegisteredFatbin;

// Compiles `image` for the device and keeps it as a module. Null with `error` set: why not; told in the logs.
RegisteredFatbin* load(Runtime& runtime, Context& context, Result<Image> image, const JitOptions& options,
                       Error& error);
void unload(Runtime& runtime, RegisteredFatbin& module);

// For calls about one module: `body(Runtime&, Context&, RegisteredFatbin&, device::ModuleId) -> Error`.
template <class Body>
int module_call(const char* name, const void* module, Body body) {
  return context_call(name, [&](Runtime& runtime, Context& context, ApiRecord&) {
    RegisteredFatbin* found = runtime.registry.module(module);
    if (found == nullptr) {
      return kInvalidHandle;
    }
    const cudart::LoadedModule loaded = context.module(*found);
    return loaded.error == Error::success ? body(runtime, context, *found, loaded.id) : loaded.error;
  });
}

int get_function(const char* name, void** function, void* module, const char* kernel);
int get_global(const char* name, DevicePtr* address, size_t* bytes, void* module, const char* symbol);
int count_functions(const char* name, unsigned* count, void* module);
int enumerate_functions(const char* name, void** functions, unsigned count, void* module);
int get_module_of(const char* name, void** module, const void* function);

}  // namespace hpml::sim::cuda_driver
