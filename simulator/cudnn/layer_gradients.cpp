// Gradients of activations, pooling and bias.
#include <algorithm>
#include <cmath>

#include "simulator/cudnn/tensors.hpp"

namespace hpml::sim::cudnn {
namespace {

// The slope at x, where the result is y.
double slope(const Activation& how, double x, double y) {
  switch (how.mode) {
    case 0: return y * (1 - y);
    case 1: return x > 0 ? 1 : 0;
    case 2: return 1 - y * y;
    case 3: return x > 0 && x < how.coefficient ? 1 : 0;
    case 4: return x > 0 ? 1 : how.coefficient * std::exp(x);
    case 6: {
      const double share = 1 / (1 + std::exp(-how.swish_beta * x));
      return share + how.swish_beta * x * share * (1 - share);
    }
    default: return 1;
  }
}

// Adds what each window gives back to `sums`, one for each element of x in the order of for_each().
void spread(const Pooling& how, const Array& x, const Array& y, const Array& dy, std::vector<double>& sums) {
  const auto& dims = x.shape.dims;
  const bool largest = how.mode == 0 || how.mode == 3;
  for_each(y.shape, [&](const Position& p) {
    std::vector<Position> window;
    const Position first = {p[0], p[1], p[2] * how.stride_h - how.pad_h, p[3] * how.stride_w - how.pad_w};
    for (int64_t h = std::max<int64_t>(first[2], 0); h < std::min<int64_t>(first[2] + how.window_h, dims[2]); ++h) {
      for (int64_t w = std::max<int64_t>(first[3], 0); w < std::min<int64_t>(first[3] + how.window_w, dims[3]); ++w) {
        window.push_back({p[0], p[1], h, w});
      }
    }
    const auto number = [&](const Position& q) {
      return static_cast<size_t>(((q[0] * dims[1] + q[1]) * dims[2] + q[2]) * dims[3] + q[3]);
    };
    if (window.empty()) {
      return;
    }
    if (largest) {  // to the first of the largest
      sums[number(*std::ranges::max_element(window, {}, [&](const Position& q) { return x.get(q); }))] += dy.get(p);
      return;
    }
    const auto count = how.mode == 1 ? double{1} * how.window_h * how.window_w : static_cast<double>(window.size());
    for (const Position& q : window) {
      sums[number(q)] += dy.get(p) / count;
    }
  });
}

struct GradientArguments {
  const void* alpha;
  const Tensor* y_shape;
  const void* y;
  const Tensor* dy_shape;
  const void* dy;
  const Tensor* x_shape;
  const void* x;
  const void* beta;
  const Tensor* dx_shape;
  void* dx;
};

// `body(x, y, dy, dx, blend)` writes dx.
template <class Body>
Status gradient(const Call& call, const GradientArguments& a, const char* kernel, double flops, Body body) {
  Finder find(call);
  const Array y = find("y", a.y_shape, a.y), dy = find("dy", a.dy_shape, a.dy), x = find("x", a.x_shape, a.x),
              dx = find("dx", a.dx_shape, a.dx);
  const Blend blend = find.blend(a.alpha, a.beta, a.dx_shape);
  if (find.status() != kSuccess || !y.shape.same_shape(dy.shape) || !x.shape.same_shape(dx.shape)) {
    return find.status() != kSuccess ? find.status() : kBadParam;
  }
  return call.launch(
      {.kernel = elementwise_kernel(kernel, dx.shape.count(), x.shape.bytes() + y.shape.bytes() + dy.shape.bytes(),
                                    dx.shape.bytes(), dx.shape.type, flops),
       .body = [=] { body(x, y, dy, dx, blend); },
       .output = a.dx,
       .output_bytes = dx.shape.bytes()});
}

}  // namespace
}  // namespace hpml::sim::cudnn

using namespace hpml::sim::cudnn;  // NOLINT(google-build-using-namespace): entry points have no namespace

HPML_LIBRARY_API int cudnnActivationBackward(Handle* handle, const Activation* how, const void* alpha,
                                             const Tensor* y_shape, const void* y, const Tensor* dy_shape,
                                             const void* dy, const Tensor* x_shape, const void* x, const void* beta,
                                             const Tensor* dx_shape, void* dx) {
  return handle_call("cudnnActivationBackward", handle, [&](const Call& call) {
    if (how == nullptr || !how->set || x_shape == nullptr || y_shape == nullptr || !x_shape->same_shape(*y_shape)) {
      return how == nullptr || x_shape == nullptr || y_shape == nullptr ? kNullPointer : kBadParam;
    }
    return gradient(
        call, {alpha, y_shape, y, dy_shape, dy, x_shape, x, beta, dx_shape, dx}, "activation_bw_4d_kernel", 6,
        [a = *how](const Array& from, const Array& result, const Array& above, const Array& to, const Blend& blend) {
          for_each(to.shape,
                   [&](const Position& p) { blend.into(to, p, above.get(p) * slope(a, from.get(p), result.get(p))); });
        });
  });
}
HPML_LIBRARY_API int cudnnPoolingBackward(Handle* handle, const Pooling* how, const void* alpha, const Tensor* y_shape,
                                          const void* y, const Tensor* dy_shape, const void* dy, const Tensor* x_shape,
                                          const void* x, const void* beta, const Tensor* dx_shape, void* dx) {
  return handle_call("cudnnPoolingBackward", handle, [&](const Call& call) {
    if (how == nullptr || !how->set) {
      return how == nullptr ? kNullPointer : kBadParam;
    }
    return gradient(
        call, {alpha, y_shape, y, dy_shape, dy, x_shape, x, beta, dx_shape, dx}, "pooling_bw_kernel",
        double{1} * how->window_h * how->window_w,
        [a = *how](const Array& from, const Array& result, const Array& above, const Array& to, const Blend& blend) {
          std::vector<double> sums(static_cast<size_t>(to.shape.count()));
          spread(a, from, result, above, sums);
          size_t i = 0;
          for_each(to.shape, [&](const Position& p) { blend.into(to, p, sums[i++]); });
        });
  });
}
HPML_LIBRARY_API int cudnnConvolutionBackwardBias(Handle* handle, const void* alpha, const Tensor* dy_shape,
                                                  const void* dy, const void* beta, const Tensor* db_shape, void* db) {
  return handle_call("cudnnConvolutionBackwardBias", handle, [&](const Call& call) {
    Finder find(call);
    const Array above = find("dy", dy_shape, dy), to = find("db", db_shape, db);
    const Blend blend = find.blend(alpha, beta, db_shape);
    if (find.status() != kSuccess || to.shape.dims != std::array{1, above.shape.dims[1], 1, 1}) {
      return find.status() != kSuccess ? find.status() : kBadParam;
    }
    return call.launch(
        {.kernel = elementwise_kernel("convolve_bias_bw_kernel", above.shape.count(), above.shape.bytes(),
                                      to.shape.bytes(), to.shape.type, 1),
         .body =
             [=] {
               std::vector<double> sums(static_cast<size_t>(above.shape.dims[1]));
               for_each(above.shape, [&](const Position& p) { sums[static_cast<size_t>(p[1])] += above.get(p); });
               for_each(to.shape, [&](const Position& p) { blend.into(to, p, sums[static_cast<size_t>(p[1])]); });
             },
         .output = db,
         .output_bytes = to.shape.bytes()});
  });
}
