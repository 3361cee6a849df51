// Batch normalisation: over all images and positions of a channel, or over the images of each element (Ioffe and
// Szegedy, "Batch Normalization", 2015; NVIDIA cuDNN API reference, cudnnBatchNormalizationForwardTraining and its
// relatives).
#include <cmath>

#include "simulator/cudnn/tensors.hpp"

namespace hpml::sim::cudnn {
namespace {

enum BatchNormMode : int { kPerActivation = 0, kSpatial = 1, kSpatialPersistent = 2 };

// Of the statistics; the type is float where x is half.
Tensor statistics_of(const Tensor& x, int mode) {
  Tensor made{.set = true, .type = x.type == Element::f64 ? Element::f64 : Element::f32, .dims = {1, x.dims[1], 1, 1}};
  if (mode == kPerActivation) {
    made.dims = {1, x.dims[1], x.dims[2], x.dims[3]};
  }
  made.strides = packed_strides(made.dims, Format::nchw);
  return made;
}

// Where a group's statistics lie.
Position group_of(const Tensor& statistics, const Position& p) {
  return {0, p[1], statistics.dims[2] == 1 ? 0 : p[2], statistics.dims[3] == 1 ? 0 : p[3]};
}

// Mean over each group of `value(position)`.
template <class Value>
std::vector<double> means(const Tensor& x, const Tensor& statistics, Value value) {
  std::vector<double> sums(static_cast<size_t>(statistics.extent()));
  for_each(x,
           [&](const Position& p) { sums[static_cast<size_t>(at(statistics, group_of(statistics, p)))] += value(p); });
  for (double& sum : sums) {
    sum *= static_cast<double>(statistics.count()) / static_cast<double>(x.count());
  }
  return sums;
}

struct Parameters {
  Array scale, bias, mean, variance;
};

void infer(const Array& x, const Array& y, const Parameters& with, double epsilon, const Blend& blend) {
  for_each(y.shape, [&](const Position& p) {
    const Position g = group_of(with.scale.shape, p);
    const double normal = (x.get(p) - with.mean.get(g)) / std::sqrt(with.variance.get(g) + epsilon);
    blend.into(y, p, with.scale.get(g) * normal + with.bias.get(g));
  });
}

// running: mean and variance, of which `factor` is taken from this batch; saved: mean and 1 / sqrt(variance + epsilon).
// None of an array that has no data.
void train(const Array& x, const Array& y, const Parameters& with, double factor, const Array (&saved)[2],
           double epsilon, const Blend& blend) {
  const Tensor& shape = with.scale.shape;
  const auto index = [&](const Position& p) { return static_cast<size_t>(at(shape, group_of(shape, p))); };
  const std::vector<double> mean = means(x.shape, shape, [&](const Position& p) { return x.get(p); });
  const std::vector<double> variance = means(x.shape, shape, [&](const Position& p) {
    const double off = x.get(p) - mean[index(p)];
    return off * off;
  });
  for_each(y.shape, [&](const Position& p) {
    const Position g = group_of(shape, p);
    const double normal = (x.get(p) - mean[index(p)]) / std::sqrt(variance[index(p)] + epsilon);
    blend.into(y, p, with.scale.get(g) * normal + with.bias.get(g));
  });
  const double count = static_cast<double>(x.shape.count()) / static_cast<double>(shape.count());
  const double unbiased = count > 1 ? count / (count - 1) : 1;
  for_each(shape, [&](const Position& g) {
    const size_t i = index(g);
    const auto average = [&](const Array& to, double value) {
      if (to.data != nullptr) {
        to.set(g, factor == 1 ? value : (1 - factor) * to.get(g) + factor * value);
      }
    };
    average(with.mean, mean[i]);
    average(with.variance, variance[i] * unbiased);
    if (saved[0].data != nullptr) {
      saved[0].set(g, mean[i]);
      saved[1].set(g, 1 / std::sqrt(variance[i] + epsilon));
    }
  });
}

struct Gradients {
  Array dx, scale, bias;
};

void differentiate(const Array& x, const Array& dy, const Array& scale, const Gradients& to, double epsilon,
                   const Blend& data, const Blend& parameters) {
  const Tensor& shape = scale.shape;
  const auto index = [&](const Position& p) { return static_cast<size_t>(at(shape, group_of(shape, p))); };
  const std::vector<double> mean = means(x.shape, shape, [&](const Position& p) { return x.get(p); });
  const auto off = [&](const Position& p) { return x.get(p) - mean[index(p)]; };
  std::vector<double> inverse = means(x.shape, shape, [&](const Position& p) { return off(p) * off(p); });
  for (double& one : inverse) {
    one = 1 / std::sqrt(one + epsilon);
  }
  const auto normal = [&](const Position& p) { return off(p) * inverse[index(p)]; };
  const std::vector<double> above = means(x.shape, shape, [&](const Position& p) { return dy.get(p); });
  const std::vector<double> along = means(x.shape, shape, [&](const Position& p) { return dy.get(p) * normal(p); });
  for_each(x.shape, [&](const Position& p) {
    const size_t i = index(p);
    data.into(to.dx, p, scale.get(group_of(shape, p)) * inverse[i] * (dy.get(p) - above[i] - normal(p) * along[i]));
  });
  const double count = static_cast<double>(x.shape.count()) / static_cast<double>(shape.count());
  for_each(shape, [&](const Position& g) {
    parameters.into(to.scale, g, along[index(g)] * count);
    parameters.into(to.bias, g, above[index(g)] * count);
  });
}

bool known_mode(int mode) { return mode >= kPerActivation && mode <= kSpatialPersistent; }

}  // namespace
}  // namespace hpml::sim::cudnn

