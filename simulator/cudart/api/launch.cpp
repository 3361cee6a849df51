// Kernel launch: the <<<>>> configuration stack, the stubs' calls, explicit and cooperative launches.
#include <fmt/format.h>

#include <cstring>

#include "simulator/cudart/api/common.hpp"

namespace hpml::sim::cudart {

FoundKernel find_kernel(Runtime& runtime, Context& context, const void* stub) {
  const RegisteredFunction* function = runtime.registry.function(stub);
  if (function == nullptr) {
    return {Error::invalid_device_function, -1};
  }
  const LoadedModule module = context.module(*function->fatbin);
  if (module.error != Error::success) {
    return {module.error, -1};
  }
  const auto kernel = context.device().find_kernel(module.id, function->name);
  return kernel ? FoundKernel{Error::success, *kernel} : FoundKernel{Error::invalid_device_function, -1};
}

namespace {

// The parameter block, laid out as the PTX declares it: sizes are the declaration's, not the host's, and nothing
// beyond the declared parameters is read (the stub of a kernel without any passes an uninitialised array).
std::vector<std::byte> parameter_block(const device::KernelInfo& info, void** arguments) {
  std::vector<std::byte> block(info.param_bytes);
  for (size_t i = 0; i < info.params.size(); ++i) {
    std::memcpy(block.data() + info.params[i].offset, arguments[i], info.params[i].size);
  }
  return block;
}

// Registers the fault of a finished kernel: the host meets it when its clock passes the kernel's end.
void record_fault(Runtime& runtime, Context& context, const device::Trap& trap, Picoseconds end) {
  say(trap.message);
  runtime.log.faults.push_back(trap.message);
  context.set_fault({error_of(trap.kind), end});
}

void execute(Runtime& runtime, Context& context, device::LaunchRequest& request, Stream& stream, Picoseconds earliest) {
  request.start = std::max(earliest, context.timeline().ready(stream));
  device::LaunchResult result = context.device().launch(request);
  const Span span = context.timeline().enqueue(stream, Engine::compute, result.duration, earliest);
  runtime.log.kernels.push_back({std::move(result.record), span, stream.id, context.ordinal()});
  say_findings(context);
  if (!result.output.empty()) {
    context.output.push_back({span.end, std::move(result.output)});
  }
  if (result.trap) {
    record_fault(runtime, context, *result.trap, span.end);
  }
}

Error checked_launch(Runtime& runtime, Context& context, const void* stub, device::LaunchRequest request,
                     void** arguments, void* stream_handle, ApiRecord& record) {
  const FoundKernel kernel = find_kernel(runtime, context, stub);
  if (kernel.error != Error::success) {
    return kernel.error;
  }
  request.kernel = kernel.id;
  record.detail = context.device().kernel(kernel.id).name;
  Stream* stream = context.stream(stream_handle);
  if (stream == nullptr) {
    return Error::invalid_resource_handle;
  }
  const Error error = error_of(context.device().check_launch(request));
  if (error != Error::success) {
    return error;
  }
  const std::vector<std::byte> block = parameter_block(context.device().kernel(kernel.id), arguments);
  request.params = block;
  const Picoseconds called = runtime.clock.now();
  runtime.clock.advance(context.device().api_cost(device::ApiCost::launch, 0));
  if (!context.faulted()) {  // work queued behind a fault is never started
    execute(runtime, context, request, *stream,
            called + context.device().api_cost(device::ApiCost::launch_to_start, 0));
  }
  return Error::success;
}

}  // namespace

int launch(const char* name, const void* stub, Dim3 grid, Dim3 block, void** arguments, size_t shared, void* stream,
           bool cooperative) {
  return device_call(name, [&](Runtime& runtime, Context& context, ApiRecord& record) {
    if (shared > UINT32_MAX) {
      return Error::invalid_value;
    }
    device::LaunchRequest request;
    request.grid = grid;
    request.block = block;
    request.dynamic_shared = static_cast<uint32_t>(shared);
    request.cooperative = cooperative;
    return checked_launch(runtime, context, stub, request, arguments, stream, record);
  });
}

}  // namespace hpml::sim::cudart

using namespace hpml::sim::cudart;  // NOLINT(google-build-using-namespace): entry points have no namespace

// Returns 0 or the launch is skipped by the caller's code.
HPML_CUDA_API unsigned __cudaPushCallConfiguration(Dim3 grid, Dim3 block, size_t shared, void* stream) {
  this_thread().configurations.push_back({grid, block, shared, stream});
  return 0;
}

HPML_CUDA_API int __cudaPopCallConfiguration(Dim3* grid, Dim3* block, size_t* shared, void* stream) {
  auto& stack = this_thread().configurations;
  if (stack.empty()) {
    return static_cast<int>(Error::missing_configuration);
  }
  *grid = stack.back().grid;
  *block = stack.back().block;
  *shared = stack.back().shared;
  *static_cast<void**>(stream) = stack.back().stream;
  stack.pop_back();
  return 0;
}

HPML_CUDA_API int cudaLaunchKernel(const void* stub, Dim3 grid, Dim3 block, void** arguments, size_t shared,
                                   void* stream) {
  return launch("cudaLaunchKernel", stub, grid, block, arguments, shared, stream, false);
}
HPML_CUDA_API int cudaLaunchKernel_ptsz(const void* stub, Dim3 grid, Dim3 block, void** arguments, size_t shared,
                                        void* stream) {
  return launch("cudaLaunchKernel", stub, grid, block, arguments, shared, per_thread(stream), false);
}
HPML_CUDA_API int cudaLaunchCooperativeKernel(const void* stub, Dim3 grid, Dim3 block, void** arguments, size_t shared,
                                              void* stream) {
  return launch("cudaLaunchCooperativeKernel", stub, grid, block, arguments, shared, stream, true);
}
HPML_CUDA_API int cudaLaunchCooperativeKernel_ptsz(const void* stub, Dim3 grid, Dim3 block, void** arguments,
                                                   size_t shared, void* stream) {
  return launch("cudaLaunchCooperativeKernel", stub, grid, block, arguments, shared, per_thread(stream), true);
}

// CUDA 13: a kernel handle stands for the stub; here it is the stub's address itself.
HPML_CUDA_API int __cudaGetKernel(const void** kernel, const void* stub) {
  *kernel = stub;
  return 0;
}
HPML_CUDA_API int cudaGetKernel(const void** kernel, const void* stub) {
  return api_call("cudaGetKernel", [&](Runtime& runtime, ApiRecord&) {
    if (kernel == nullptr || runtime.registry.function(stub) == nullptr) {
      return kernel == nullptr ? Error::invalid_value : Error::invalid_device_function;
    }
    *kernel = stub;
    return Error::success;
  });
}
HPML_CUDA_API int __cudaLaunchKernel(const void* kernel, Dim3 grid, Dim3 block, void** arguments, size_t shared,
                                     void* stream) {
  return launch("cudaLaunchKernel", kernel, grid, block, arguments, shared, stream, false);
}
HPML_CUDA_API int __cudaLaunchKernel_ptsz(const void* kernel, Dim3 grid, Dim3 block, void** arguments, size_t shared,
                                          void* stream) {
  return launch("cudaLaunchKernel", kernel, grid, block, arguments, shared, per_thread(stream), false);
}
