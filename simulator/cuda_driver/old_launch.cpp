// Launches as before CUDA 4.0: the shape of the block and the arguments are settings of the kernel.
#include <algorithm>
#include <cstring>
#include <map>
#include <vector>

#include "simulator/cuda_driver/frame.hpp"

HPML_CU_API int cuLaunchKernel(void* function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x,
                               unsigned block_y, unsigned block_z, unsigned shared, void* stream, void** parameters,
                               void** extra);

namespace hpml::sim::cuda_driver {
namespace {

struct Settings {
  device::Dim3 block{1, 1, 1};
  unsigned shared = 0;
  std::vector<std::byte> arguments;  // as the kernel lays out its parameters
};

// Of every kernel that was set up so; the runtime's lock guards it.
Settings& settings_of(const void* function) {
  static auto* all = new std::map<const void*, Settings>();
  return (*all)[function];
}

// `body(Settings&) -> Error`
template <class Body>
int settings_call(const char* name, const void* function, Body body) {
  return context_call(name, [&](Runtime& runtime, Context& context, ApiRecord&) {
    const cudart::FoundKernel found = cudart::find_kernel(runtime, context, function);
    return found.error == Error::success ? body(settings_of(function)) : found.error;
  });
}

int set_argument(const char* name, const void* function, int offset, const void* value, size_t bytes) {
  return settings_call(name, function, [&](Settings& settings) {
    constexpr size_t kMost = 4096;  // bytes of parameters
    if (offset < 0 || value == nullptr || static_cast<size_t>(offset) + bytes > kMost) {
      return Error::invalid_value;
    }
    settings.arguments.resize(std::max(settings.arguments.size(), static_cast<size_t>(offset) + bytes));
    std::memcpy(settings.arguments.data() + offset, value, bytes);
    return Error::success;
  });
}

int launch_as_set(const char* name, void* function, int width, int height, void* stream) {
  Settings settings;
  const int error = settings_call(name, function, [&](const Settings& kept) {
    settings = kept;
    return width > 0 && height > 0 ? Error::success : Error::invalid_value;
  });
  if (error != 0) {
    return error;
  }
  // CU_LAUNCH_PARAM_BUFFER_POINTER, _BUFFER_SIZE, _END
  size_t bytes = settings.arguments.size();
  void* extra[] = {reinterpret_cast<void*>(uintptr_t{1}), settings.arguments.data(),
                   reinterpret_cast<void*>(uintptr_t{2}), &bytes, nullptr};
  const auto [x, y, z] = settings.block;
  return cuLaunchKernel(function, static_cast<unsigned>(width), static_cast<unsigned>(height), 1, x, y, z,
                        settings.shared, stream, nullptr, extra);
}

}  // namespace
}  // namespace hpml::sim::cuda_driver

using namespace hpml::sim::cuda_driver;  // NOLINT(google-build-using-namespace): entry points have no namespace

HPML_CU_API int cuFuncSetBlockShape(void* function, int x, int y, int z) {
  return settings_call("cuFuncSetBlockShape", function, [&](Settings& settings) {
    if (x <= 0 || y <= 0 || z <= 0) {
      return Error::invalid_value;
    }
    settings.block = {static_cast<unsigned>(x), static_cast<unsigned>(y), static_cast<unsigned>(z)};
    return Error::success;
  });
}
HPML_CU_API int cuFuncSetSharedSize(void* function, unsigned bytes) {
  return settings_call("cuFuncSetSharedSize", function, [&](Settings& settings) {
    settings.shared = bytes;
    return Error::success;
  });
}
HPML_CU_API int cuParamSetSize(void* function, unsigned bytes) {
  return settings_call("cuParamSetSize", function, [&](Settings& settings) {
    settings.arguments.resize(bytes);
    return Error::success;
  });
}
HPML_CU_API int cuParamSeti(void* function, int offset, unsigned value) {
  return set_argument("cuParamSeti", function, offset, &value, sizeof(value));
}
HPML_CU_API int cuParamSetf(void* function, int offset, float value) {
  return set_argument("cuParamSetf", function, offset, &value, sizeof(value));
}
HPML_CU_API int cuParamSetv(void* function, int offset, void* value, unsigned bytes) {
  return set_argument("cuParamSetv", function, offset, value, bytes);
}
HPML_CU_API int cuLaunch(void* function) { return launch_as_set("cuLaunch", function, 1, 1, nullptr); }
HPML_CU_API int cuLaunchGrid(void* function, int width, int height) {
  return launch_as_set("cuLaunchGrid", function, width, height, nullptr);
}
HPML_CU_API int cuLaunchGridAsync(void* function, int width, int height, void* stream) {
  return launch_as_set("cuLaunchGridAsync", function, width, height, stream);
}
