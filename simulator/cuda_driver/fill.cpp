// Fills with elements of one, two or four bytes.
#include "simulator/cuda_driver/frame.hpp"

namespace hpml::sim::cuda_driver {
namespace {

using cudart::FillWork;
using cudart::Waiting;

// `width` and `height` count elements and rows. The value's type is the element's.
template <class Value>
int fill(const char* name, DevicePtr dst, size_t pitch, Value value, size_t width, size_t height, void* stream,
         Waiting waiting) {
  return context_call(name, [&](Runtime& runtime, Context&, ApiRecord& record) {
    FillWork work;
    work.dst = pointer_of(dst);
    work.pitch = pitch;
    work.value = value;
    work.element = sizeof(Value);
    work.width = width;
    work.height = height;
    if (dst % sizeof(Value) != 0) {
      return Error::invalid_value;
    }
    return cudart::fill(runtime, work, stream, waiting, record);
  });
}

template <class Value>
int fill_row(const char* name, DevicePtr dst, Value value, size_t count, void* stream, Waiting waiting) {
  return fill(name, dst, count * sizeof(Value), value, count, 1, stream, waiting);
}

}  // namespace
}  // namespace hpml::sim::cuda_driver

using namespace hpml::sim::cuda_driver;  // NOLINT(google-build-using-namespace): entry points have no namespace
using hpml::sim::cudart::Waiting;

// The four forms of a fill: host waits or not, default stream of the process or of the thread.
#define HPML_FILL(bits, type)                                                                                         \
  HPML_CU_API int cuMemsetD##bits##_v2(DevicePtr dst, type value, size_t count) {                                     \
    return fill_row("cuMemsetD" #bits, dst, value, count, nullptr, Waiting::host_waits);                              \
  }                                                                                                                   \
  HPML_CU_API int cuMemsetD##bits##_v2_ptds(DevicePtr dst, type value, size_t count) {                                \
    return fill_row("cuMemsetD" #bits, dst, value, count, per_thread(nullptr), Waiting::host_waits);                  \
  }                                                                                                                   \
  HPML_CU_API int cuMemsetD##bits##Async(DevicePtr dst, type value, size_t count, void* stream) {                     \
    return fill_row("cuMemsetD" #bits "Async", dst, value, count, stream, Waiting::asynchronous);                     \
  }                                                                                                                   \
  HPML_CU_API int cuMemsetD##bits##Async_ptsz(DevicePtr dst, type value, size_t count, void* stream) {                \
    return fill_row("cuMemsetD" #bits "Async", dst, value, count, per_thread(stream), Waiting::asynchronous);         \
  }                                                                                                                   \
  HPML_CU_API int cuMemsetD2D##bits##_v2(DevicePtr dst, size_t pitch, type value, size_t width, size_t height) {      \
    return fill("cuMemsetD2D" #bits, dst, pitch, value, width, height, nullptr, Waiting::host_waits);                 \
  }                                                                                                                   \
  HPML_CU_API int cuMemsetD2D##bits##_v2_ptds(DevicePtr dst, size_t pitch, type value, size_t width, size_t height) { \
    return fill("cuMemsetD2D" #bits, dst, pitch, value, width, height, per_thread(nullptr), Waiting::host_waits);     \
  }                                                                                                                   \
  HPML_CU_API int cuMemsetD2D##bits##Async(DevicePtr dst, size_t pitch, type value, size_t width, size_t height,      \
                                           void* stream) {                                                            \
    return fill("cuMemsetD2D" #bits "Async", dst, pitch, value, width, height, stream, Waiting::asynchronous);        \
  }                                                                                                                   \
  HPML_CU_API int cuMemsetD2D##bits##Async_ptsz(DevicePtr dst, size_t pitch, type value, size_t width, size_t height, \
                                                void* stream) {                                                       \
    return fill("cuMemsetD2D" #bits "Async", dst, pitch, value, width, height, per_thread(stream),                    \
                Waiting::asynchronous);                                                                               \
  }

HPML_FILL(8, uint8_t)
HPML_FILL(16, uint16_t)
HPML_FILL(32, uint32_t)
