// Vectors: axpy, copy, swap, scal, dot, nrm2, asum, iamax, iamin. Sums are made in double, in the order of the
// elements.
#include <cmath>

#include "simulator/cublas/entry.hpp"

using namespace hpml::sim::cublas;  // NOLINT(google-build-using-namespace): entry points have no namespace

namespace {

// The views of up to two vectors; false after a line on stderr. Empty vectors need no memory.
bool view(const Call& call, const char* what, Vector& vector) {
  if (vector.n <= 0) {
    return true;
  }
  vector.data = call.data(what, vector.data, vector_bytes(vector.type, vector.n, vector.step));
  return vector.data != nullptr;
}

uint64_t bytes_of(const Vector& v) { return static_cast<uint64_t>(v.n) * hpml::sim::libraries::size_of(v.type); }

Vector make(Element type, int64_t n, const void* data, int64_t step) {
  return {.type = type, .data = const_cast<void*>(data), .n = std::max<int64_t>(0, n), .step = step};
}

// y = f(x, y), both read, y written. `factor` is of the type of x, or of the one that is named.
template <class F>
int update(const char* name, Handle* handle, Vector x, Vector y, const void* factor, double flops, bool reads_y, F f,
           std::optional<Element> factor_type = std::nullopt) {
  return cublas_call(name, handle, [&](const Call& call) {
    const std::optional<double> alpha =
        factor != nullptr ? call.scalar(factor, factor_type.value_or(x.type)) : std::optional(1.0);
    void* const output = y.data;
    if (!alpha) {
      return kInvalidValue;
    }
    if (y.n == 0) {
      return kSuccess;
    }
    if (!view(call, "x", x) || !view(call, "y", y)) {
      return kExecutionFailed;
    }
    const auto body = [=, a = *alpha] {
      for (int64_t i = 0; i < y.n; ++i) {
        y.set(i, f(a, x.get(i), reads_y ? y.get(i) : 0.0));
      }
    };
    const uint64_t size = bytes_of(y);
    return call.launch(
        {.kernel = vector_kernel(name, y.n, reads_y && x.data != y.data ? 2 * size : size, size, y.type, flops),
         .body = body,
         .output = output,
         .output_bytes = vector_bytes(y.type, y.n, y.step)});
  });
}

// One number out of vectors; `to_result` writes it.
template <class Body>
int reduce(const char* name, Handle* handle, Vector x, Vector y, void* result, uint64_t result_bytes, Body body) {
  return cublas_call(name, handle, [&](const Call& call) {
    void* const to = result != nullptr ? call.result(result, result_bytes) : nullptr;
    if (to == nullptr) {
      return kInvalidValue;
    }
    if (!view(call, "x", x) || !view(call, "y", y)) {
      return kExecutionFailed;
    }
    return call.launch_for_result({.kernel = vector_kernel(name, x.n, bytes_of(x) + bytes_of(y), 8, x.type, 2),
                                   .body = [=] { body(x, y, to); },
                                   .output = handle->device_scalars ? result : nullptr,
                                   .output_bytes = handle->device_scalars ? result_bytes : 0});
  });
}

double dot(const Vector& x, const Vector& y) {
  double sum = 0;
  for (int64_t i = 0; i < x.n; ++i) {
    sum += x.get(i) * y.get(i);
  }
  return sum;
}

// Scaled, so that squares neither overflow nor vanish (reference BLAS).
double norm(const Vector& x) {
  double scale = 0, sum = 1;
  for (int64_t i = 0; i < x.n; ++i) {
    const double value = std::fabs(x.get(i));
    if (value > scale) {
      sum = 1 + sum * (scale / value) * (scale / value);
      scale = value;
    } else if (value > 0) {
      sum += (value / scale) * (value / scale);
    }
  }
  return scale * std::sqrt(sum);
}

double absolute_sum(const Vector& x) {
  double sum = 0;
  for (int64_t i = 0; i < x.n; ++i) {
    sum += std::fabs(x.get(i));
  }
  return sum;
}

// The first of the largest (or smallest), counted from one; 0 for an empty vector.
int64_t extreme(const Vector& x, bool largest) {
  int64_t best = 0;
  for (int64_t i = 0; i < x.n; ++i) {
    const double value = std::fabs(x.get(i));
    const double known = best > 0 ? std::fabs(x.get(best - 1)) : 0;
    if (best == 0 || (largest ? value > known : value < known)) {
      best = i + 1;
    }
  }
  return best;
}

int swap(const char* name, Handle* handle, Vector x, Vector y) {
  return cublas_call(name, handle, [&](const Call& call) {
    if (!view(call, "x", x) || !view(call, "y", y)) {
      return kExecutionFailed;
    }
    const auto body = [=] {
      for (int64_t i = 0; i < x.n; ++i) {
        const double kept = x.get(i);
        x.set(i, y.get(i));
        y.set(i, kept);
      }
    };
    return call.launch({.kernel = vector_kernel(name, x.n, 2 * bytes_of(x), 2 * bytes_of(x), x.type, 0),
                        .body = body,
                        .output = nullptr,
                        .output_bytes = 0});
  });
}

}  // namespace

