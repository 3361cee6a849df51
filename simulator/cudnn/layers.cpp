// Layers other than convolutions: bias, activation, pooling. Every result is
// alpha * f(x) + beta * y; where beta is 0, y is not read.
#include <algorithm>
#include <cmath>

#include "simulator/cudnn/tensors.hpp"

namespace hpml::sim::cudnn {
namespace {

using libraries::load;
using libraries::store;
struct Layer {
  const void* alpha;
  const Tensor* x_shape;
  const void* x;
  const void* beta;
  const Tensor* y_shape;
  void* y;
};

// Checks the arguments, and launches; `value(x, position)` is f(x) at a position of y.
template <class F>
Status apply(const Call& call, const Layer& a, const char* kernel, double flops, F value) {
  if (a.alpha == nullptr || a.beta == nullptr || a.x_shape == nullptr || a.y_shape == nullptr) {
    return kNullPointer;
  }
  const Tensor xs = *a.x_shape, ys = *a.y_shape;
  if (!xs.set || !ys.set || xs.type != ys.type) {
    return kBadParam;
  }
  const void* const x = call.data("x", a.x, xs);
  void* const y = call.data("y", a.y, ys);
  if (x == nullptr || y == nullptr) {
    return kBadParam;
  }
  const double alpha = Call::scalar(a.alpha, ys.type);
  const double beta = Call::scalar(a.beta, ys.type);
  const auto body = [=] {
    for_each(ys, [&](const Position& p) {
      const int64_t to = at(ys, p);
      const double before = beta != 0 ? beta * load(ys.type, y, to) : 0;
      store(ys.type, y, to, alpha * value(x, p) + before);
    });
  };
  return call.launch({.kernel = elementwise_kernel(kernel, ys.count(), xs.bytes() + (beta != 0 ? ys.bytes() : 0),
                                                   ys.bytes(), ys.type, flops),
                      .body = body,
                      .output = a.y,
                      .output_bytes = ys.bytes()});
}

double activate(const Activation& how, double x) {
  switch (how.mode) {
    case 0: return 1 / (1 + std::exp(-x));
    case 1: return std::max(x, 0.0);
    case 2: return std::tanh(x);
    case 3: return std::min(std::max(x, 0.0), how.coefficient);
    case 4: return x > 0 ? x : how.coefficient * std::expm1(x);
    case 6: return x / (1 + std::exp(-how.swish_beta * x));
    default: return x;
  }
}

double pool(const Pooling& how, const Tensor& xs, const void* x, const Position& p) {
  const bool largest = how.mode == 0 || how.mode == 3;
  double best = -INFINITY, sum = 0;
  int64_t seen = 0;
  for (int64_t j = 0; j < how.window_h; ++j) {
    for (int64_t i = 0; i < how.window_w; ++i) {
      const int64_t h = p[2] * how.stride_h - how.pad_h + j;
      const int64_t w = p[3] * how.stride_w - how.pad_w + i;
      if (h < 0 || w < 0 || h >= xs.dims[2] || w >= xs.dims[3]) {
        continue;
      }
      const double value = load(xs.type, x, at(xs, {p[0], p[1], h, w}));
      best = std::max(best, value);
      sum += value;
      ++seen;
    }
  }
  const int64_t counted = how.mode == 1 ? int64_t{how.window_h} * how.window_w : seen;
  return largest ? best : sum / static_cast<double>(std::max<int64_t>(1, counted));
}

}  // namespace
}  // namespace hpml::sim::cudnn

using namespace hpml::sim::cudnn;  // NOLINT(google-build-using-namespace): entry points have no namespace

HPML_LIBRARY_API int cudnnAddTensor(Handle* handle, const void* alpha, const Tensor* a_shape, const void* a,
                                    const void* beta, const Tensor* c_shape, void* c) {
  return handle_call("cudnnAddTensor", handle, [&](const Call& call) {
    if (a_shape == nullptr || c_shape == nullptr) {
      return kNullPointer;
    }
    for (size_t i = 0; i < 4; ++i) {
      if (a_shape->dims[i] != 1 && a_shape->dims[i] != c_shape->dims[i]) {
        return kShapeMismatch;
      }
    }
    return apply(call, {alpha, a_shape, a, beta, c_shape, c}, "op_tensor_kernel", 2,
                 [shape = *a_shape](const void* x, const Position& p) { return load(shape.type, x, at(shape, p)); });
  });
}

