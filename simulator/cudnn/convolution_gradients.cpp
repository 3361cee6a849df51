// Gradients of a convolution with respect to its input and its filters, as implicit matrix products: algorithms 0
// and 1.
#include <algorithm>

#include "simulator/cudnn/algorithms.hpp"
#include "simulator/cudnn/performance.hpp"
#include "simulator/cudnn/tensors.hpp"
#include "simulator/libraries/gemm_model.hpp"

namespace hpml::sim::cudnn {
namespace {

using device::Picoseconds;
using libraries::GemmShape;

constexpr int kSupported = 2;  // algorithm 0 adds in any order on a GPU, 1 in a fixed one

// Calls `f(x's position, w's position, y's position)` for each product of the convolution.
template <class F>
void for_each_product(const Problem& p, F f) {
  const Convolution& conv = p.conv;
  for_each(p.y, [&](const Position& to) {
    const int64_t group = to[1] / p.outputs();
    for (int64_t c = 0; c < p.channels(); ++c) {
      for (int64_t r = 0; r < p.rows(); ++r) {
        const int64_t h = to[2] * conv.stride_h - conv.pad_h + r * conv.dilation_h;
        for (int64_t s = 0; s < p.columns() && h >= 0 && h < p.x.dims[2]; ++s) {
          const int64_t w = to[3] * conv.stride_w - conv.pad_w + s * conv.dilation_w;
          if (w >= 0 && w < p.x.dims[3]) {
            const int64_t row = conv.cross_correlation ? r : p.rows() - 1 - r;
            const int64_t column = conv.cross_correlation ? s : p.columns() - 1 - s;
            f(Position{to[0], group * p.channels() + c, h, w}, Position{to[1], c, row, column}, to);
          }
        }
      }
    }
  });
}

// The sums of one gradient, in double and in a fixed order; `other` is w for the gradient of x, x for that of w.
template <bool OfInput>
void convolution_gradient(const Problem& p, const Array& other, const Array& dy, const Array& to, const Blend& blend) {
  const auto& dims = to.shape.dims;
  std::vector<double> sums(static_cast<size_t>(to.shape.count()));
  for_each_product(p, [&](const Position& x, const Position& w, const Position& y) {
    const Position& q = OfInput ? x : w;
    sums[static_cast<size_t>(((q[0] * dims[1] + q[1]) * dims[2] + q[2]) * dims[3] + q[3])] +=
        dy.get(y) * other.get(OfInput ? w : x);
  });
  size_t i = 0;
  for_each(to.shape, [&](const Position& q) { blend.into(to, q, sums[i++]); });
}

template <bool OfInput>
LibraryKernel gradient_kernel(const Problem& p, const device::Properties& chip) {
  const GemmShape shape = OfInput ? GemmShape{.m = p.channels(),
                                              .n = p.positions(),
                                              .k = p.outputs() * p.rows() * p.columns(),
                                              .batch = p.conv.groups}
                                  : GemmShape{.m = p.outputs(),
                                              .n = p.channels() * p.rows() * p.columns(),
                                              .k = p.positions(),
                                              .batch = p.conv.groups};
  const device::Math math = libraries::math_of(p.x.type, chip.rates, tensor_cores_allowed(p));
  LibraryKernel kernel =
      libraries::gemm_kernel(OfInput ? "dgrad_engine" : "wgrad_alg1_engine", shape, p.x.type, math, chip);
  kernel.efficiency *= p.x.type == Element::f64 ? 1.0 : kAddressing;
  kernel.dram_read = p.y.bytes() + (OfInput ? p.w.bytes() : p.x.bytes());
  kernel.dram_write = OfInput ? p.x.bytes() : p.w.bytes();
  return kernel;
}

constexpr int count_of(bool of_input) { return of_input ? 6 : 7; }  // cudnnConvolutionBwdDataAlgo_t, ...FilterAlgo_t

template <bool OfInput>
Status rank_gradients(const Call& call, const Problem& problem, bool run, int asked, int* returned,
                      Performance* results) {
  if (returned == nullptr || results == nullptr || asked < 1) {
    return returned == nullptr || results == nullptr ? kNullPointer : kBadParam;
  }
  const Picoseconds time =
      call.context.device().library_time(gradient_kernel<OfInput>(problem, call.context.device().properties()));
  *returned = std::min(asked, count_of(OfInput));
  for (int i = 0; i < *returned; ++i) {
    const bool can = i < kSupported;
    const int algorithm = can ? 1 - i : i;
    results[i] = {.algorithm = algorithm,
                  .status = code(can ? kSuccess : kNotSupported),
                  .time = can && run ? milliseconds(time) : -1,
                  .memory = 0,
                  .determinism = algorithm == 0 ? 0 : 1,
                  .math_type = tensor_cores_allowed(problem) ? 1 : 0,
                  .reserved = {}};
  }
  if (!run) {
    return kSuccess;
  }
  return wait_for_search(call, 2 * kSupported * time);
}

Status workspace_of(int algorithm, bool of_input, size_t* size) {
  if (size == nullptr || algorithm < 0 || algorithm >= count_of(of_input)) {
    return size == nullptr ? kNullPointer : kBadParam;
  }
  *size = 0;
  return algorithm < kSupported ? kSuccess : kNotSupported;
}

// `body(const Call&, const Problem&)` where the descriptors are those of a convolution.
template <class Body>
int with_problem(const char* name, Handle* handle, const Tensor* x, const Filter* w, const Convolution* conv,
                 const Tensor* y, Body body) {
  return handle_call(name, handle, [&](const Call& call) {
    Problem problem;
    const Status status = make_problem(x, w, conv, y, problem);
    return status == kSuccess ? body(call, problem) : status;
  });
}

template <bool OfInput>
Status compute(const Call& call, const Problem& problem, int algorithm, const void* alpha, const void* other,
               const void* dy, const void* beta, void* to) {
  if (algorithm < 0 || algorithm >= count_of(OfInput)) {
    return kBadParam;
  }
  if (algorithm >= kSupported) {
    libraries::say_not_supported("this algorithm of a convolution's gradient; 0 and 1 are");
    return kNotSupported;
  }
  Finder find(call);
  const Array from = find(OfInput ? "w" : "x", OfInput ? static_cast<const Tensor*>(&problem.w) : &problem.x, other);
  const Array above = find("dy", &problem.y, dy);
  const Array result = find(OfInput ? "dx" : "dw", OfInput ? &problem.x : static_cast<const Tensor*>(&problem.w), to);
  const Blend blend = find.blend(alpha, beta, &problem.x);
  if (find.status() != kSuccess) {
    return find.status();
  }
  return call.launch({.kernel = gradient_kernel<OfInput>(problem, call.context.device().properties()),
                      .body = [=] { convolution_gradient<OfInput>(problem, from, above, result, blend); },
                      .output = to,
                      .output_bytes = result.shape.bytes()});
}

int most(const char* name, Handle* handle, bool of_input, int* count) {
  return descriptor_call(name, [&] {
    if (handle == nullptr || count == nullptr) {
      return kNullPointer;
    }
    *count = count_of(of_input);
    return kSuccess;
  });
}

}  // namespace
}  // namespace hpml::sim::cudnn

