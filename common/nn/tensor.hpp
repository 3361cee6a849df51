#pragma once
// Shapes, views and owning tensors. Every activation is NHWC (image, row, column, channel; channels contiguous) and
// dense: element (n, h, w, c) lies at ((n*H + h)*W + w)*C + c. Other things use the same four extents:
//   vectors (bias, gamma)      1 x 1 x 1 x C
//   features of a linear layer N x 1 x 1 x C
//   convolution weights        K x K x CI x CO (HWIO: filter row, filter column, input channel, output channel)
//   linear weights             1 x 1 x IN x OUT
//   sequences                  T x B x 1 x H (time-major)
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <type_traits>

namespace hpml::nn {

struct Shape {
  int n = 1, h = 1, w = 1, c = 1;

  int64_t size() const { return int64_t{n} * h * w * c; }
  int64_t image_size() const { return int64_t{h} * w * c; }
  Shape with_n(int images) const { return {images, h, w, c}; }
  std::string to_string() const;  // "32x8x8x256"
  bool operator==(const Shape&) const = default;
};

// A typed pointer with a shape; does not own. Default-constructed = empty ("not wanted", "absent").
template <class T>
struct View {
  T* data = nullptr;
  Shape shape{0, 0, 0, 0};

  bool empty() const { return data == nullptr; }
  int64_t size() const { return shape.size(); }
  std::span<T> span() const { return {data, static_cast<size_t>(size())}; }
  T& operator[](int64_t i) const { return data[i]; }
  T& at(int n, int h, int w, int c) const { return data[((int64_t{n} * shape.h + h) * shape.w + w) * shape.c + c]; }
  // Images first .. first + count - 1.
  View images(int first, int count) const { return {data + first * shape.image_size(), shape.with_n(count)}; }

  operator View<const T>() const requires(!std::is_const_v<T>) {
    return {data, shape};
  }  // NOLINT(google-explicit-constructor)
};

// Owns zero-initialised elements, aligned to 64 bytes (a cache line, an AVX-512 vector). Moving keeps the address.
template <class T>
class BasicTensor {
 public:
  BasicTensor() = default;
  explicit BasicTensor(Shape shape);

  Shape shape() const { return shape_; }
  int64_t size() const { return data_ ? shape_.size() : 0; }
  T* data() const { return data_.get(); }
  View<T> view() const { return {data_.get(), shape_}; }
  std::span<T> span() const { return {data_.get(), static_cast<size_t>(size())}; }

 private:
  struct Free {
    void operator()(T* p) const;
  };
  Shape shape_{0, 0, 0, 0};
  std::unique_ptr<T[], Free> data_;
};

using Tensor = BasicTensor<float>;
extern template class BasicTensor<float>;
extern template class BasicTensor<double>;
extern template class BasicTensor<int32_t>;
extern template class BasicTensor<uint8_t>;

}  // namespace hpml::nn
