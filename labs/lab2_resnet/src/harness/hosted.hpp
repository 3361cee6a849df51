#pragma once
// Your functions as tables, for the grader: it loads them in a process of their own and calls them from outside.
#include "lab2.hpp"

namespace hosted {

struct Loop {  // timers.cpp
  lab2::EpochTimes (*train_epoch)(int epoch, lab2::Loader&, lab2::Model&, lab2::StepLog&);
  double (*evaluate)(lab2::Loader&, lab2::Model&);
};

struct Training {
  Loop loop;
  std::unique_ptr<lab2::Loader> (*make_loader)(const lab2::Dataset&, const lab2::LoaderOptions&);
  void (*conv2d_forward)(const lab2::ConvShape&, const float* x, const float* w, float* y);
  void (*conv2d_backward)(const lab2::ConvShape&, const float* x, const float* w, const float* dy, float* dx, float* dw);
  void (*batch_norm_forward)(lab2::BatchNorm&, int64_t pixels, const float* x, bool training, float* y);
  void (*batch_norm_backward)(const lab2::BatchNorm&, int64_t pixels, const float* x, const float* dy, float* dx,
                              float* dgamma, float* dbeta);
  int (*moments)(lab2::OptimizerKind);
  void (*optimizer_step)(const lab2::OptimizerOptions&, int64_t t, std::span<float> theta,
                         std::span<const float> gradient, std::span<float> a, std::span<float> b);
};

}  // namespace hosted

extern "C" {
const hosted::Loop* lab2_loop();          // timers_library.cpp
const hosted::Training* lab2_training();  // training_library.cpp
}
