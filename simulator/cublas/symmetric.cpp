// Symmetric matrices: symm, syrk, syr2k, symv, syr, syr2.
#include <array>

#include "simulator/cublas/arguments.hpp"
#include "simulator/cublas/dense.hpp"

using namespace hpml::sim::cublas;  // NOLINT(google-build-using-namespace): entry points have no namespace

namespace {

struct Scalars {
  double alpha = 0, beta = 0;
};

std::optional<Scalars> scalars(const Call& call, Element type, const void* alpha, const void* beta) {
  const auto factor = call.scalar(alpha, type);
  const auto keep = beta != nullptr ? call.scalar(beta, type) : std::optional(1.0);
  return factor && keep ? std::optional(Scalars{*factor, *keep}) : std::nullopt;
}

// Reads the factors, finds the operands in device memory, and launches. launch(factors, output): `output` is where the
// program said that the result is.
template <class First, class Second, class Out, class Launch>
Status with_operands(const Call& call, const void* alpha, const void* beta, const std::array<const char*, 3>& names,
                     First& first, Second& second, Out& out, const Launch& launch) {
  const auto by = scalars(call, out.type, alpha, beta);
  if (!by) {
    return kInvalidValue;
  }
  void* const output = out.data;
  if (!find(call, names[0], first) || !find(call, names[1], second) || !find(call, names[2], out)) {
    return kExecutionFailed;
  }
  return launch(*by, output);
}

// C = alpha A B + beta C, or B A; A is symmetric.
int symm(const char* name, Handle* handle, int side, int fill, const void* alpha, Matrix a, Matrix b, const void* beta,
         Matrix c) {
  return cublas_call(name, handle, [&](const Call& call) {
    if (!legal_symm(name, side, fill, c.rows, c.columns, a.leading, b.leading, c.leading) || beta == nullptr) {
      return kInvalidValue;
    }
    if (c.empty()) {
      return kSuccess;
    }
    return with_operands(call, alpha, beta, {"A", "B", "C"}, a, b, c, [&](const Scalars& by, void* output) {
      const auto body = [=] {
        Dense sums(c.rows, c.columns);
        if (by.alpha != 0) {
          const Dense left = read_symmetric(a, fill);
          const Dense right = read(b);
          add_product(sums, side == kLeft ? left : right, side == kLeft ? right : left);
        }
        write(c, kBothTriangles, by.alpha, sums, by.beta);
      };
      return call.launch(
          {.kernel = dense_kernel(call, name, c.type, c.rows, c.columns, a.rows, a.bytes() / 2 + b.bytes(), c.bytes()),
           .body = body,
           .output = output,
           .output_bytes = c.bytes()});
    });
  });
}

// C = alpha op(A) op(A)' + beta C, or with B: alpha (op(A) op(B)' + op(B) op(A)') + beta C; one triangle of C.
int rank_k(const char* name, Handle* handle, int fill, int op, const void* alpha, Matrix a, const Matrix* second,
           const void* beta, Matrix c) {
  return cublas_call(name, handle, [&](const Call& call) {
    Matrix b = second != nullptr ? *second : a;
    const int64_t k = op == 0 ? a.columns : a.rows;
    const bool sound = second == nullptr ? legal_rank_k(name, fill, op, c.rows, k, a.leading, c.leading)
                                         : legal_rank_2k(name, fill, op, c.rows, k, a.leading, b.leading, c.leading);
    if (!sound || beta == nullptr) {
      return kInvalidValue;
    }
    if (c.empty()) {
      return kSuccess;
    }
    return with_operands(call, alpha, beta, {"A", "B", "C"}, a, b, c, [&](const Scalars& by, void* output) {
      const bool both = second != nullptr;
      const auto body = [=] {
        Dense sums(c.rows, c.columns);
        if (by.alpha != 0) {
          const Dense left = operated(read(a), op);
          const Dense right = operated(read(b), op);
          add_product(sums, left, transposed(right));
          if (both) {
            add_product(sums, right, transposed(left));
          }
        }
        write(c, fill, by.alpha, sums, by.beta);
      };
      return call.launch({.kernel = dense_kernel(call, name, c.type, c.rows, (c.columns + 1) / 2, both ? 2 * k : k,
                                                 a.bytes() + (both ? b.bytes() : 0), c.bytes() / 2),
                          .body = body,
                          .output = output,
                          .output_bytes = c.bytes()});
    });
  });
}

// y = alpha A x + beta y
int symv(const char* name, Handle* handle, int fill, const void* alpha, Matrix a, Vector x, const void* beta,
         Vector y) {
  return cublas_call(name, handle, [&](const Call& call) {
    const bool sound = legal(name, {{1, known_triangle(fill)},
                                    {2, a.rows >= 0},
                                    {5, legal_leading(a.leading, a.rows)},
                                    {7, x.step != 0},
                                    {10, y.step != 0}});
    if (!sound || beta == nullptr) {
      return kInvalidValue;
    }
    if (a.empty()) {
      return kSuccess;
    }
    const uint64_t bytes = vector_bytes(y.type, y.n, y.step);
    return with_operands(call, alpha, beta, {"A", "x", "y"}, a, x, y, [&](const Scalars& by, void* output) {
      const auto body = [=] {
        Dense sums(y.n, 1);
        if (by.alpha != 0) {
          add_product(sums, read_symmetric(a, fill), read(x));
        }
        write(y, by.alpha, sums, by.beta);
      };
      return call.launch({.kernel = vector_kernel(name, a.rows * a.rows, a.bytes() / 2 + 2 * bytes, bytes, y.type, 2),
                          .body = body,
                          .output = output,
                          .output_bytes = bytes});
    });
  });
}

// A += alpha x x', or alpha (x y' + y x'); one triangle of A.
int rank_one(const char* name, Handle* handle, int fill, const void* alpha, Vector x, const Vector* second, Matrix a) {
  return cublas_call(name, handle, [&](const Call& call) {
    Vector y = second != nullptr ? *second : x;
    if (!legal(name, {{1, known_triangle(fill)},
                      {2, a.rows >= 0},
                      {5, x.step != 0},
                      {7, y.step != 0},
                      {second != nullptr ? 9 : 7, legal_leading(a.leading, a.rows)}})) {
      return kInvalidValue;
    }
    if (a.empty()) {
      return kSuccess;
    }
    return with_operands(call, alpha, nullptr, {"x", "y", "A"}, x, y, a, [&](const Scalars& by, void* output) {
      const bool both = second != nullptr;
      const auto body = [=] {
        Dense sums(a.rows, a.columns);
        const Dense left = read(x);
        const Dense right = read(y);
        add_product(sums, left, transposed(right));
        if (both) {
          add_product(sums, right, transposed(left));
        }
        write(a, fill, by.alpha, sums, by.beta);
      };
      return call.launch(
          {.kernel = vector_kernel(name, a.rows * (a.rows + 1) / 2, a.bytes() / 2, a.bytes() / 2, a.type, both ? 4 : 2),
           .body = body,
           .output = output,
           .output_bytes = a.bytes()});
    });
  });
}

Matrix operand(Element type, int op, int n, int k, const void* data, int leading) {
  return op == 0 ? matrix_of(type, n, k, data, leading) : matrix_of(type, k, n, data, leading);
}

}  // namespace

