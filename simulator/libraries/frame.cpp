#include "simulator/libraries/frame.hpp"

#include <fmt/format.h>

namespace hpml::sim::libraries {

void* device_data(Runtime& runtime, const ApiRecord& call, const char* what, const void* pointer, uint64_t bytes) {
  cudart::Place place;
  if (cudart::locate(runtime, pointer, bytes, place) && place.allocation != nullptr) {
    return place.data;
  }
  const char* const why = pointer == nullptr            ? "is null"
                          : place.allocation == nullptr ? "is not memory of the GPU (cudaMalloc)"
                                                        : "is too small";
  cudart::say(fmt::format("{}: {} {}: {} bytes are needed", call.name, what, why, bytes));
  return nullptr;
}

void* any_data(Runtime& runtime, void* pointer, uint64_t bytes) {
  cudart::Place place;
  return cudart::locate(runtime, pointer, bytes, place) ? place.data : nullptr;
}

Error launch(Runtime& runtime, Context& context, const void* stream, LibraryWork work) {
  if (work.operation.name.empty()) {  // who cannot do it again must be able to say what
    work.operation.name = cudart::this_thread().asked_as;
  }
  const cudart::StreamRef to = runtime.stream(stream);
  if (to.stream == nullptr || to.context != &context) {
    return Error::invalid_resource_handle;
  }
  const auto cost = [&](device::ApiCost what) { return context.device().api_cost(what, 0); };
  const device::Picoseconds called = runtime.clock.now();
  runtime.clock.advance(cost(device::ApiCost::launch));
  cudart::Span span{};
  return cudart::issue(runtime, to, std::move(work), called + cost(device::ApiCost::launch_to_start), span);
}

Error wait(Runtime& runtime, Context& context, const void* stream) {
  const cudart::StreamRef to = runtime.stream(stream);
  return to.stream != nullptr ? context.wait_until(context.timeline().ready(*to.stream))
                              : Error::invalid_resource_handle;
}

void say_not_supported(const std::string& what) { cudart::say("not supported: " + what); }

// Names of the real library that this one lacks: each is a generated function that ends here.
int not_supported(const char* name, int status);
int not_supported(const char* name, int status) {
  say_not_supported(fmt::format("{}, which the simulated library does not have", name));
  return status;
}

}  // namespace hpml::sim::libraries
