#pragma once
// Memory that nodes take turns in, decided once, when a network is built. A released buffer is given to the next node
// that asks for the same number of elements.
#include <algorithm>
#include <cstdint>
#include <map>
#include <vector>

#include "common/nn/tensor.hpp"

namespace hpml::nn {

class Buffers {
 public:
  float* take(Shape shape) {
    std::vector<float*>& free = free_[shape.size()];
    if (free.empty()) {
      bytes_ += shape.size() * static_cast<int64_t>(sizeof(float));
      return tensors_.emplace_back(shape).data();
    }
    float* buffer = free.back();
    free.pop_back();
    return buffer;
  }
  void release(Shape shape, float* buffer) { free_[shape.size()].push_back(buffer); }
  int64_t bytes() const { return bytes_; }

 private:
  std::vector<Tensor> tensors_;
  std::map<int64_t, std::vector<float*>> free_;
  int64_t bytes_ = 0;
};

}  // namespace hpml::nn