#define HPML_SYMMETRIC(letter, element)                                                                                \
  HPML_LIBRARY_API int cublas##letter##symm_v2(Handle* handle, int side, int fill, int m, int n, const void* alpha,    \
                                               const void* a, int lda, const void* b, int ldb, const void* beta,       \
                                               void* c, int ldc) {                                                     \
    const int k = side == kLeft ? m : n;                                                                               \
    return symm("cublas" #letter "symm", handle, side, fill, alpha, matrix_of(element, k, k, a, lda),                  \
                matrix_of(element, m, n, b, ldb), beta, matrix_of(element, m, n, c, ldc));                             \
  }                                                                                                                    \
  HPML_LIBRARY_API int cublas##letter##syrk_v2(Handle* handle, int fill, int op, int n, int k, const void* alpha,      \
                                               const void* a, int lda, const void* beta, void* c, int ldc) {           \
    return rank_k("cublas" #letter "syrk", handle, fill, op, alpha, operand(element, op, n, k, a, lda), nullptr, beta, \
                  matrix_of(element, n, n, c, ldc));                                                                   \
  }                                                                                                                    \
  HPML_LIBRARY_API int cublas##letter##syr2k_v2(Handle* handle, int fill, int op, int n, int k, const void* alpha,     \
                                                const void* a, int lda, const void* b, int ldb, const void* beta,      \
                                                void* c, int ldc) {                                                    \
    const Matrix right = operand(element, op, n, k, b, ldb);                                                           \
    return rank_k("cublas" #letter "syr2k", handle, fill, op, alpha, operand(element, op, n, k, a, lda), &right, beta, \
                  matrix_of(element, n, n, c, ldc));                                                                   \
  }                                                                                                                    \
  HPML_LIBRARY_API int cublas##letter##symv_v2(Handle* handle, int fill, int n, const void* alpha, const void* a,      \
                                               int lda, const void* x, int x_step, const void* beta, void* y,          \
                                               int y_step) {                                                           \
    return symv("cublas" #letter "symv", handle, fill, alpha, matrix_of(element, n, n, a, lda),                        \
                vector_of(element, n, x, x_step), beta, vector_of(element, n, y, y_step));                             \
  }                                                                                                                    \
  HPML_LIBRARY_API int cublas##letter##syr_v2(Handle* handle, int fill, int n, const void* alpha, const void* x,       \
                                              int x_step, void* a, int lda) {                                          \
    return rank_one("cublas" #letter "syr", handle, fill, alpha, vector_of(element, n, x, x_step), nullptr,            \
                    matrix_of(element, n, n, a, lda));                                                                 \
  }                                                                                                                    \
  HPML_LIBRARY_API int cublas##letter##syr2_v2(Handle* handle, int fill, int n, const void* alpha, const void* x,      \
                                               int x_step, const void* y, int y_step, void* a, int lda) {              \
    const Vector right = vector_of(element, n, y, y_step);                                                             \
    return rank_one("cublas" #letter "syr2", handle, fill, alpha, vector_of(element, n, x, x_step), &right,            \
                    matrix_of(element, n, n, a, lda));                                                                 \
  }
HPML_SYMMETRIC(S, Element::f32)
HPML_SYMMETRIC(D, Element::f64)
#undef HPML_SYMMETRIC