#define HPML_LEVEL1(letter, type, element)                                                                             \
  HPML_LIBRARY_API int cublas##letter##axpy_v2(Handle* handle, int n, const void* alpha, const void* x, int x_step,    \
                                               void* y, int y_step) {                                                  \
    return update("cublas" #letter "axpy", handle, make(element, n, x, x_step), make(element, n, y, y_step), alpha, 2, \
                  true, [](double a, double left, double right) { return a * left + right; });                         \
  }                                                                                                                    \
  HPML_LIBRARY_API int cublas##letter##copy_v2(Handle* handle, int n, const void* x, int x_step, void* y,              \
                                               int y_step) {                                                           \
    return update("cublas" #letter "copy", handle, make(element, n, x, x_step), make(element, n, y, y_step), nullptr,  \
                  0, false, [](double, double left, double) { return left; });                                         \
  }                                                                                                                    \
  HPML_LIBRARY_API int cublas##letter##scal_v2(Handle* handle, int n, const void* alpha, void* x, int step) {          \
    return update("cublas" #letter "scal", handle, make(element, n, x, step), make(element, n, x, step), alpha, 1,     \
                  true, [](double a, double left, double) { return a * left; });                                       \
  }                                                                                                                    \
  HPML_LIBRARY_API int cublas##letter##swap_v2(Handle* handle, int n, void* x, int x_step, void* y, int y_step) {      \
    return swap("cublas" #letter "swap", handle, make(element, n, x, x_step), make(element, n, y, y_step));            \
  }                                                                                                                    \
  HPML_LIBRARY_API int cublas##letter##dot_v2(Handle* handle, int n, const void* x, int x_step, const void* y,         \
                                              int y_step, void* result) {                                              \
    return reduce("cublas" #letter "dot", handle, make(element, n, x, x_step), make(element, n, y, y_step), result,    \
                  sizeof(type), [](const Vector& a, const Vector& b, void* to) {                                       \
                    *static_cast<type*>(to) = static_cast<type>(dot(a, b));                                            \
                  });                                                                                                  \
  }                                                                                                                    \
  HPML_LIBRARY_API int cublas##letter##nrm2_v2(Handle* handle, int n, const void* x, int step, void* result) {         \
    return reduce(                                                                                                     \
        "cublas" #letter "nrm2", handle, make(element, n, x, step), Vector{}, result, sizeof(type),                    \
        [](const Vector& a, const Vector&, void* to) { *static_cast<type*>(to) = static_cast<type>(norm(a)); });       \
  }                                                                                                                    \
  HPML_LIBRARY_API int cublas##letter##asum_v2(Handle* handle, int n, const void* x, int step, void* result) {         \
    return reduce("cublas" #letter "asum", handle, make(element, n, x, step), Vector{}, result, sizeof(type),          \
                  [](const Vector& a, const Vector&, void* to) {                                                       \
                    *static_cast<type*>(to) = static_cast<type>(absolute_sum(a));                                      \
                  });                                                                                                  \
  }
HPML_LEVEL1(S, float, Element::f32)
HPML_LEVEL1(D, double, Element::f64)
#undef HPML_LEVEL1

// NAME_64 takes sizes and gives its result in 64 bits.
#define HPML_EXTREME_FORM(name, form, integer, element, largest)                                                     \
  HPML_LIBRARY_API int cublas##name##form(Handle* handle, integer n, const void* x, integer step, integer* result) { \
    return reduce("cublas" #name, handle, make(element, n, x, step), Vector{}, result, sizeof(integer),              \
                  [](const Vector& a, const Vector&, void* to) {                                                     \
                    *static_cast<integer*>(to) = static_cast<integer>(extreme(a, largest));                          \
                  });                                                                                                \
  }
