// cudaProfilerStart and cudaProfilerStop: what is in metrics.json.
#include "simulator/cudart/api/common.hpp"

using namespace hpml::sim::cudart;  // NOLINT(google-build-using-namespace): entry points have no namespace

HPML_CUDA_API int cudaProfilerStart() {
  return device_call("cudaProfilerStart", [](Runtime& runtime, Context&, ApiRecord&) {
    runtime.log.start_recording();
    return Error::success;
  });
}
HPML_CUDA_API int cudaProfilerStop() {
  return device_call("cudaProfilerStop", [](Runtime& runtime, Context&, ApiRecord&) {
    runtime.log.stop_recording();
    return Error::success;
  });
}
