#pragma once
// The frame of calls about one kernel.
#include "simulator/cudart/api/common.hpp"

namespace hpml::sim::cudart {

// `body(Runtime&, Context&, KernelId) -> Error`
template <class Body>
int kernel_call(const char* name, const void* stub, Body body) {
  return device_call(name, [&](Runtime& runtime, Context& context, ApiRecord& record) {
    const FoundKernel kernel = find_kernel(runtime, context, stub);
    if (kernel.error != Error::success) {
      return kernel.error;
    }
    record.detail = context.device().kernel(kernel.id).name;
    runtime.clock.advance(context.device().api_cost(device::ApiCost::query, 0));
    return body(runtime, context, kernel.id);
  });
}

}  // namespace hpml::sim::cudart