using namespace hpml::sim::cudnn;  // NOLINT(google-build-using-namespace): entry points have no namespace

HPML_LIBRARY_API int cudnnDeriveBNTensorDescriptor(Tensor* made, const Tensor* x, int mode) {
  return descriptor_call("cudnnDeriveBNTensorDescriptor", [&] {
    if (made == nullptr || x == nullptr) {
      return kNullPointer;
    }
    if (!x->set || !known_mode(mode)) {
      return kBadParam;
    }
    *made = statistics_of(*x, mode);
    return kSuccess;
  });
}

HPML_LIBRARY_API int cudnnBatchNormalizationForwardInference(Handle* handle, int mode, const void* alpha,
                                                             const void* beta, const Tensor* x_shape, const void* x,
                                                             const Tensor* y_shape, void* y, const Tensor* shape,
                                                             const void* scale, const void* bias, const void* mean,
                                                             const void* variance, double epsilon) {
  return handle_call("cudnnBatchNormalizationForwardInference", handle, [&](const Call& call) {
    Finder find(call);
    const Array from = find("x", x_shape, x), to = find("y", y_shape, y);
    const Parameters with{find("bnScale", shape, scale), find("bnBias", shape, bias),
                          find("estimatedMean", shape, mean), find("estimatedVariance", shape, variance)};
    const Blend blend = find.blend(alpha, beta, y_shape);
    if (find.status() != kSuccess || !known_mode(mode) ||
        with.scale.shape.dims != statistics_of(from.shape, mode).dims || !from.shape.same_shape(to.shape)) {
      return find.status() != kSuccess ? find.status() : kBadParam;
    }
    return call.launch({.kernel = elementwise_kernel("bn_fw_inf_kernel", to.shape.count(), from.shape.bytes(),
                                                     to.shape.bytes(), to.shape.type, 4),
                        .body = [=] { infer(from, to, with, epsilon, blend); },
                        .output = y,
                        .output_bytes = to.shape.bytes()});
  });
}

