#include "simulator/cudnn/problem.hpp"

namespace hpml::sim::cudnn {
namespace {

// NVIDIA cuDNN API reference, cudnnGetConvolution2dForwardOutputDim.
int output_size(int in, int pad, int filter, int dilation, int stride) {
  const int covered = (filter - 1) * dilation + 1;
  return in + 2 * pad < covered ? 0 : 1 + (in + 2 * pad - covered) / stride;
}

}  // namespace

bool output_dims(const Tensor& x, const Filter& w, const Convolution& conv, std::array<int, 4>& dims) {
  dims = {x.dims[0], w.dims[0], output_size(x.dims[2], conv.pad_h, w.dims[2], conv.dilation_h, conv.stride_h),
          output_size(x.dims[3], conv.pad_w, w.dims[3], conv.dilation_w, conv.stride_w)};
  return dims[2] > 0 && dims[3] > 0;
}

Status make_problem(const Tensor* x, const Filter* w, const Convolution* conv, const Tensor* y, Problem& problem) {
  if (x == nullptr || w == nullptr || conv == nullptr || y == nullptr) {
    return kNullPointer;
  }
  if (!x->set || !w->set || !conv->set || !y->set) {
    return kBadParam;
  }
  if (x->type != w->type || x->type != y->type) {
    return kNotSupported;
  }
  std::array<int, 4> dims{};
  if (x->dims[1] != w->dims[1] * conv->groups || w->dims[0] % conv->groups != 0 || !output_dims(*x, *w, *conv, dims) ||
      dims != y->dims) {
    return kShapeMismatch;
  }
  if (x->type == Element::f64 && conv->compute != Element::f64) {
    return kNotSupported;
  }
  problem = {*x, *y, *w, *conv};
  return kSuccess;
}

}  // namespace hpml::sim::cudnn
