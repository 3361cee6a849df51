// Triangular matrices: trmm, trsm (one, or a list of them), trmv, trsv.
#include "simulator/cublas/arguments.hpp"
#include "simulator/cublas/dense.hpp"

using namespace hpml::sim::cublas;  // NOLINT(google-build-using-namespace): entry points have no namespace

namespace {

using Shape = TriangularArguments;

// op(A) B or B op(A), and what solves these for B.
Dense multiplied(const Shape& s, const Matrix& a, const Dense& b) {
  const Dense factor = operated(read_triangular(a, s.fill, s.diagonal), s.op);
  Dense sums(b.rows, b.columns);
  if (s.side == kLeft) {
    add_product(sums, factor, b);
  } else {
    add_product(sums, b, factor);
  }
  return sums;
}

Dense solved(const Shape& s, const Matrix& a, Dense b) {
  const Dense factor = operated(read_triangular(a, s.fill, s.diagonal), s.op);
  const bool lower = (s.fill == kLower) == (s.op == 0);
  if (s.side == kLeft) {
    solve(factor, lower, b);
    return b;
  }
  Dense rows = transposed(b);  // X T = B is T' X' = B'
  solve(transposed(factor), !lower, rows);
  return transposed(rows);
}

// C = alpha op(A) B (or B op(A)), or the X for which op(A) X = alpha B.
int matrix_call(const char* name, Handle* handle, const Shape& s, bool solves, const void* alpha, Matrix a, Matrix b,
                Matrix c) {
  return cublas_call(name, handle, [&](const Call& call) {
    if (!legal_triangular(name, s, c.rows, c.columns, a.leading, b.leading, c.leading)) {
      return kInvalidValue;
    }
    if (c.empty()) {
      return kSuccess;
    }
    const auto factor = call.scalar(alpha, c.type);
    if (!factor) {
      return kInvalidValue;
    }
    void* const output = c.data;
    if (!find(call, "A", a) || !find(call, "B", b) || !find(call, "C", c)) {
      return kExecutionFailed;
    }
    const auto body = [=, scale = *factor] {
      if (scale == 0) {  // A and B are not read: what they hold may not be a number (reference BLAS)
        write(c, kBothTriangles, 0, Dense(c.rows, c.columns), 0);
        return;
      }
      Dense right = read(b);
      if (!solves) {
        write(c, kBothTriangles, scale, multiplied(s, a, right), 0);
        return;
      }
      for (double& value : right.values) {
        value *= scale;
      }
      write(c, kBothTriangles, 1, solved(s, a, std::move(right)), 0);
    };
    LibraryKernel kernel =
        dense_kernel(call, name, c.type, c.rows, c.columns, (a.rows + 1) / 2, a.bytes() / 2 + b.bytes(), c.bytes());
    return call.launch({.kernel = std::move(kernel), .body = body, .output = output, .output_bytes = c.bytes()});
  });
}

// The X for which op(A) X = alpha B, in place of each B.
int batch_call(const char* name, Handle* handle, const Shape& s, const void* alpha, Matrix a, const void* const* as,
               Matrix b, void* const* bs, int batch) {
  return cublas_call(name, handle, [&](const Call& call) {
    if (!s.legal() || !a.valid() || !b.valid() || batch < 0) {
      return kInvalidValue;
    }
    if (b.empty() || batch == 0) {
      return kSuccess;
    }
    const auto factor = call.scalar(alpha, b.type);
    if (!factor) {
      return kInvalidValue;
    }
    const auto triangles = find(call, "A", a, as, batch), sides = find(call, "B", b, bs, batch);
    if (!triangles || !sides) {
      return kExecutionFailed;
    }
    const auto body = [s, triangles = *triangles, sides = *sides, scale = *factor] {
      for (size_t i = 0; i < sides.size(); ++i) {
        Dense right = read(sides[i]);
        for (double& value : right.values) {
          value *= scale;
        }
        write(sides[i], kBothTriangles, 1, solved(s, triangles[i], std::move(right)), 0);
      }
    };
    LibraryKernel kernel = dense_kernel(call, name, b.type, b.rows * batch, b.columns, (a.rows + 1) / 2,
                                        bytes_of(*triangles) / 2 + bytes_of(*sides), bytes_of(*sides));
    return call.launch({.kernel = std::move(kernel), .body = body, .output = nullptr, .output_bytes = 0});
  });
}

// x = op(A) x, or the x for which op(A) y = x.
int vector_call(const char* name, Handle* handle, const Shape& s, bool solves, Matrix a, Vector x) {
  return cublas_call(name, handle, [&](const Call& call) {
    if (!legal(name, {{1, known_triangle(s.fill)},
                      {2, known_operation(s.op)},
                      {3, known_diagonal(s.diagonal)},
                      {4, a.rows >= 0},
                      {6, legal_leading(a.leading, a.rows)},
                      {8, x.step != 0}})) {
      return kInvalidValue;
    }
    if (a.empty()) {
      return kSuccess;
    }
    void* const output = x.data;
    const uint64_t bytes = vector_bytes(x.type, x.n, x.step);
    if (!find(call, "A", a) || !find(call, "x", x)) {
      return kExecutionFailed;
    }
    const auto body = [=] { write(x, 1, solves ? solved(s, a, read(x)) : multiplied(s, a, read(x)), 0); };
    return call.launch(
        {.kernel = vector_kernel(name, a.rows * (a.rows + 1) / 2, a.bytes() / 2 + bytes, bytes, x.type, 2),
         .body = body,
         .output = output,
         .output_bytes = bytes});
  });
}

int order(int side, int m, int n) { return side == kLeft ? m : n; }

}  // namespace

