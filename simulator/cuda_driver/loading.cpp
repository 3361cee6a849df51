#include "simulator/cuda_driver/loading.hpp"

namespace hpml::sim::cuda_driver {

RegisteredFatbin* load(Runtime& runtime, Context& context, Result<Image> image, const JitOptions& options,
                       Error& error) {
  if (!image.ok()) {
    options.finish(image.error().to_string());
    error = kInvalidImage;
    return nullptr;
  }
  RegisteredFatbin* module = runtime.registry.add_image(std::move(*image));
  const cudart::LoadedModule loaded = context.module(*module);
  options.finish(loaded.message);
  error = loaded.error;
  if (error == Error::success) {
    return module;
  }
  unload(runtime, *module);
  return nullptr;
}

void unload(Runtime& runtime, RegisteredFatbin& module) {
  for (int ordinal = 0; ordinal < runtime.device_count(); ++ordinal) {
    if (Context* context = runtime.started(ordinal); context != nullptr) {
      context->forget_module(module);
    }
  }
  runtime.registry.remove_fatbin(&module);
}

int get_function(const char* name, void** function, void* module, const char* kernel) {
  return module_call(name, module, [&](Runtime& runtime, Context& context, RegisteredFatbin& found, int id) {
    if (function == nullptr || kernel == nullptr) {
      return Error::invalid_value;
    }
    if (!context.device().find_kernel(id, kernel)) {
      *function = nullptr;  // a launch of a null handle is refused, one of what was there before may not be
      return kNotFound;
    }
    *function = const_cast<cudart::FunctionHandle*>(runtime.registry.handle(found, kernel));
    return Error::success;
  });
}

int get_global(const char* name, DevicePtr* address, size_t* bytes, void* module, const char* symbol) {
  return module_call(name, module, [&](Runtime&, Context& context, RegisteredFatbin&, int id) {
    if (symbol == nullptr || (address == nullptr && bytes == nullptr)) {
      return Error::invalid_value;
    }
    const auto found = context.device().find_symbol(id, symbol);
    if (!found) {
      return kNotFound;
    }
    if (address != nullptr) {
      *address = found->address;
    }
    if (bytes != nullptr) {
      *bytes = found->size;
    }
    return Error::success;
  });
}

int count_functions(const char* name, unsigned* count, void* module) {
  return module_call(name, module, [&](Runtime&, Context& context, RegisteredFatbin&, int id) {
    if (count == nullptr) {
      return Error::invalid_value;
    }
    *count = static_cast<unsigned>(context.device().kernel_names(id).size());
    return Error::success;
  });
}

int enumerate_functions(const char* name, void** functions, unsigned count, void* module) {
  return module_call(name, module, [&](Runtime& runtime, Context& context, RegisteredFatbin& found, int id) {
    if (functions == nullptr) {
      return Error::invalid_value;
    }
    unsigned given = 0;
    for (const std::string& kernel : context.device().kernel_names(id)) {
      if (given < count) {
        functions[given++] = const_cast<cudart::FunctionHandle*>(runtime.registry.handle(found, kernel));
      }
    }
    return Error::success;
  });
}

int get_module_of(const char* name, void** module, const void* function) {
  return context_call(name, [&](Runtime& runtime, Context&, ApiRecord&) {
    const cudart::RegisteredFunction* found = runtime.registry.function(function);
    if (module == nullptr || found == nullptr) {
      return module == nullptr ? Error::invalid_value : kInvalidHandle;
    }
    *module = found->fatbin;
    return Error::success;
  });
}

}  // namespace hpml::sim::cuda_driver
