// Image pyramids (mipmapped arrays): the runtime's, described in the driver's words.
#include "simulator/cuda_driver/array.hpp"
#include "simulator/cuda_driver/frame.hpp"

using namespace hpml::sim::cuda_driver;  // NOLINT(google-build-using-namespace): entry points have no namespace

HPML_CU_API int cuMipmappedArrayCreate(void** pyramid, const Array3DDescriptor* what, unsigned levels) {
  return forward("cuMipmappedArrayCreate", [&] {
    const auto format = what != nullptr ? channels_of(what->format, what->channels) : std::nullopt;
    return format ? cudaMallocMipmappedArray(pyramid, &*format, {what->width, what->height, what->depth}, levels,
                                             what->flags)
                  : static_cast<int>(Error::invalid_value);
  });
}
HPML_CU_API int cuMipmappedArrayGetLevel(void** array, void* pyramid, unsigned level) {
  return forward("cuMipmappedArrayGetLevel", [&] { return cudaGetMipmappedArrayLevel(array, pyramid, level); });
}
HPML_CU_API int cuMipmappedArrayDestroy(void* pyramid) {
  return forward("cuMipmappedArrayDestroy", [&] { return cudaFreeMipmappedArray(pyramid); });
}
