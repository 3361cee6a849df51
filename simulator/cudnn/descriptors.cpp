#include "simulator/cudnn/descriptors.hpp"

namespace hpml::sim::cudnn {

int64_t Tensor::extent() const {
  if (count() == 0) {
    return 0;
  }
  int64_t last = 0;
  for (size_t i = 0; i < dims.size(); ++i) {
    last += (dims[i] - 1) * strides[i];
  }
  return last + 1;
}

std::optional<Element> element_of(int data_type) {
  switch (data_type) {
    case 0: return Element::f32;
    case 1: return Element::f64;
    case 2: return Element::f16;
    case 9: return Element::bf16;
    default: return std::nullopt;
  }
}

int data_type_of(Element element) {
  switch (element) {
    case Element::f32: return 0;
    case Element::f64: return 1;
    case Element::f16: return 2;
    case Element::bf16: break;
  }
  return 9;
}

std::array<int64_t, 4> packed_strides(const std::array<int, 4>& d, Format format) {
  const int64_t plane = int64_t{d[2]} * d[3];
  if (format == Format::nchw) {
    return {d[1] * plane, plane, d[3], 1};
  }
  return {d[1] * plane, 1, int64_t{d[3]} * d[1], d[1]};
}

}  // namespace hpml::sim::cudnn
