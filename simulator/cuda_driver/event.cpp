// Events: the runtime's, by the same handles.
#include "simulator/cuda_driver/frame.hpp"
#include "simulator/cuda_driver/owned.hpp"

namespace hpml::sim::cuda_driver {
namespace {

int record(const char* name, void* event, void* stream, unsigned flags) {
  return forward(name, [&] { return cudaEventRecordWithFlags(event, stream, flags); });
}

int destroy(void* event) {
  return gone(OwnedKind::event, event, forward("cuEventDestroy", [&] { return cudaEventDestroy(event); }));
}

int elapsed(float* milliseconds, void* start, void* end) {
  return forward("cuEventElapsedTime", [&] { return cudaEventElapsedTime(milliseconds, start, end); });
}

}  // namespace
}  // namespace hpml::sim::cuda_driver

using namespace hpml::sim::cuda_driver;  // NOLINT(google-build-using-namespace): entry points have no namespace

HPML_CU_API int cuEventCreate(void** event, unsigned flags) {
  return made(OwnedKind::event, event,
              forward("cuEventCreate", [&] { return cudaEventCreateWithFlags(event, flags); }));
}
HPML_CU_API int cuEventDestroy(void* event) { return destroy(event); }
HPML_CU_API int cuEventDestroy_v2(void* event) { return destroy(event); }
HPML_CU_API int cuEventRecord(void* event, void* stream) { return record("cuEventRecord", event, stream, 0); }
HPML_CU_API int cuEventRecord_ptsz(void* event, void* stream) {
  return record("cuEventRecord", event, per_thread(stream), 0);
}
HPML_CU_API int cuEventRecordWithFlags(void* event, void* stream, unsigned flags) {
  return record("cuEventRecordWithFlags", event, stream, flags);
}
HPML_CU_API int cuEventRecordWithFlags_ptsz(void* event, void* stream, unsigned flags) {
  return record("cuEventRecordWithFlags", event, per_thread(stream), flags);
}
HPML_CU_API int cuEventQuery(void* event) {
  return forward("cuEventQuery", [&] { return cudaEventQuery(event); });
}
HPML_CU_API int cuEventSynchronize(void* event) {
  return forward("cuEventSynchronize", [&] { return cudaEventSynchronize(event); });
}
HPML_CU_API int cuEventElapsedTime(float* milliseconds, void* start, void* end) {
  return elapsed(milliseconds, start, end);
}
HPML_CU_API int cuEventElapsedTime_v2(float* milliseconds, void* start, void* end) {
  return elapsed(milliseconds, start, end);
}
