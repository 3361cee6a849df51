// Softmax over the channels of a position, or over all elements of an image, and its gradient.
#include <algorithm>
#include <cmath>

#include "simulator/cudnn/tensors.hpp"

namespace hpml::sim::cudnn {
namespace {

enum SoftmaxAlgorithm : int { kFast = 0, kAccurate = 1, kLog = 2 };
enum SoftmaxMode : int { kInstance = 0, kChannel = 1 };

// Calls `f(positions)` for each group of elements whose shares add up to one.
template <class F>
void for_each_group(const Tensor& shape, int mode, F f) {
  std::array<int, 4> groups = shape.dims, members = {1, shape.dims[1], 1, 1};
  groups[1] = 1;
  if (mode == kInstance) {
    groups = {shape.dims[0], 1, 1, 1};
    members = {1, shape.dims[1], shape.dims[2], shape.dims[3]};
  }
  for_each(groups, [&](const Position& group) {
    std::vector<Position> positions;
    for_each(members, [&](const Position& p) {
      positions.push_back({group[0] + p[0], group[1] + p[1], group[2] + p[2], group[3] + p[3]});
    });
    f(positions);
  });
}

void softmax(const Array& x, const Array& y, int algorithm, int mode, const Blend& blend) {
  for_each_group(x.shape, mode, [&](const std::vector<Position>& group) {
    double largest = -INFINITY, sum = 0;
    for (const Position& p : group) {
      largest = std::max(largest, x.get(p));
    }
    for (const Position& p : group) {
      sum += std::exp(x.get(p) - largest);
    }
    const double log_sum = std::log(sum);
    for (const Position& p : group) {
      const double z = x.get(p) - largest;
      blend.into(y, p, algorithm == kLog ? z - log_sum : std::exp(z) / sum);
    }
  });
}

// dx = y (dy - sum dy y); of the logarithm: dy - exp(y) sum dy.
void softmax_gradient(const Array& y, const Array& dy, const Array& dx, int algorithm, int mode, const Blend& blend) {
  for_each_group(y.shape, mode, [&](const std::vector<Position>& group) {
    double sum = 0;
    for (const Position& p : group) {
      sum += dy.get(p) * (algorithm == kLog ? 1 : y.get(p));
    }
    for (const Position& p : group) {
      blend.into(dx, p, algorithm == kLog ? dy.get(p) - std::exp(y.get(p)) * sum : y.get(p) * (dy.get(p) - sum));
    }
  });
}

bool known(int algorithm, int mode) {
  return algorithm >= kFast && algorithm <= kLog && (mode == kInstance || mode == kChannel);
}

}  // namespace
}  // namespace hpml::sim::cudnn

using namespace hpml::sim::cudnn;  // NOLINT(google-build-using-namespace): entry points have no namespace

HPML_LIBRARY_API int cudnnSoftmaxForward(Handle* handle, int algorithm, int mode, const void* alpha,
                                         const Tensor* x_shape, const void* x, const void* beta, const Tensor* y_shape,
                                         void* y) {
  return handle_call("cudnnSoftmaxForward", handle, [&](const Call& call) {
    Finder find(call);
    const Array from = find("x", x_shape, x), to = find("y", y_shape, y);
    const Blend blend = find.blend(alpha, beta, y_shape);
    if (find.status() != kSuccess || !known(algorithm, mode) || !from.shape.same_shape(to.shape)) {
      return find.status() != kSuccess ? find.status() : kBadParam;
    }
    return call.launch({.kernel = elementwise_kernel("softmax_fw_kernel", to.shape.count(), from.shape.bytes(),
                                                     to.shape.bytes(), to.shape.type, 20),
                        .body = [=] { softmax(from, to, algorithm, mode, blend); },
                        .output = y,
                        .output_bytes = to.shape.bytes()});
  });
}
HPML_LIBRARY_API int cudnnSoftmaxBackward(Handle* handle, int algorithm, int mode, const void* alpha,
                                          const Tensor* y_shape, const void* y, const Tensor* dy_shape, const void* dy,
                                          const void* beta, const Tensor* dx_shape, void* dx) {
  return handle_call("cudnnSoftmaxBackward", handle, [&](const Call& call) {
    Finder find(call);
    const Array result = find("y", y_shape, y), above = find("dy", dy_shape, dy), to = find("dx", dx_shape, dx);
    const Blend blend = find.blend(alpha, beta, dx_shape);
    if (find.status() != kSuccess || !known(algorithm, mode) || !result.shape.same_shape(to.shape) ||
        !above.shape.same_shape(to.shape)) {
      return find.status() != kSuccess ? find.status() : kBadParam;
    }
    return call.launch(
        {.kernel = elementwise_kernel("softmax_bw_kernel", to.shape.count(), result.shape.bytes() + above.shape.bytes(),
                                      to.shape.bytes(), to.shape.type, 20),
         .body = [=] { softmax_gradient(result, above, to, algorithm, mode, blend); },
         .output = dx,
         .output_bytes = to.shape.bytes()});
  });
}
