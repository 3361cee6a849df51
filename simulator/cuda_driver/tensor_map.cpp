// Tensor maps (CUDA driver API, section "Tensor Map Object Management"): tiled ones without interleaving. The limits
// are those that the manual states for cuTensorMapEncodeTiled.
#include <cstring>

#include "simulator/cuda_driver/frame.hpp"
#include "simulator/memory/tensor_map.hpp"

namespace hpml::sim::cuda_driver {
namespace {

using memory::TensorMap;

constexpr size_t kMapBytes = 128, kMapAlignment = 64, kAddressAlignment = 16;
constexpr uint64_t kMostElements = uint64_t{1} << 32, kLargestStride = uint64_t{1} << 40;
constexpr uint32_t kLargestBox = 256, kLargestStep = 8;
constexpr int kLastType = 12;      // CU_TENSOR_MAP_DATA_TYPE_TFLOAT32_FTZ; the packed types behind it are of 10.0
constexpr int kLastSwizzle = 3;    // CU_TENSOR_MAP_SWIZZLE_128B; those of other atoms behind it are of 10.0
constexpr int kLastPromotion = 3;  // CU_TENSOR_MAP_L2_PROMOTION_L2_256B: a hint

bool is_float(memory::TensorElement type) { return type >= memory::TensorElement::f16; }

struct Dimensions {
  const uint64_t* size;
  const uint64_t* stride;  // of dimensions 1 and up
  const uint32_t* box;
  const uint32_t* step;
};

bool set_dimension(TensorMap& map, size_t d, const Dimensions& given) {
  map.size[d] = given.size[d];
  map.box[d] = static_cast<uint16_t>(given.box[d]);
  map.step[d] = static_cast<uint16_t>(d == 0 ? 1 : given.step[d]);  // dimension 0 has none
  map.stride[d] = d == 0 ? memory::bytes_of(map.element) : given.stride[d - 1];
  const bool stride_fits = d == 0 || (map.stride[d] % kAddressAlignment == 0 && map.stride[d] < kLargestStride);
  return map.size[d] != 0 && map.size[d] <= kMostElements && given.box[d] != 0 && given.box[d] <= kLargestBox &&
         given.step[d] != 0 && given.step[d] <= kLargestStep && stride_fits;
}

}  // namespace

HPML_CU_API int cuTensorMapEncodeTiled(void* out, int type, uint32_t rank, void* address, const uint64_t* sizes,
                                       const uint64_t* strides, const uint32_t* box, const uint32_t* steps,
                                       int interleave, int swizzle, int promotion, int fill) {
  return driver_call("cuTensorMapEncodeTiled", [&](Runtime&, ApiRecord&) {
    const auto at = reinterpret_cast<uint64_t>(address);
    if (out == nullptr || reinterpret_cast<uint64_t>(out) % kMapAlignment != 0 || sizes == nullptr || box == nullptr ||
        steps == nullptr || rank == 0 || rank > memory::kTensorDimensions || (rank > 1 && strides == nullptr) ||
        at % kAddressAlignment != 0 || type < 0 || swizzle < 0 || promotion < 0 || promotion > kLastPromotion) {
      return Error::invalid_value;
    }
    if (type > kLastType || swizzle > kLastSwizzle || interleave != 0) {
      return Error::not_supported;
    }
    TensorMap map;
    map.rank = static_cast<uint8_t>(rank);
    map.element = static_cast<memory::TensorElement>(type);
    map.address = at;
    map.swizzle_units = static_cast<uint8_t>(1u << swizzle);
    map.nan_outside = fill != 0;
    for (size_t d = 0; d < rank; ++d) {
      if (!set_dimension(map, d, {sizes, strides, box, steps})) {
        return Error::invalid_value;
      }
    }
    const uint64_t row = map.box[0] * memory::bytes_of(map.element);
    if (row % kAddressAlignment != 0 || (swizzle != 0 && row > kAddressAlignment << swizzle) ||
        (map.nan_outside && !is_float(map.element))) {
      return Error::invalid_value;
    }
    std::memset(out, 0, kMapBytes);
    std::memcpy(out, &map, sizeof map);
    return Error::success;
  });
}

HPML_CU_API int cuTensorMapReplaceAddress(void* out, void* address) {
  return driver_call("cuTensorMapReplaceAddress", [&](Runtime&, ApiRecord&) {
    TensorMap map;
    if (out == nullptr || reinterpret_cast<uint64_t>(address) % kAddressAlignment != 0) {
      return Error::invalid_value;
    }
    std::memcpy(&map, out, sizeof map);
    if (map.mark != memory::kTensorMapMark) {
      return Error::invalid_value;
    }
    map.address = reinterpret_cast<uint64_t>(address);
    std::memcpy(out, &map, sizeof map);
    return Error::success;
  });
}

}  // namespace hpml::sim::cuda_driver
