// cudaLaunchKernelExC: a launch with attributes.
#include "simulator/cudart/api/common.hpp"

namespace hpml::sim::cudart {
namespace {

struct LaunchAttribute {  // cudaLaunchAttribute: an id and a 64-byte union, in all majors
  int id;
  char pad[4];
  union {
    int flag;
    char bytes[64];
  } value;
};
static_assert(sizeof(LaunchAttribute) == 72);

struct LaunchConfig {  // cudaLaunchConfig_t
  Dim3 grid, block;
  size_t shared;
  void* stream;
  const LaunchAttribute* attributes;
  unsigned count;
};
static_assert(sizeof(LaunchConfig) == 56);

constexpr int kIgnore = 0, kAccessPolicyWindow = 1, kCooperative = 2, kPriority = 8;  // cudaLaunchAttributeID

int launch_ex(const LaunchConfig* config, const void* stub, void** arguments, void* stream) {
  bool cooperative = false;
  for (unsigned i = 0; i < config->count; ++i) {
    const LaunchAttribute& attribute = config->attributes[i];
    if (attribute.id == kCooperative) {
      cooperative = attribute.value.flag != 0;
    } else if (attribute.id != kIgnore && attribute.id != kAccessPolicyWindow && attribute.id != kPriority) {
      return api_call("cudaLaunchKernelExC", [&](Runtime&, ApiRecord&) {
        say("cudaLaunchKernelExC: a launch attribute is not supported by the simulated runtime (clusters and "
            "programmatic launches are not): remove it");
        return Error::not_supported;
      });
    }
  }
  return launch("cudaLaunchKernelExC", stub, config->grid, config->block, arguments, config->shared, stream,
                cooperative);
}

}  // namespace
}  // namespace hpml::sim::cudart

using namespace hpml::sim::cudart;  // NOLINT(google-build-using-namespace): entry points have no namespace

HPML_CUDA_API int cudaLaunchKernelExC(const void* config, const void* stub, void** arguments) {
  const auto* given = static_cast<const LaunchConfig*>(config);
  return launch_ex(given, stub, arguments, given->stream);
}
HPML_CUDA_API int cudaLaunchKernelExC_ptsz(const void* config, const void* stub, void** arguments) {
  const auto* given = static_cast<const LaunchConfig*>(config);
  return launch_ex(given, stub, arguments, per_thread(given->stream));
}
