#pragma once
// The slots: the parts of the library that students write in lab 2. Everything else reaches them through `Slots`, which
// the program's main file fills: with the student's functions, with the solution's, or with those of common/nn/baseline
// (labs 5 and 6: `baseline_slots()`). The library itself links none of the three.
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>

#include "common/base/result.hpp"
#include "common/nn/data/dataset.hpp"
#include "common/nn/data/loader.hpp"
#include "common/nn/graph/op.hpp"
#include "common/nn/profile/trace.hpp"
#include "common/nn/tensor.hpp"
#include "common/nn/train/optimizer.hpp"

namespace hpml::nn {

class ThreadPool;

// ---- convolution ---------------------------------------------------------------------------------------------------
// x: n x h x w x ci, w: k x k x ci x co, y: n x out_h x out_w x co, zero padding on all four sides.
struct ConvShape {
  int n = 1, h = 1, w = 1, ci = 1, co = 1, k = 1, stride = 1, pad = 0;

  int out_h() const { return (h + 2 * pad - k) / stride + 1; }
  int out_w() const { return (w + 2 * pad - k) / stride + 1; }
  Shape in_shape() const { return {n, h, w, ci}; }
  Shape weight_shape() const { return {k, k, ci, co}; }
  Shape out_shape() const { return {n, out_h(), out_w(), co}; }
  int64_t macs() const { return int64_t{n} * out_h() * out_w() * co * k * k * ci; }  // nominal
};

constexpr int kMaxKernel = 16;

// y[n,oh,ow,co] = sum over kh, kw, ci of x[n, oh*stride - pad + kh, ow*stride - pad + kw, ci] * w[kh,kw,ci,co].
using Conv2dForward =
    std::function<void(const ConvShape& shape, View<const float> x, View<const float> w, View<float> y)>;
// Writes dx (unless it is empty) and dw: the gradients of the loss by x and w, given dy. dw sums over the batch.
using Conv2dBackward = std::function<void(const ConvShape& shape, View<const float> x, View<const float> w,
                                          View<const float> dy, View<float> dx, View<float> dw)>;

// A convolution that keeps its plan, its packed weights and its scratch memory from call to call. shape.n is the
// largest batch; the views' n may be smaller.
class Conv2d {
 public:
  virtual ~Conv2d() = default;
  virtual void forward(View<const float> x, View<const float> w, View<float> y) = 0;
  virtual void backward(View<const float> x, View<const float> w, View<const float> dy, View<float> dx,
                        View<float> dw) = 0;
};
// The two functions as a Conv2d: runs them on kSlices slices of the batch and adds the slices' dw in order, so the bits
// do not depend on the number of threads.
std::unique_ptr<Conv2d> sliced_conv2d(const ConvShape& shape, ThreadPool& pool, Conv2dForward forward,
                                      Conv2dBackward backward);

// ---- batch normalisation -------------------------------------------------------------------------------------------
// Per channel, over the n*h*w values of the batch (Ioffe, Szegedy 2015). Biased variance normalises; the running
// variance is fed with the unbiased one: running = (1 - momentum) * running + momentum * batch.
struct BatchNormParams {
  std::span<const float> gamma, beta;
  std::span<float> running_mean, running_var;
  float eps = 1e-5F, momentum = 0.1F;
};
class BatchNorm {
 public:
  virtual ~BatchNorm() = default;
  // training: uses and keeps the batch's statistics and updates the running ones. Otherwise uses the running ones.
  virtual void forward(View<const float> x, const BatchNormParams& params, bool training, View<float> y) = 0;
  // After forward(training = true) with the same x. dx may be the memory of dy.
  virtual void backward(View<const float> x, View<const float> dy, const BatchNormParams& params, View<float> dx,
                        std::span<float> dgamma, std::span<float> dbeta) = 0;
};

// ---- matrix product ------------------------------------------------------------------------------------------------
// c[m x n] = op(a) * op(b) (+ c). Row-major; a is m x k, or k x m when transposed; b is k x n, or n x k.
struct MatMul {
  int64_t m = 0, n = 0, k = 0;
  bool transpose_a = false, transpose_b = false, accumulate = false;
};
using MatMulFunction =
    std::function<void(const MatMul& shape, const float* a, const float* b, float* c, ThreadPool& pool)>;

// ---- all of them ---------------------------------------------------------------------------------------------------
// Every member must be set before use. The functions may assume arguments that fit.
struct Slots {
  std::function<std::unique_ptr<Conv2d>(const ConvShape& shape, ThreadPool& pool)> conv2d;
  std::function<std::unique_ptr<BatchNorm>(Shape largest, ThreadPool& pool)> batch_norm;
  MatMulFunction matmul;
  std::function<std::unique_ptr<Optimizer>(const OptimizerOptions& options, ThreadPool& pool)> optimizer;
  std::function<Result<Dataset>(const std::string& folder, Split split)> read_dataset;
  std::function<std::unique_ptr<DataLoader>(const Dataset& dataset, const LoaderOptions& options)> loader;
  std::function<LayerCost(const NodeSpec& node)> cost;
  std::function<std::unique_ptr<Tracer>()> tracer;
};

}  // namespace hpml::nn
