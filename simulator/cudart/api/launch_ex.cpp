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

}  // namespace

Error check_attribute(const char* call, int id) {
  if (!is_known(id)) {
    return Error::invalid_value;
  }
  if (const char* name = unsupported(id); name != nullptr) {
    say(fmt::format("{}: {} is not supported by the simulated runtime: remove it", call, name));
    return Error::not_supported;
  }
  return Error::success;
}

std::optional<Dim3> cluster_of(const LaunchAttributeValue& value) {
  const auto& c = value.cluster;
  return c[0] == 0 && c[1] == 0 && c[2] == 0 ? std::nullopt : std::optional(Dim3{.x = c[0], .y = c[1], .z = c[2]});
}

Error read_attributes(const char* call, const LaunchConfig& config, MeaningfulAttributes& meant) {
  for (unsigned i = 0; i < config.count; ++i) {
    const LaunchAttribute& attribute = config.attributes[i];
    if (const Error error = check_attribute(call, attribute.id); error != Error::success) {
      return error;
    }
    if (attribute.id == kAttributeCooperative) {
      meant.cooperative = attribute.value.flag != 0;
    } else if (attribute.id == kAttributeClusterDimension) {
      meant.cluster = cluster_of(attribute.value);
    }
  }
  return Error::success;
}

namespace {

int launch_ex(const LaunchConfig* config, const void* stub, void** arguments, bool per_thread_default) {
  MeaningfulAttributes meant;
  const Error error = config != nullptr ? read_attributes("cudaLaunchKernelExC", *config, meant) : Error::invalid_value;
  if (error != Error::success) {
    return api_call("cudaLaunchKernelExC", [&](Runtime&, ApiRecord&) { return error; });
  }
  void* stream = per_thread_default ? per_thread(config->stream) : config->stream;
  return launch("cudaLaunchKernelExC", {stub, config->grid, config->block, arguments, config->shared, stream,
                                        meant.cooperative, meant.cluster});
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
