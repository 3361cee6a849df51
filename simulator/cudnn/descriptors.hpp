#pragma once
// What the program's descriptors hold. A handle or descriptor is the address of one of these.
#include <array>
#include <cstdint>
#include <optional>

#include "simulator/cudnn/status.hpp"
#include "simulator/libraries/element.hpp"

namespace hpml::sim::cudnn {

using libraries::Element;

struct Handle {
  void* stream = nullptr;
};

// Dimensions in the order N, C, H, W whatever the memory format; the strides say where the elements lie.
struct Tensor {
  bool set = false;
  Element type = Element::f32;
  std::array<int, 4> dims = {0, 0, 0, 0};
  std::array<int64_t, 4> strides = {0, 0, 0, 0};
  int rank = 4;

  int64_t count() const { return int64_t{dims[0]} * dims[1] * dims[2] * dims[3]; }
  int64_t extent() const;  // elements from the first to behind the last
  uint64_t bytes() const { return static_cast<uint64_t>(extent()) * libraries::size_of(type); }
  bool same_shape(const Tensor& other) const { return dims == other.dims; }
};

struct Filter : Tensor {};  // K, C / groups, R, S

struct Convolution {
  bool set = false;
  int pad_h = 0, pad_w = 0, stride_h = 1, stride_w = 1, dilation_h = 1, dilation_w = 1;
  bool cross_correlation = false;
  Element compute = Element::f32;
  int groups = 1;
  int math_type = 0;  // cudnnMathType_t
  int reorder_type = 0;
};

struct Pooling {
  bool set = false;
  int mode = 0, nan = 0;
  int window_h = 1, window_w = 1, pad_h = 0, pad_w = 0, stride_h = 1, stride_w = 1;
};

struct Activation {
  bool set = false;
  int mode = 0, nan = 0;
  double coefficient = 0, swish_beta = 1;
};

// cudnnDataType_t; none: a type that this library does not compute with.
std::optional<Element> element_of(int data_type);
int data_type_of(Element element);

enum class Format : int { nchw = 0, nhwc = 1 };
// Strides of a packed array of these dimensions.
std::array<int64_t, 4> packed_strides(const std::array<int, 4>& dims, Format format);

}  // namespace hpml::sim::cudnn