using namespace hpml::sim::cudnn;  // NOLINT(google-build-using-namespace): entry points have no namespace

HPML_LIBRARY_API int cudnnGetConvolutionBackwardDataAlgorithmMaxCount(Handle* handle, int* count) {
  return most("cudnnGetConvolutionBackwardDataAlgorithmMaxCount", handle, true, count);
}
HPML_LIBRARY_API int cudnnGetConvolutionBackwardFilterAlgorithmMaxCount(Handle* handle, int* count) {
  return most("cudnnGetConvolutionBackwardFilterAlgorithmMaxCount", handle, false, count);
}
HPML_LIBRARY_API int cudnnFindConvolutionBackwardDataAlgorithm(Handle* handle, const Filter* w, const Tensor* dy,
                                                               const Convolution* conv, const Tensor* dx, int asked,
                                                               int* returned, Performance* results) {
  return with_problem("cudnnFindConvolutionBackwardDataAlgorithm", handle, dx, w, conv, dy,
                      [&](const Call& call, const Problem& p) {
                        return rank_gradients<true>(call, p, true, asked, returned, results);
                      });
}
HPML_LIBRARY_API int cudnnFindConvolutionBackwardFilterAlgorithm(Handle* handle, const Tensor* x, const Tensor* dy,
                                                                 const Convolution* conv, const Filter* dw, int asked,
                                                                 int* returned, Performance* results) {
  return with_problem("cudnnFindConvolutionBackwardFilterAlgorithm", handle, x, dw, conv, dy,
                      [&](const Call& call, const Problem& p) {
                        return rank_gradients<false>(call, p, true, asked, returned, results);
                      });
}
HPML_LIBRARY_API int cudnnGetConvolutionBackwardDataAlgorithm_v7(Handle* handle, const Filter* w, const Tensor* dy,
                                                                 const Convolution* conv, const Tensor* dx, int asked,
                                                                 int* returned, Performance* results) {
  return with_problem("cudnnGetConvolutionBackwardDataAlgorithm_v7", handle, dx, w, conv, dy,
                      [&](const Call& call, const Problem& p) {
                        return rank_gradients<true>(call, p, false, asked, returned, results);
                      });
}
HPML_LIBRARY_API int cudnnGetConvolutionBackwardFilterAlgorithm_v7(Handle* handle, const Tensor* x, const Tensor* dy,
                                                                   const Convolution* conv, const Filter* dw, int asked,
                                                                   int* returned, Performance* results) {
  return with_problem("cudnnGetConvolutionBackwardFilterAlgorithm_v7", handle, x, dw, conv, dy,
                      [&](const Call& call, const Problem& p) {
                        return rank_gradients<false>(call, p, false, asked, returned, results);
                      });
}
HPML_LIBRARY_API int cudnnGetConvolutionBackwardDataWorkspaceSize(Handle* handle, const Filter* w, const Tensor* dy,
                                                                  const Convolution* conv, const Tensor* dx,
                                                                  int algorithm, size_t* size) {
  return with_problem("cudnnGetConvolutionBackwardDataWorkspaceSize", handle, dx, w, conv, dy,
                      [&](const Call&, const Problem&) { return workspace_of(algorithm, true, size); });
}
HPML_LIBRARY_API int cudnnGetConvolutionBackwardFilterWorkspaceSize(Handle* handle, const Tensor* x, const Tensor* dy,
                                                                    const Convolution* conv, const Filter* dw,
                                                                    int algorithm, size_t* size) {
  return with_problem("cudnnGetConvolutionBackwardFilterWorkspaceSize", handle, x, dw, conv, dy,
                      [&](const Call&, const Problem&) { return workspace_of(algorithm, false, size); });
}
HPML_LIBRARY_API int cudnnConvolutionBackwardData(Handle* handle, const void* alpha, const Filter* w_shape,
                                                  const void* w, const Tensor* dy_shape, const void* dy,
                                                  const Convolution* conv, int algorithm, void*, size_t,
                                                  const void* beta, const Tensor* dx_shape, void* dx) {
  return with_problem(
      "cudnnConvolutionBackwardData", handle, dx_shape, w_shape, conv, dy_shape,
      [&](const Call& call, const Problem& p) { return compute<true>(call, p, algorithm, alpha, w, dy, beta, dx); });
}
HPML_LIBRARY_API int cudnnConvolutionBackwardFilter(Handle* handle, const void* alpha, const Tensor* x_shape,
                                                    const void* x, const Tensor* dy_shape, const void* dy,
                                                    const Convolution* conv, int algorithm, void*, size_t,
                                                    const void* beta, const Filter* dw_shape, void* dw) {
  return with_problem(
      "cudnnConvolutionBackwardFilter", handle, x_shape, dw_shape, conv, dy_shape,
      [&](const Call& call, const Problem& p) { return compute<false>(call, p, algorithm, alpha, x, dy, beta, dw); });
}
