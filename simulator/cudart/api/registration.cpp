// What the compiler's start-up code calls before main, once per translation unit.
#include "simulator/cudart/api/common.hpp"
#include "simulator/fatbin/wrapper.hpp"

namespace hpml::sim::cudart {
namespace {

// The handle is void** for the compiler's code; only this runtime looks behind it.
RegisteredFatbin* fatbin_of(void** handle) { return reinterpret_cast<RegisteredFatbin*>(handle); }

void add_variable(void** handle, const void* host, const char* name, size_t size, int constant, void** managed) {
  Runtime& runtime = Runtime::get();
  const std::lock_guard lock(runtime.mutex);
  runtime.registry.add_variable(
      host,
      {.fatbin = fatbin_of(handle), .name = name, .size = size, .constant = constant != 0, .managed_pointer = managed});
}

}  // namespace
}  // namespace hpml::sim::cudart

using namespace hpml::sim::cudart;  // NOLINT(google-build-using-namespace): entry points have no namespace

HPML_CUDA_API void** __cudaRegisterFatBinary(void* wrapper) {
  Runtime& runtime = Runtime::get();
  const std::lock_guard lock(runtime.mutex);
  return reinterpret_cast<void**>(runtime.registry.add_fatbin(wrapper));
}
// Programs unregister at exit, after every use; the metrics that are written later do not need the module.
HPML_CUDA_API void __cudaUnregisterFatBinary(void**) {}

HPML_CUDA_API void __cudaRegisterFunction(void** handle, const char* stub, char*, const char* name, int, void*, void*,
                                          void*, void*, int*) {
  Runtime& runtime = Runtime::get();
  const std::lock_guard lock(runtime.mutex);
  runtime.registry.add_function(fatbin_of(handle), stub, name);
}
HPML_CUDA_API void __cudaRegisterVar(void** handle, char* host, char*, const char* name, int, size_t size, int constant,
                                     int) {
  add_variable(handle, host, name, size, constant, nullptr);
}
HPML_CUDA_API void __cudaRegisterHostVar(void** handle, const char* name, char* host, size_t size) {
  add_variable(handle, host, name, size, 0, nullptr);
}
HPML_CUDA_API void __cudaRegisterManagedVar(void** handle, void** host, char*, const char* name, int, size_t size,
                                            int constant, int) {
  add_variable(handle, host, name, size, constant, host);
}

// Called before the first host access to a __managed__ variable; the caller remembers a non-zero result.
HPML_CUDA_API char __cudaInitModule(void** handle) {
  const int error = device_call("__cudaInitModule", [&](Runtime&, Context& context, ApiRecord&) {
    return context.module(*fatbin_of(handle)).error;
  });
  return error == 0 ? 1 : 0;
}

// clang's host code reads managed variables without calling __cudaInitModule first: they must be in place before main.
HPML_CUDA_API void __cudaRegisterFatBinaryEnd(void** handle) {
  const std::string_view text = hpml::sim::fatbin::plain_text(fatbin_of(handle)->wrapper);
  if (text.find(".attribute(.managed)") != std::string_view::npos) {
    __cudaInitModule(handle);
  }
}
