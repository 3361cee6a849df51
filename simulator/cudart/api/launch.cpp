// Kernel launch: the <<<>>> configuration stack, the stubs' calls, explicit and cooperative launches.
#include <utility>

#include "simulator/cudart/api/common.hpp"
#include "simulator/cudart/runtime/launch_thread.hpp"

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

// Said once per message: programs try launches in loops.
void explain(Context& context, const KernelWork& work) {
  const std::string why = context.device().explain(request_of(work));
  if (!why.empty() && context.told.insert(why).second) {
    say(why);
  }
}

Error checked_launch(Runtime& runtime, Context& context, const LaunchArguments& asked, ApiRecord& record) {
  const FoundKernel found = find_kernel(runtime, context, asked.stub);
  if (found.error != Error::success) {
    return found.error;
  }
  const device::KernelInfo& info = context.device().kernel(found.id);
  record.detail = info.name;
  const StreamRef to = runtime.stream(asked.stream);
  if (to.context != &context) {
    return Error::invalid_resource_handle;
  }
  KernelWork work{.function = asked.stub,
                  .kernel = found.id,
                  .grid = asked.grid,
                  .block = asked.block,
                  .cluster = asked.cluster,
                  .dynamic_shared = static_cast<uint32_t>(asked.shared),
                  .cooperative = asked.cooperative,
                  .params = {}};
  take_cluster_settings(context.function_settings[found.id], work);
  if (const Error error = check(context, work); error != Error::success) {
    explain(context, work);
    return error;
  }
  work.params = parameter_block(info, asked.arguments);
  const Picoseconds called = runtime.clock.now();
  runtime.clock.advance(context.device().api_cost(device::ApiCost::launch, 0));
  LaunchThread::get().arguments_read();
  Span span{};
  return issue(runtime, to, std::move(work), called + context.device().api_cost(device::ApiCost::launch_to_start, 0),
               span);
}

// The driver's entry points but for launches, and host functions, hold the lock already.
bool holds_lock(const ThreadState& thread) {
  return thread.inside > 0 || (thread.asked_as != nullptr && !thread.asked_unlocked) || thread.in_host_function;
}

// With pinned memory alone every launch may; with managed memory, which many programs have, those of kernels that look
// for what others write.
bool may_wait_for_host(const void* stub) {
  const ThreadState& thread = this_thread();
  if (holds_lock(thread)) {
    return false;
  }
  Runtime& runtime = Runtime::get();
  const std::lock_guard lock(runtime.mutex);
  Context* const context = runtime.started(thread.device);
  if (context == nullptr) {
    return false;
  }
  const Context::HostSharing shared = host_sharing(*context);
  if (!shared.managed) {
    return shared.pinned;
  }
  const FoundKernel found = find_kernel(runtime, *context, stub);
  return found.error == Error::success && context->device().kernel(found.id).asks_host;
}

int launch_here(const char* name, const LaunchArguments& asked) {
  const bool by_brackets = std::exchange(this_thread().launches_by_brackets, false);
  return device_call(name, [&](Runtime& runtime, Context& context, ApiRecord& record) {
    const Error error =
        asked.shared > UINT32_MAX ? Error::invalid_value : checked_launch(runtime, context, asked, record);
    if (error != Error::success && by_brackets) {
      runtime.log.unasked_launch_error = error;
    }
    return error;
  });
}

}  // namespace

int launch(const char* name, const LaunchArguments& asked) {
  return may_wait_for_host(asked.stub) ? LaunchThread::get().run([name, asked] { return launch_here(name, asked); })
                                       : launch_here(name, asked);
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
  this_thread().launches_by_brackets = true;
  return 0;
}

HPML_CUDA_API int cudaLaunchKernel(const void* stub, Dim3 grid, Dim3 block, void** arguments, size_t shared,
                                   void* stream) {
  return launch("cudaLaunchKernel", {stub, grid, block, arguments, shared, stream, false});
}
HPML_CUDA_API int cudaLaunchKernel_ptsz(const void* stub, Dim3 grid, Dim3 block, void** arguments, size_t shared,
                                        void* stream) {
  return launch("cudaLaunchKernel", {stub, grid, block, arguments, shared, per_thread(stream), false});
}
HPML_CUDA_API int cudaLaunchCooperativeKernel(const void* stub, Dim3 grid, Dim3 block, void** arguments, size_t shared,
                                              void* stream) {
  return launch("cudaLaunchCooperativeKernel", {stub, grid, block, arguments, shared, stream, true});
}
HPML_CUDA_API int cudaLaunchCooperativeKernel_ptsz(const void* stub, Dim3 grid, Dim3 block, void** arguments,
                                                   size_t shared, void* stream) {
  return launch("cudaLaunchCooperativeKernel", {stub, grid, block, arguments, shared, per_thread(stream), true});
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
  return launch("cudaLaunchKernel", {kernel, grid, block, arguments, shared, stream, false});
}
HPML_CUDA_API int __cudaLaunchKernel_ptsz(const void* kernel, Dim3 grid, Dim3 block, void** arguments, size_t shared,
                                          void* stream) {
  return launch("cudaLaunchKernel", {kernel, grid, block, arguments, shared, per_thread(stream), false});
}
