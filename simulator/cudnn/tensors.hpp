#pragma once
// Loops over the elements of tensors, and the scaling by alpha and beta that every cuDNN function applies to its
// result.
#include "simulator/cudnn/entry.hpp"

namespace hpml::sim::cudnn {

using Position = std::array<int64_t, 4>;

inline int64_t at(const Tensor& t, const Position& p) {
  int64_t index = 0;
  for (size_t i = 0; i < p.size(); ++i) {
    index += (t.dims[i] == 1 ? 0 : p[i]) * t.strides[i];  // a dimension of one is repeated
  }
  return index;
}

template <class F>
void for_each(const std::array<int, 4>& dims, F f) {
  for (int64_t n = 0; n < dims[0]; ++n) {
    for (int64_t c = 0; c < dims[1]; ++c) {
      for (int64_t h = 0; h < dims[2]; ++h) {
        for (int64_t w = 0; w < dims[3]; ++w) {
          f(Position{n, c, h, w});
        }
      }
    }
  }
}
template <class F>
void for_each(const Tensor& t, F f) {
  for_each(t.dims, f);
}

// A tensor and its elements, found in the device's memory.
struct Array {
  Tensor shape;
  void* data = nullptr;

  double get(const Position& p) const { return libraries::load(shape.type, data, at(shape, p)); }
  void set(const Position& p, double value) const { libraries::store(shape.type, data, at(shape, p), value); }
};

// y = alpha * value + beta * y. With beta = 0, y is not read: it may hold anything.
struct Blend {
  double alpha = 1, beta = 0;
  void into(const Array& to, const Position& p, double value) const {
    to.set(p, alpha * value + (beta != 0 ? beta * to.get(p) : 0));
  }
};

// Finds the arrays of a call; the first that is missing decides its status.
class Finder {
 public:
  explicit Finder(const Call& call) : call_(call) {}
  Array operator()(const char* what, const Tensor* shape, const void* pointer) {
    if (shape == nullptr || !shape->set) {
      status_ = status_ == kSuccess ? (shape == nullptr ? kNullPointer : kBadParam) : status_;
      return {};
    }
    Array found{*shape, status_ == kSuccess ? call_.data(what, pointer, *shape) : nullptr};
    status_ = status_ == kSuccess && found.data == nullptr ? kBadParam : status_;
    return found;
  }
  Blend blend(const void* alpha, const void* beta, const Tensor* of) {
    if (alpha == nullptr || beta == nullptr || of == nullptr) {
      status_ = status_ == kSuccess ? kNullPointer : status_;
      return {};
    }
    return {Call::scalar(alpha, of->type), Call::scalar(beta, of->type)};
  }
  Status status() const { return status_; }

 private:
  const Call& call_;
  Status status_ = kSuccess;
};

}  // namespace hpml::sim::cudnn
