// StoredMatrix and vector: gemv, ger.
#include "simulator/cublas/arguments.hpp"
#include "simulator/cublas/entry.hpp"

using namespace hpml::sim::cublas;  // NOLINT(google-build-using-namespace): entry points have no namespace

namespace {

struct StoredMatrix {
  int rows, columns;
  const void* data;
  int leading;
};

uint64_t bytes_of(Element type, const StoredMatrix& a) {
  const int64_t elements = a.columns > 0 ? int64_t{a.columns - 1} * a.leading + a.rows : 0;
  return static_cast<uint64_t>(elements) * hpml::sim::libraries::size_of(type);
}

// y = alpha op(A) x + beta y
int gemv(const char* name, Handle* handle, Element type, int op, const StoredMatrix& a, const void* alpha,
         const void* x, int x_step, const void* beta, void* y, int y_step) {
  return cublas_call(name, handle, [&](const Call& call) {
    if (!legal(name, {{1, op >= 0 && op <= 2},
                      {2, a.rows >= 0},
                      {3, a.columns >= 0},
                      {6, legal_leading(a.leading, a.rows)},
                      {8, x_step != 0},
                      {11, y_step != 0}})) {
      return kInvalidValue;
    }
    const bool transposed = op != 0;
    Vector in{.type = type, .data = nullptr, .n = transposed ? a.rows : a.columns, .step = x_step};
    Vector out{.type = type, .data = nullptr, .n = transposed ? a.columns : a.rows, .step = y_step};
    if (in.n == 0 || out.n == 0) {
      return kSuccess;
    }
    const auto factor = call.scalar(alpha, type);
    const auto keep = call.scalar(beta, type);
    if (!factor || !keep) {
      return kInvalidValue;
    }
    const void* matrix = call.data("A", a.data, bytes_of(type, a));
    in.data = call.data("x", x, vector_bytes(type, in.n, x_step));
    out.data = call.data("y", y, vector_bytes(type, out.n, y_step));
    if (matrix == nullptr || in.data == nullptr || out.data == nullptr) {
      return kExecutionFailed;
    }
    const auto body = [=, scale = *factor, beta_value = *keep, leading = int64_t{a.leading}] {
      for (int64_t i = 0; i < out.n; ++i) {
        double sum = 0;
        for (int64_t j = 0; j < in.n; ++j) {
          sum += hpml::sim::libraries::load(type, matrix, transposed ? i * leading + j : j * leading + i) * in.get(j);
        }
        out.set(i, scale * sum + (beta_value != 0 ? beta_value * out.get(i) : 0));
      }
    };
    const uint64_t read = bytes_of(type, a) + vector_bytes(type, in.n, 1);
    LibraryKernel kernel =
        vector_kernel(name, int64_t{a.rows} * a.columns, read, vector_bytes(type, out.n, 1), type, 2);
    return call.launch(
        {.kernel = std::move(kernel), .body = body, .output = y, .output_bytes = vector_bytes(type, out.n, y_step)});
  });
}

// A += alpha x y'
int ger(const char* name, Handle* handle, Element type, const StoredMatrix& a, const void* alpha, const void* x,
        int x_step, const void* y, int y_step) {
  return cublas_call(name, handle, [&](const Call& call) {
    if (!legal(name, {{1, a.rows >= 0},
                      {2, a.columns >= 0},
                      {5, x_step != 0},
                      {7, y_step != 0},
                      {9, legal_leading(a.leading, a.rows)}})) {
      return kInvalidValue;
    }
    if (a.rows == 0 || a.columns == 0) {
      return kSuccess;
    }
    const auto factor = call.scalar(alpha, type);
    if (!factor) {
      return kInvalidValue;
    }
    const Vector left{
        .type = type, .data = call.data("x", x, vector_bytes(type, a.rows, x_step)), .n = a.rows, .step = x_step};
    const Vector right{
        .type = type, .data = call.data("y", y, vector_bytes(type, a.columns, y_step)), .n = a.columns, .step = y_step};
    void* const matrix = call.data("A", a.data, bytes_of(type, a));
    if (left.data == nullptr || right.data == nullptr || matrix == nullptr) {
      return kExecutionFailed;
    }
    const auto body = [=, scale = *factor, leading = int64_t{a.leading}] {
      for (int64_t j = 0; j < right.n; ++j) {
        for (int64_t i = 0; i < left.n; ++i) {
          const int64_t at = j * leading + i;
          const double before = hpml::sim::libraries::load(type, matrix, at);
          hpml::sim::libraries::store(type, matrix, at, before + scale * left.get(i) * right.get(j));
        }
      }
    };
    const uint64_t size = bytes_of(type, a);
    return call.launch({.kernel = vector_kernel(name, int64_t{a.rows} * a.columns, size, size, type, 2),
                        .body = body,
                        .output = matrix != nullptr ? const_cast<void*>(a.data) : nullptr,
                        .output_bytes = size});
  });
}

}  // namespace

#define HPML_LEVEL2(letter, element)                                                                                   \
  HPML_LIBRARY_API int cublas##letter##gemv_v2(Handle* handle, int op, int rows, int columns, const void* alpha,       \
                                               const void* a, int lda, const void* x, int x_step, const void* beta,    \
                                               void* y, int y_step) {                                                  \
    return gemv("cublas" #letter "gemv", handle, element, op, {rows, columns, a, lda}, alpha, x, x_step, beta, y,      \
                y_step);                                                                                               \
  }                                                                                                                    \
  HPML_LIBRARY_API int cublas##letter##ger_v2(Handle* handle, int rows, int columns, const void* alpha, const void* x, \
                                              int x_step, const void* y, int y_step, void* a, int lda) {               \
    return ger("cublas" #letter "ger", handle, element, {rows, columns, a, lda}, alpha, x, x_step, y, y_step);         \
  }
HPML_LEVEL2(S, Element::f32)
HPML_LEVEL2(D, Element::f64)
#undef HPML_LEVEL2
