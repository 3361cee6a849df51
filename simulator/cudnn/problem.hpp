#pragma once
// One convolution, checked: what all algorithms have in common.
#include "simulator/cudnn/descriptors.hpp"

namespace hpml::sim::cudnn {

struct Problem {
  Tensor x, y;
  Filter w;
  Convolution conv;

  int64_t n() const { return x.dims[0]; }
  int64_t channels() const { return w.dims[1]; }               // of one group
  int64_t outputs() const { return w.dims[0] / conv.groups; }  // filters of one group
  int64_t rows() const { return w.dims[2]; }
  int64_t columns() const { return w.dims[3]; }
  int64_t positions() const { return n() * y.dims[2] * y.dims[3]; }  // per filter
};

// N, C, H, W of the output. False: no such output.
bool output_dims(const Tensor& x, const Filter& w, const Convolution& conv, std::array<int, 4>& dims);

// Errors as cudnnConvolutionForward gives for its descriptors.
Status make_problem(const Tensor* x, const Filter* w, const Convolution* conv, const Tensor* y, Problem& problem);

// y = alpha * (w * x) + beta * y, the same for every algorithm: sums in double over channels, rows, columns, rounded
// once. Where beta is 0, y is not read.
void convolve(const Problem& problem, double alpha, const void* x, const void* w, double beta, void* y);

}  // namespace hpml::sim::cudnn