#define HPML_TRIANGULAR(letter, element)                                                                               \
  HPML_LIBRARY_API int cublas##letter##trmm_v2(Handle* handle, int side, int fill, int op, int diagonal, int m, int n, \
                                               const void* alpha, const void* a, int lda, const void* b, int ldb,      \
                                               void* c, int ldc) {                                                     \
    const int k = order(side, m, n);                                                                                   \
    return matrix_call("cublas" #letter "trmm", handle, {side, fill, op, diagonal}, false, alpha,                      \
                       matrix_of(element, k, k, a, lda), matrix_of(element, m, n, b, ldb),                             \
                       matrix_of(element, m, n, c, ldc));                                                              \
  }                                                                                                                    \
  HPML_LIBRARY_API int cublas##letter##trsm_v2(Handle* handle, int side, int fill, int op, int diagonal, int m, int n, \
                                               const void* alpha, const void* a, int lda, void* b, int ldb) {          \
    const int k = order(side, m, n);                                                                                   \
    return matrix_call("cublas" #letter "trsm", handle, {side, fill, op, diagonal}, true, alpha,                       \
                       matrix_of(element, k, k, a, lda), matrix_of(element, m, n, b, ldb),                             \
                       matrix_of(element, m, n, b, ldb));                                                              \
  }                                                                                                                    \
  HPML_LIBRARY_API int cublas##letter##trsmBatched(Handle* handle, int side, int fill, int op, int diagonal, int m,    \
                                                   int n, const void* alpha, const void* const* a, int lda,            \
                                                   void* const* b, int ldb, int batch) {                               \
    const int k = order(side, m, n);                                                                                   \
    return batch_call("cublas" #letter "trsmBatched", handle, {side, fill, op, diagonal}, alpha,                       \
                      matrix_of(element, k, k, nullptr, lda), a, matrix_of(element, m, n, nullptr, ldb), b, batch);    \
  }                                                                                                                    \
  HPML_LIBRARY_API int cublas##letter##trmv_v2(Handle* handle, int fill, int op, int diagonal, int n, const void* a,   \
                                               int lda, void* x, int step) {                                           \
    return vector_call("cublas" #letter "trmv", handle, {kLeft, fill, op, diagonal}, false,                            \
                       matrix_of(element, n, n, a, lda), vector_of(element, n, x, step));                              \
  }                                                                                                                    \
  HPML_LIBRARY_API int cublas##letter##trsv_v2(Handle* handle, int fill, int op, int diagonal, int n, const void* a,   \
                                               int lda, void* x, int step) {                                           \
    return vector_call("cublas" #letter "trsv", handle, {kLeft, fill, op, diagonal}, true,                             \
                       matrix_of(element, n, n, a, lda), vector_of(element, n, x, step));                              \
  }
HPML_TRIANGULAR(S, Element::f32)
HPML_TRIANGULAR(D, Element::f64)
#undef HPML_TRIANGULAR