HPML_LIBRARY_API int cudnnCreateActivationDescriptor(Activation** made) {
  return create("cudnnCreateActivationDescriptor", made);
}
HPML_LIBRARY_API int cudnnDestroyActivationDescriptor(Activation* old) {
  return destroy("cudnnDestroyActivationDescriptor", old);
}
HPML_LIBRARY_API int cudnnSetActivationDescriptor(Activation* how, int mode, int nan, double coefficient) {
  return descriptor_call("cudnnSetActivationDescriptor", [&] {
    if (how == nullptr || mode < 0 || mode > 6) {
      return how == nullptr ? kNullPointer : kBadParam;
    }
    *how = {.set = true, .mode = mode, .nan = nan, .coefficient = coefficient};
    return kSuccess;
  });
}
HPML_LIBRARY_API int cudnnActivationForward(Handle* handle, const Activation* how, const void* alpha,
                                            const Tensor* x_shape, const void* x, const void* beta,
                                            const Tensor* y_shape, void* y) {
  return handle_call("cudnnActivationForward", handle, [&](const Call& call) {
    if (how == nullptr || x_shape == nullptr || y_shape == nullptr) {
      return kNullPointer;
    }
    if (!how->set || !x_shape->same_shape(*y_shape)) {
      return kBadParam;
    }
    return apply(call, {alpha, x_shape, x, beta, y_shape, y}, "activation_fw_4d_kernel", 4,
                 [a = *how, shape = *x_shape](const void* from, const Position& p) {
                   return activate(a, load(shape.type, from, at(shape, p)));
                 });
  });
}

HPML_LIBRARY_API int cudnnCreatePoolingDescriptor(Pooling** made) {
  return create("cudnnCreatePoolingDescriptor", made);
}
HPML_LIBRARY_API int cudnnDestroyPoolingDescriptor(Pooling* old) {
  return destroy("cudnnDestroyPoolingDescriptor", old);
}
HPML_LIBRARY_API int cudnnSetPooling2dDescriptor(Pooling* how, int mode, int nan, int window_h, int window_w, int pad_h,
                                                 int pad_w, int stride_h, int stride_w) {
  return descriptor_call("cudnnSetPooling2dDescriptor", [&] {
    if (how == nullptr) {
      return kNullPointer;
    }
    if (mode < 0 || mode > 3 || window_h < 1 || window_w < 1 || pad_h < 0 || pad_w < 0 || stride_h < 1 ||
        stride_w < 1) {
      return kBadParam;
    }
    *how = {true, mode, nan, window_h, window_w, pad_h, pad_w, stride_h, stride_w};
    return kSuccess;
  });
}
HPML_LIBRARY_API int cudnnGetPooling2dForwardOutputDim(const Pooling* how, const Tensor* x, int* n, int* c, int* h,
                                                       int* w) {
  return descriptor_call("cudnnGetPooling2dForwardOutputDim", [&] {
    if (how == nullptr || x == nullptr || n == nullptr || c == nullptr || h == nullptr || w == nullptr) {
      return kNullPointer;
    }
    *n = x->dims[0];
    *c = x->dims[1];
    *h = 1 + (x->dims[2] + 2 * how->pad_h - how->window_h) / how->stride_h;
    *w = 1 + (x->dims[3] + 2 * how->pad_w - how->window_w) / how->stride_w;
    return kSuccess;
  });
}
HPML_LIBRARY_API int cudnnPoolingForward(Handle* handle, const Pooling* how, const void* alpha, const Tensor* x_shape,
                                         const void* x, const void* beta, const Tensor* y_shape, void* y) {
  return handle_call("cudnnPoolingForward", handle, [&](const Call& call) {
    if (how == nullptr || x_shape == nullptr) {
      return kNullPointer;
    }
    return apply(call, {alpha, x_shape, x, beta, y_shape, y}, "pooling_fw_4d_kernel",
                 double{1} * how->window_h * how->window_w,
                 [a = *how, shape = *x_shape](const void* from, const Position& p) { return pool(a, shape, from, p); });
  });
}
