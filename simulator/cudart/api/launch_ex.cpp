// cudaLaunchKernelExC: a launch with attributes.
#include <fmt/format.h>

#include "simulator/cudart/api/launch_attribute.hpp"

namespace hpml::sim::cudart {
namespace {

// cudaLaunchAttributeID. An event or a node that device code would use cannot be given here.
const char* unsupported(int id) {
  switch (id) {
    case 7: return "cudaLaunchAttributeProgrammaticEvent";
    case 12: return "cudaLaunchAttributeLaunchCompletionEvent";
    case 13: return "cudaLaunchAttributeDeviceUpdatableKernelNode";
    default: return nullptr;
  }
}

bool is_known(int id) {
  constexpr int kLast = 16, kUnused = 15;
  return id >= 0 && id <= kLast && id != kUnused;
}

bool is_one(const LaunchAttributeValue& value) {
  return value.cluster[0] == 1 && value.cluster[1] == 1 && value.cluster[2] == 1;
}

}  // namespace

Error check_attribute(const char* call, int id, const LaunchAttributeValue& value) {
  constexpr int kPreferredCluster = 11;
  if (!is_known(id)) {
    return Error::invalid_value;
  }
  if ((id == kAttributeClusterDimension || id == kPreferredCluster) && !is_one(value)) {
    say(
        fmt::format("{}: thread block clusters of {}x{}x{} blocks are not supported by the simulated runtime: use "
                    "clusters of one block, or run on a real GPU",
                    call, value.cluster[0], value.cluster[1], value.cluster[2]));
    return Error::not_supported;
  }
  if (const char* name = unsupported(id); name != nullptr) {
    say(fmt::format("{}: {} is not supported by the simulated runtime: remove it", call, name));
    return Error::not_supported;
  }
  return Error::success;
}

namespace {

// The attributes' verdict, and whether one of them makes the launch cooperative.
Error read_attributes(const LaunchConfig& config, bool& cooperative) {
  for (unsigned i = 0; i < config.count; ++i) {
    const LaunchAttribute& attribute = config.attributes[i];
    const Error error = check_attribute("cudaLaunchKernelExC", attribute.id, attribute.value);
    if (error != Error::success) {
      return error;
    }
    cooperative = attribute.id == kAttributeCooperative ? attribute.value.flag != 0 : cooperative;
  }
  return Error::success;
}

int launch_ex(const LaunchConfig* config, const void* stub, void** arguments, bool per_thread_default) {
  bool cooperative = false;
  const Error error = config != nullptr ? read_attributes(*config, cooperative) : Error::invalid_value;
  if (error != Error::success) {
    return api_call("cudaLaunchKernelExC", [&](Runtime&, ApiRecord&) { return error; });
  }
  void* stream = per_thread_default ? per_thread(config->stream) : config->stream;
  return launch("cudaLaunchKernelExC",
                {stub, config->grid, config->block, arguments, config->shared, stream, cooperative});
}

}  // namespace
}  // namespace hpml::sim::cudart

using namespace hpml::sim::cudart;  // NOLINT(google-build-using-namespace): entry points have no namespace

HPML_CUDA_API int cudaLaunchKernelExC(const void* config, const void* stub, void** arguments) {
  return launch_ex(static_cast<const LaunchConfig*>(config), stub, arguments, false);
}
HPML_CUDA_API int cudaLaunchKernelExC_ptsz(const void* config, const void* stub, void** arguments) {
  return launch_ex(static_cast<const LaunchConfig*>(config), stub, arguments, true);
}