HPML_LIBRARY_API int cudnnBatchNormalizationForwardTraining(Handle* handle, int mode, const void* alpha,
                                                            const void* beta, const Tensor* x_shape, const void* x,
                                                            const Tensor* y_shape, void* y, const Tensor* shape,
                                                            const void* scale, const void* bias, double factor,
                                                            void* running_mean, void* running_variance, double epsilon,
                                                            void* saved_mean, void* saved_inverse) {
  return handle_call("cudnnBatchNormalizationForwardTraining", handle, [&](const Call& call) {
    Finder find(call);
    const auto if_given = [&](const char* what, const void* pointer) {
      return pointer != nullptr ? find(what, shape, pointer) : Array{};
    };
    const Array from = find("x", x_shape, x), to = find("y", y_shape, y);
    const Parameters with{find("bnScale", shape, scale), find("bnBias", shape, bias),
                          if_given("resultRunningMean", running_mean),
                          if_given("resultRunningVariance", running_variance)};
    const Array mean = if_given("resultSaveMean", saved_mean),
                inverse = if_given("resultSaveInvVariance", saved_inverse);
    const Blend blend = find.blend(alpha, beta, y_shape);
    if (find.status() != kSuccess || !known_mode(mode) ||
        with.scale.shape.dims != statistics_of(from.shape, mode).dims || !from.shape.same_shape(to.shape) ||
        (running_mean == nullptr) != (running_variance == nullptr) ||
        (saved_mean == nullptr) != (saved_inverse == nullptr)) {
      return find.status() != kSuccess ? find.status() : kBadParam;
    }
    return call.launch({.kernel = elementwise_kernel("bn_fw_tr_kernel", to.shape.count(), 2 * from.shape.bytes(),
                                                     to.shape.bytes(), to.shape.type, 8),
                        .body =
                            [=] {
                              train(from, to, with, factor, {mean, inverse}, epsilon, blend);
                            },
                        .output = y,
                        .output_bytes = to.shape.bytes(),
                        .more = {{running_mean, shape->bytes()},
                                 {running_variance, shape->bytes()},
                                 {saved_mean, shape->bytes()},
                                 {saved_inverse, shape->bytes()}}});
  });
}

// The saved statistics are those of x: they are computed again, in double.
HPML_LIBRARY_API int cudnnBatchNormalizationBackward(Handle* handle, int mode, const void* alpha, const void* beta,
                                                     const void* parameter_alpha, const void* parameter_beta,
                                                     const Tensor* x_shape, const void* x, const Tensor* dy_shape,
                                                     const void* dy, const Tensor* dx_shape, void* dx,
                                                     const Tensor* shape, const void* scale, void* scale_gradient,
                                                     void* bias_gradient, double epsilon, const void*, const void*) {
  return handle_call("cudnnBatchNormalizationBackward", handle, [&](const Call& call) {
    Finder find(call);
    const Array from = find("x", x_shape, x), above = find("dy", dy_shape, dy), by = find("bnScale", shape, scale);
    const Gradients to{find("dx", dx_shape, dx), find("dBnScaleResult", shape, scale_gradient),
                       find("dBnBiasResult", shape, bias_gradient)};
    const Blend data = find.blend(alpha, beta, dx_shape),
                parameters = find.blend(parameter_alpha, parameter_beta, shape);
    if (find.status() != kSuccess || !known_mode(mode) || by.shape.dims != statistics_of(from.shape, mode).dims ||
        !from.shape.same_shape(above.shape) || !from.shape.same_shape(to.dx.shape)) {
      return find.status() != kSuccess ? find.status() : kBadParam;
    }
    return call.launch({.kernel = elementwise_kernel("bn_bw_kernel", from.shape.count(),
                                                     2 * (from.shape.bytes() + above.shape.bytes()),
                                                     to.dx.shape.bytes(), from.shape.type, 12),
                        .body = [=] { differentiate(from, above, by, to, epsilon, data, parameters); },
                        .output = dx,
                        .output_bytes = to.dx.shape.bytes(),
                        .more = {{scale_gradient, shape->bytes()}, {bias_gradient, shape->bytes()}}});
  });
}