#define HPML_EXTREME(name, element, largest)          \
  HPML_EXTREME_FORM(name, _v2, int, element, largest) \
  HPML_EXTREME_FORM(name, _v2_64, int64_t, element, largest)
HPML_EXTREME(Isamax, Element::f32, true)
HPML_EXTREME(Idamax, Element::f64, true)
HPML_EXTREME(Isamin, Element::f32, false)
HPML_EXTREME(Idamin, Element::f64, false)
#undef HPML_EXTREME
#undef HPML_EXTREME_FORM

namespace {

// The types of a call for any type: x and y alike, and computing in float or double as they need. None: others, which
// is said.
std::optional<Element> one_type(const char* name, std::initializer_list<int> types, int execution) {
  const auto element = hpml::sim::libraries::element_of(*types.begin());
  const bool alike = std::ranges::all_of(types, [&](int type) { return type == *types.begin(); });
  if (!element || !alike || execution != (*element == Element::f64 ? 1 : 0)) {
    hpml::sim::libraries::say_not_supported(std::string(name) +
                                            " of vectors of this cudaDataType, or computed in another");
    return std::nullopt;
  }
  return element;
}

// A number of the type of the vectors.
template <class F>
int reduce_any(const char* name, Handle* handle, int n, const void* x, int x_step, const void* y, int y_step,
               std::initializer_list<int> types, int execution, void* result, F f) {
  const auto type = one_type(name, types, execution);
  if (!type) {
    return kNotSupported;
  }
  const Vector right = y != nullptr ? make(*type, n, y, y_step) : Vector{};
  return reduce(
      name, handle, make(*type, n, x, x_step), right, result, hpml::sim::libraries::size_of(*type),
      [f, type](const Vector& a, const Vector& b, void* to) { hpml::sim::libraries::store(*type, to, 0, f(a, b)); });
}

}  // namespace

// alpha is of the type that is computed in.
HPML_LIBRARY_API int cublasAxpyEx(Handle* handle, int n, const void* alpha, int alpha_type, const void* x, int x_type,
                                  int x_step, void* y, int y_type, int y_step, int execution) {
  const auto type = one_type("cublasAxpyEx", {x_type, y_type}, execution);
  if (!type || alpha_type != execution) {
    return kNotSupported;
  }
  return update(
      "cublasAxpyEx", handle, make(*type, n, x, x_step), make(*type, n, y, y_step), alpha, 2, true,
      [](double a, double left, double right) { return a * left + right; },
      hpml::sim::libraries::element_of(execution));
}
HPML_LIBRARY_API int cublasScalEx(Handle* handle, int n, const void* alpha, int alpha_type, void* x, int x_type,
                                  int step, int execution) {
  const auto type = one_type("cublasScalEx", {x_type}, execution);
  if (!type || alpha_type != execution) {
    return kNotSupported;
  }
  return update(
      "cublasScalEx", handle, make(*type, n, x, step), make(*type, n, x, step), alpha, 1, true,
      [](double a, double left, double) { return a * left; }, hpml::sim::libraries::element_of(execution));
}
HPML_LIBRARY_API int cublasDotEx(Handle* handle, int n, const void* x, int x_type, int x_step, const void* y,
                                 int y_type, int y_step, void* result, int result_type, int execution) {
  return reduce_any("cublasDotEx", handle, n, x, x_step, y, y_step, {x_type, y_type, result_type}, execution, result,
                    [](const Vector& a, const Vector& b) { return dot(a, b); });
}
HPML_LIBRARY_API int cublasDotcEx(Handle* handle, int n, const void* x, int x_type, int x_step, const void* y,
                                  int y_type, int y_step, void* result, int result_type, int execution) {
  return cublasDotEx(handle, n, x, x_type, x_step, y, y_type, y_step, result, result_type, execution);
}
HPML_LIBRARY_API int cublasNrm2Ex(Handle* handle, int n, const void* x, int x_type, int x_step, void* result,
                                  int result_type, int execution) {
  return reduce_any("cublasNrm2Ex", handle, n, x, x_step, nullptr, 1, {x_type, result_type}, execution, result,
                    [](const Vector& a, const Vector&) { return norm(a); });
}
