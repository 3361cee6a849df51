#include "common/nn/tensor.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <new>

#include "common/base/check.hpp"

namespace hpml::nn {

namespace {
constexpr std::align_val_t kAlignment{64};
}

std::string Shape::to_string() const { return fmt::format("{}x{}x{}x{}", n, h, w, c); }

template <class T>
BasicTensor<T>::BasicTensor(Shape shape) : shape_(shape) {
  HPML_CHECK(shape.n >= 0 && shape.h >= 0 && shape.w >= 0 && shape.c >= 0,
             fmt::format("a tensor of shape {}", shape.to_string()));
  const auto elements = static_cast<size_t>(shape.size());
  data_.reset(static_cast<T*>(::operator new[](elements * sizeof(T), kAlignment)));
  std::fill_n(data_.get(), elements, T{});
}

template <class T>
void BasicTensor<T>::Free::operator()(T* p) const {
  ::operator delete[](p, kAlignment);
}

template class BasicTensor<float>;
template class BasicTensor<double>;
template class BasicTensor<int32_t>;
template class BasicTensor<uint8_t>;

}  // namespace hpml::nn
