// Kernel launches.
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "simulator/cuda_driver/frame.hpp"
#include "simulator/cuda_driver/launch_config.hpp"

namespace hpml::sim::cuda_driver {
namespace {

using device::Dim3;

// CU_LAUNCH_PARAM_*
constexpr uintptr_t kEnd = 0, kBufferPointer = 1, kBufferSize = 2;

struct Buffer {
  std::byte* data = nullptr;
  const size_t* size = nullptr;
};

// `extra`: names and values in turn, up to kEnd.
Error read_extra(void** extra, Buffer& buffer) {
  for (void** at = extra; reinterpret_cast<uintptr_t>(*at) != kEnd; at += 2) {
    switch (reinterpret_cast<uintptr_t>(at[0])) {
      case kBufferPointer: buffer.data = static_cast<std::byte*>(at[1]); break;
      case kBufferSize: buffer.size = static_cast<const size_t*>(at[1]); break;
      default: return Error::invalid_value;
    }
  }
  return Error::success;
}

struct Arguments {
  std::vector<void*> pointers;    // one for each parameter
  std::vector<std::byte> filled;  // a parameter buffer that the program gave too short, and zeros
};

// A driver does not check the size: what the buffer lacks is undefined on a GPU.
std::byte* whole_buffer(const Buffer& buffer, const std::string& kernel, size_t wanted, Arguments& arguments) {
  if (*buffer.size >= wanted) {
    return buffer.data;
  }
  cudart::say(
      fmt::format("the parameter buffer of {} has {} bytes, its parameters take {}: the others are zero here and "
                  "undefined on a GPU",
                  kernel, *buffer.size, wanted));
  arguments.filled.assign(wanted, std::byte{0});
  std::copy_n(buffer.data, *buffer.size, arguments.filled.begin());
  return arguments.filled.data();
}

// Where the arguments are: one pointer each, or a block laid out as the kernel declares its parameters.
Error arguments_of(const void* function, void** parameters, void** extra, Arguments& arguments) {
  Runtime& runtime = Runtime::get();
  Error error = Error::success;
  Context* context = runtime.context(error);
  if (context == nullptr) {
    return error;
  }
  const cudart::FoundKernel found = cudart::find_kernel(runtime, *context, function);
  if (found.error != Error::success) {
    return found.error;
  }
  const device::KernelInfo& info = context->device().kernel(found.id);
  if (parameters != nullptr && extra != nullptr) {
    return Error::invalid_value;
  }
  if (extra == nullptr) {
    if (parameters == nullptr && !info.params.empty()) {
      return Error::invalid_value;
    }
    arguments.pointers.assign(parameters, parameters != nullptr ? parameters + info.params.size() : nullptr);
    return Error::success;
  }
  Buffer buffer;
  error = read_extra(extra, buffer);
  if (error != Error::success || info.params.empty()) {
    return error;
  }
  const device::KernelParam& last = info.params.back();
  if (buffer.data == nullptr || buffer.size == nullptr) {
    return Error::invalid_value;
  }
  std::byte* const data = whole_buffer(buffer, info.name, last.offset + last.size, arguments);
  for (const device::KernelParam& param : info.params) {
    arguments.pointers.push_back(data + param.offset);
  }
  return Error::success;
}

// `call(void** arguments) -> int`, which does not find the runtime locked: the kernel may wait for the host.
template <class Call>
int launch_call(const char* name, const void* function, void** parameters, void** extra, Call call) {
  Arguments arguments;
  bool ready = false;
  const int result = forward(name, [&] {
    const Error error = arguments_of(function, parameters, extra, arguments);
    ready = error == Error::success;
    return ready ? 0 : cudart::api_call(name, [&](Runtime&, ApiRecord&) { return error; });
  });
  if (!ready) {
    return result;
  }
  const AskedAs asked(name);
  const bool before = std::exchange(this_thread().asked_unlocked, true);
  const int error = call(arguments.pointers.data());
  this_thread().asked_unlocked = before;
  return result_of(error);
}

int launch_ex(const LaunchConfig* config, void* function, void** parameters, void** extra, bool per_thread_default) {
  if (config == nullptr) {
    return forward("cuLaunchKernelEx", [] { return static_cast<int>(Error::invalid_value); });
  }
  return launch_call("cuLaunchKernelEx", function, parameters, extra, [&](void** arguments) {
    RuntimeLaunchConfig same = as_runtime(*config);
    same.stream = per_thread_default ? per_thread(config->stream) : config->stream;
    return cudaLaunchKernelExC(&same, function, arguments);
  });
}

}  // namespace
}  // namespace hpml::sim::cuda_driver

using namespace hpml::sim::cuda_driver;  // NOLINT(google-build-using-namespace): entry points have no namespace

HPML_CU_API int cuLaunchKernel(void* function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x,
                               unsigned block_y, unsigned block_z, unsigned shared, void* stream, void** parameters,
                               void** extra) {
  return launch_call("cuLaunchKernel", function, parameters, extra, [&](void** arguments) {
    return cudaLaunchKernel(function, {grid_x, grid_y, grid_z}, {block_x, block_y, block_z}, arguments, shared, stream);
  });
}
HPML_CU_API int cuLaunchKernel_ptsz(void* function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x,
                                    unsigned block_y, unsigned block_z, unsigned shared, void* stream,
                                    void** parameters, void** extra) {
  return cuLaunchKernel(function, grid_x, grid_y, grid_z, block_x, block_y, block_z, shared, per_thread(stream),
                        parameters, extra);
}
HPML_CU_API int cuLaunchCooperativeKernel(void* function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                                          unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared,
                                          void* stream, void** parameters) {
  return launch_call("cuLaunchCooperativeKernel", function, parameters, nullptr, [&](void** arguments) {
    return cudaLaunchCooperativeKernel(function, {grid_x, grid_y, grid_z}, {block_x, block_y, block_z}, arguments,
                                       shared, stream);
  });
}
HPML_CU_API int cuLaunchCooperativeKernel_ptsz(void* function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                                               unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared,
                                               void* stream, void** parameters) {
  return cuLaunchCooperativeKernel(function, grid_x, grid_y, grid_z, block_x, block_y, block_z, shared,
                                   per_thread(stream), parameters);
}
HPML_CU_API int cuLaunchKernelEx(const LaunchConfig* config, void* function, void** parameters, void** extra) {
  return launch_ex(config, function, parameters, extra, false);
}
HPML_CU_API int cuLaunchKernelEx_ptsz(const LaunchConfig* config, void* function, void** parameters, void** extra) {
  return launch_ex(config, function, parameters, extra, true);
}
HPML_CU_API int cuLaunchHostFunc(void* stream, void (*function)(void*), void* data) {
  return forward("cuLaunchHostFunc", [&] { return cudaLaunchHostFunc(stream, function, data); });
}
HPML_CU_API int cuLaunchHostFunc_ptsz(void* stream, void (*function)(void*), void* data) {
  return cuLaunchHostFunc(per_thread(stream), function, data);
}
