// conv.cpp as a library: what the grader's worker loads and times. One call is one layer's forward and backward pass.
#include "lab2.hpp"

// shape: n, h, w, ci, co, k, stride, pad.
extern "C" void lab2_conv(const int64_t* shape, const float* x, const float* w, const float* dy, float* y, float* dx,
                          float* dw) {
  const auto number = [shape](int i) { return static_cast<int>(shape[i]); };
  const lab2::ConvShape s{number(0), number(1), number(2), number(3), number(4), number(5), number(6), number(7)};
  lab2::conv2d_forward(s, x, w, y);
  lab2::conv2d_backward(s, x, w, dy, dx, dw);
}
