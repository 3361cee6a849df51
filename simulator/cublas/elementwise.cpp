// Element by element: geam, dgmm (the extensions of cuBLAS), and the plane rotation rot.
#include "simulator/cublas/dense.hpp"

using namespace hpml::sim::cublas;  // NOLINT(google-build-using-namespace): entry points have no namespace

namespace {

// C = alpha op(A) + beta op(B); an operand whose factor is 0 is not read.
int geam(const char* name, Handle* handle, int op_a, int op_b, const void* alpha, Matrix a, const void* beta, Matrix b,
         Matrix c) {
  return cublas_call(name, handle, [&](const Call& call) {
    if (!known_operation(op_a) || !known_operation(op_b) || !c.valid()) {
      return kInvalidValue;
    }
    if (c.empty()) {
      return kSuccess;
    }
    const auto by_a = call.scalar(alpha, c.type);
    const auto by_b = call.scalar(beta, c.type);
    // In place only as it lies: cuBLAS library manual, cublas<t>geam().
    const bool crossed = (c.data == a.data && (op_a != 0 || a.leading != c.leading)) ||
                         (c.data == b.data && (op_b != 0 || b.leading != c.leading));
    if (!by_a || !by_b || (*by_a != 0 && !a.valid()) || (*by_b != 0 && !b.valid()) || crossed) {
      return kInvalidValue;
    }
    void* const output = c.data;
    if ((*by_a != 0 && !find(call, "A", a)) || (*by_b != 0 && !find(call, "B", b)) || !find(call, "C", c)) {
      return kExecutionFailed;
    }
    const auto body = [=, by_a = *by_a, by_b = *by_b] {
      for (int64_t j = 0; j < c.columns; ++j) {
        for (int64_t i = 0; i < c.rows; ++i) {
          const double left = by_a == 0 ? 0 : by_a * (op_a == 0 ? a.get(i, j) : a.get(j, i));
          const double right = by_b == 0 ? 0 : by_b * (op_b == 0 ? b.get(i, j) : b.get(j, i));
          c.set(i, j, left + right);
        }
      }
    };
    return call.launch({.kernel = vector_kernel(name, c.rows * c.columns, 2 * c.bytes(), c.bytes(), c.type, 3),
                        .body = body,
                        .output = output,
                        .output_bytes = c.bytes()});
  });
}

// C = diag(x) A (left) or A diag(x)
int dgmm(const char* name, Handle* handle, int side, Matrix a, Vector x, Matrix c) {
  return cublas_call(name, handle, [&](const Call& call) {
    if (!known_side(side) || !a.valid() || !c.valid()) {
      return kInvalidValue;
    }
    if (c.empty()) {
      return kSuccess;
    }
    void* const output = c.data;
    if (!find(call, "A", a) || !find(call, "x", x) || !find(call, "C", c)) {
      return kExecutionFailed;
    }
    const auto body = [=] {
      for (int64_t j = 0; j < c.columns; ++j) {
        for (int64_t i = 0; i < c.rows; ++i) {
          c.set(i, j, a.get(i, j) * x.get(side == kLeft ? i : j));
        }
      }
    };
    return call.launch({.kernel = vector_kernel(name, c.rows * c.columns, c.bytes(), c.bytes(), c.type, 1),
                        .body = body,
                        .output = output,
                        .output_bytes = c.bytes()});
  });
}

// x = c x + s y, y = c y - s x
int rot(const char* name, Handle* handle, Vector x, Vector y, const void* cosine, const void* sine) {
  return cublas_call(name, handle, [&](const Call& call) {
    const auto c = call.scalar(cosine, x.type);
    const auto s = call.scalar(sine, x.type);
    if (!c || !s) {
      return kInvalidValue;
    }
    if (x.n == 0) {
      return kSuccess;
    }
    if (!find(call, "x", x) || !find(call, "y", y)) {
      return kExecutionFailed;
    }
    const auto body = [=, c = *c, s = *s] {
      for (int64_t i = 0; i < x.n; ++i) {
        const double left = x.get(i);
        const double right = y.get(i);
        x.set(i, c * left + s * right);
        y.set(i, c * right - s * left);
      }
    };
    const uint64_t bytes = 2 * static_cast<uint64_t>(x.n) * hpml::sim::libraries::size_of(x.type);
    return call.launch({.kernel = vector_kernel(name, x.n, bytes, bytes, x.type, 6),
                        .body = body,
                        .output = nullptr,
                        .output_bytes = 0});
  });
}

Matrix operand(Element type, int op, int m, int n, const void* data, int leading) {
  return op == 0 ? matrix_of(type, m, n, data, leading) : matrix_of(type, n, m, data, leading);
}

}  // namespace

#define HPML_ELEMENTWISE(letter, element)                                                                              \
  HPML_LIBRARY_API int cublas##letter##geam(Handle* handle, int op_a, int op_b, int m, int n, const void* alpha,       \
                                            const void* a, int lda, const void* beta, const void* b, int ldb, void* c, \
                                            int ldc) {                                                                 \
    return geam("cublas" #letter "geam", handle, op_a, op_b, alpha, operand(element, op_a, m, n, a, lda), beta,        \
                operand(element, op_b, m, n, b, ldb), matrix_of(element, m, n, c, ldc));                               \
  }                                                                                                                    \
  HPML_LIBRARY_API int cublas##letter##dgmm(Handle* handle, int side, int m, int n, const void* a, int lda,            \
                                            const void* x, int step, void* c, int ldc) {                               \
    return dgmm("cublas" #letter "dgmm", handle, side, matrix_of(element, m, n, a, lda),                               \
                vector_of(element, side == kLeft ? m : n, x, step), matrix_of(element, m, n, c, ldc));                 \
  }                                                                                                                    \
  HPML_LIBRARY_API int cublas##letter##rot_v2(Handle* handle, int n, void* x, int x_step, void* y, int y_step,         \
                                              const void* c, const void* s) {                                          \
    return rot("cublas" #letter "rot", handle, vector_of(element, n, x, x_step), vector_of(element, n, y, y_step), c,  \
               s);                                                                                                     \
  }
HPML_ELEMENTWISE(S, Element::f32)
HPML_ELEMENTWISE(D, Element::f64)
#undef HPML_ELEMENTWISE
