// Products of complex matrices (gemm, symm, hemm, syrk, herk, syr2k, her2k, trmm, trsm) and of whole numbers (gemmEx of
// int8), and what goes element by element (geam, dgmm).
#include "simulator/cublas/task.hpp"
#include "simulator/cublas/typed_products.hpp"

using namespace hpml::sim::cublas;  // NOLINT(google-build-using-namespace): entry points have no namespace
namespace libraries = hpml::sim::libraries;

namespace {

using C32 = std::complex<float>;
using C64 = std::complex<double>;

struct Place {
  const void* data;
  int64_t leading;
};

// a and b as they lie: what operated() makes of them has the rows and columns asked for.
template <class T>
Grid<T> operand(Task& task, const char* what, Place at, int op, int64_t rows, int64_t columns) {
  task.require(known_operation(op));
  return task.matrix<T>(what, at.data, op == 0 ? rows : columns, op == 0 ? columns : rows, at.leading);
}

template <class T>
Table<Wide<T>> product_of(const Grid<T>& a, int op_a, const Grid<T>& b, int op_b) {
  return libraries::product(libraries::operated(a.read(), op_a), libraries::operated(b.read(), op_b));
}

// C = alpha A B + beta C, or B A; A is symmetric or Hermitian.
template <class T>
int symm(const char* name, Handle* handle, bool hermitian, int side, int fill, int64_t m, int64_t n, const void* alpha,
         Place a, Place b, const void* beta, Place c) {
  return task_call(name, handle, [&](Task& task) {
    task.require(legal_symm(name, side, fill, m, n, a.leading, b.leading, c.leading));
    const auto by = task.factor<T>(alpha), keep = task.factor<T>(beta);
    const int64_t order = side == kLeft ? m : n;
    const auto middle = task.matrix<T>("A", a.data, order, order, a.leading);
    const auto other = task.matrix<T>("B", b.data, m, n, b.leading);
    const auto out = task.matrix<T>("C", c.data, m, n, c.leading, true);
    return task.launch(real_element<T>, m, n, kWork<T> * order, [=] {
      const auto whole = whole_of(middle.read(), fill == kLower, hermitian), right = other.read();
      write(out, kBothTriangles, by,
            side == kLeft ? libraries::product(whole, right) : libraries::product(right, whole), keep);
    });
  });
}

enum Kind : int { kOne, kTwo, kMixed };  // A A', A B' + B A', A B'

// One triangle of C = alpha op(A) op(A)' + beta C and its kin. Hermitian: the adjoint in place of the transposed, and
// real factors where the result would not be Hermitian else.
template <class T>
int rank_k(const char* name, Handle* handle, Kind kind, bool hermitian, int fill, int op, int64_t n, int64_t k,
           const void* alpha, Place a, Place b, const void* beta, Place c) {
  return task_call(name, handle, [&](Task& task) {
    task.require(kind == kOne ? legal_rank_k(name, fill, op, n, k, a.leading, c.leading)
                              : legal_rank_2k(name, fill, op, n, k, a.leading, b.leading, c.leading));
    const Wide<T> by = hermitian && kind == kOne ? Wide<T>(task.factor<Real<T>>(alpha)) : task.factor<T>(alpha);
    const Wide<T> keep = hermitian ? Wide<T>(task.factor<Real<T>>(beta)) : task.factor<T>(beta);
    const auto left = operand<T>(task, "A", a, op, n, k);
    const auto right = kind == kOne ? left : operand<T>(task, "B", b, op, n, k);
    const auto out = task.matrix<T>("C", c.data, n, n, c.leading);
    return task.launch(real_element<T>, n, (n + 1) / 2, kWork<T> * k * (kind == kTwo ? 2 : 1), [=] {
      const int turn = hermitian ? libraries::kAdjoint : libraries::kTransposed;
      const auto x = libraries::operated(left.read(), op), y = libraries::operated(right.read(), op);
      auto sums = libraries::product(x, libraries::operated(y, turn));
      const auto swapped = kind == kTwo ? libraries::product(y, libraries::operated(x, turn)) : sums;
      for (size_t i = 0; i < sums.values.size(); ++i) {
        sums.values[i] *= by;
        sums.values[i] += kind == kTwo ? (hermitian ? libraries::conjugate(by) : by) * swapped.values[i] : Wide<T>(0);
      }
      write(out, fill, 1, sums, keep);
      for (int64_t i = 0; hermitian && i < n; ++i) {
        out.set(i, i, libraries::real_part(out.get(i, i)));
      }
    });
  });
}

using Triangle = TriangularArguments;

// C = alpha op(A) B (trmm) or the X of op(A) X = alpha B (trsm), or from the right; A is triangular.
template <class T>
void triangular_product(bool solve, const Triangle& t, const Grid<T>& a, const Grid<T>& b, Wide<T> by,
                        const Grid<T>& out) {
  const auto factor = libraries::operated(libraries::triangle(a.read(), t.fill == kLower, t.diagonal == kUnit), t.op);
  const bool lower = (t.fill == kLower) == (t.op == libraries::kAsIs);
  auto x = b.read();
  for (auto& value : x.values) {
    value *= by;
  }
  if (!solve) {
    x = t.side == kLeft ? libraries::product(factor, x) : libraries::product(x, factor);
  } else if (t.side == kLeft) {
    libraries::solve_triangular(factor, lower, x);
  } else {  // X A = B is A^T X^T = B^T
    x = libraries::operated(x, libraries::kTransposed);
    libraries::solve_triangular(libraries::operated(factor, libraries::kTransposed), !lower, x);
    x = libraries::operated(x, libraries::kTransposed);
  }
  write(out, kBothTriangles, 1, x, 0);
}

template <class T>
int triangular(const char* name, Handle* handle, bool solve, const Triangle& t, int64_t m, int64_t n, const void* alpha,
               Place a, Place b, Place c) {
  return task_call(name, handle, [&](Task& task) {
    task.require(legal_triangular(name, t, m, n, a.leading, b.leading, c.leading));
    const auto by = task.factor<T>(alpha);
    const int64_t order = t.side == kLeft ? m : n;
    const auto left = task.matrix<T>("A", a.data, order, order, a.leading);
    const auto right = task.matrix<T>("B", b.data, m, n, b.leading);
    const auto out = task.matrix<T>("C", c.data, m, n, c.leading, true);
    return task.launch(real_element<T>, m, n, kWork<T> * order / 2,
                       [=] { triangular_product(solve, t, left, right, by, out); });
  });
}

template <class T>
int trsm_batched(const char* name, Handle* handle, const Triangle& t, int64_t m, int64_t n, const void* alpha,
                 const void* const* a, int lda, void* const* b, int ldb, int batch) {
  return task_call(name, handle, [&](Task& task) {
    task.require(t.legal() && batch >= 0);
    const auto by = task.factor<T>(alpha);
    const int64_t order = t.side == kLeft ? m : n;
    const auto left = batch_of<T>(task, "A", a, batch, order, order, lda);
    const auto right = batch_of<T>(task, "B", b, batch, m, n, ldb);
    return task.launch(real_element<T>, m * batch, n, kWork<T> * order / 2, [=] {
      for (size_t i = 0; i < left.size(); ++i) {
        triangular_product(true, t, left[i], right[i], by, right[i]);
      }
    });
  });
}

// C = alpha op(A) + beta op(B); an operand whose factor is 0 is not read.
template <class T>
int geam(const char* name, Handle* handle, int op_a, int op_b, int64_t m, int64_t n, const void* alpha, Place a,
         const void* beta, Place b, Place c) {
  return task_call(name, handle, [&](Task& task) {
    const auto by_a = task.factor<T>(alpha), by_b = task.factor<T>(beta);
    const auto left = by_a != Wide<T>(0) ? operand<T>(task, "A", a, op_a, m, n) : Grid<T>{};
    const auto right = by_b != Wide<T>(0) ? operand<T>(task, "B", b, op_b, m, n) : Grid<T>{};
    const auto out = task.matrix<T>("C", c.data, m, n, c.leading, true);
    return task.launch_vector(real_element<T>, m * n, 3 * kWork<T>, [=] {
      Table<Wide<T>> sums(m, n);
      const auto add = [&](const Grid<T>& from, int op, Wide<T> by) {
        const auto all = libraries::operated(from.read(), op);
        for (size_t i = 0; i < all.values.size(); ++i) {
          sums.values[i] += by * all.values[i];
        }
      };
      add(left, op_a, by_a);
      add(right, op_b, by_b);
      write(out, kBothTriangles, 1, sums, 0);
    });
  });
}

// C = diag(x) A (left) or A diag(x)
template <class T>
int dgmm(const char* name, Handle* handle, int side, int64_t m, int64_t n, Place a, const void* x, int step, Place c) {
  return task_call(name, handle, [&](Task& task) {
    task.require(known_side(side));
    const auto from = task.matrix<T>("A", a.data, m, n, a.leading);
    const auto by = task.vector<T>("x", x, side == kLeft ? m : n, step);
    const auto out = task.matrix<T>("C", c.data, m, n, c.leading, true);
    return task.launch_vector(real_element<T>, m * n, kWork<T>, [=] {
      for (int64_t j = 0; j < n; ++j) {
        for (int64_t i = 0; i < m; ++i) {
          out.set(i, j, from.get(i, j) * by.get(side == kLeft ? i : j));
        }
      }
    });
  });
}

}  // namespace

#define HPML_PRODUCT(L, T, name)                                                                                  \
  HPML_LIBRARY_API int cublas##L##name(Handle* h, int op_a, int op_b, int m, int n, int k, const void* alpha,     \
                                       const void* a, int lda, const void* b, int ldb, const void* beta, void* c, \
                                       int ldc) {                                                                 \
    return gemm<T, T, T>("cublas" #L#name, h, {op_a, op_b, m, n, k, 1}, alpha, {a, lda, 0}, {b, ldb, 0}, beta,    \
                         {c, ldc, 0});                                                                            \
  }
#define HPML_RANK_K(L, T, name, kind, hermitian)                                                                       \
  HPML_LIBRARY_API int cublas##L##name(Handle* h, int fill, int op, int n, int k, const void* alpha, const void* a,    \
                                       int lda, const void* b, int ldb, const void* beta, void* c, int ldc) {          \
    return rank_k<T>("cublas" #L#name, h, kind, hermitian, fill, op, n, k, alpha, {a, lda}, {b, ldb}, beta, {c, ldc}); \
  }
#define HPML_RANK_ONE_K(L, T, name, hermitian)                                                                         \
  HPML_LIBRARY_API int cublas##L##name(Handle* h, int fill, int op, int n, int k, const void* alpha, const void* a,    \
                                       int lda, const void* beta, void* c, int ldc) {                                  \
    return rank_k<T>("cublas" #L#name, h, kOne, hermitian, fill, op, n, k, alpha, {a, lda}, {a, lda}, beta, {c, ldc}); \
  }
#define HPML_SYMMETRIC(L, T, name, hermitian)                                                                         \
  HPML_LIBRARY_API int cublas##L##name(Handle* h, int side, int fill, int m, int n, const void* alpha, const void* a, \
                                       int lda, const void* b, int ldb, const void* beta, void* c, int ldc) {         \
    return symm<T>("cublas" #L#name, h, hermitian, side, fill, m, n, alpha, {a, lda}, {b, ldb}, beta, {c, ldc});      \
  }
#define HPML_COMPLEX(L, T)                                                                                             \
  HPML_PRODUCT(L, T, gemm_v2)                                                                                          \
  HPML_PRODUCT(L, T, gemm3m)                                                                                           \
  HPML_LIBRARY_API int cublas##L##gemmStridedBatched(                                                                  \
      Handle* h, int op_a, int op_b, int m, int n, int k, const void* alpha, const void* a, int lda, long long step_a, \
      const void* b, int ldb, long long step_b, const void* beta, void* c, int ldc, long long step_c, int batch) {     \
    return gemm<T, T, T>("cublas" #L "gemmStridedBatched", h, {op_a, op_b, m, n, k, batch}, alpha, {a, lda, step_a},   \
                         {b, ldb, step_b}, beta, {c, ldc, step_c});                                                    \
  }                                                                                                                    \
  HPML_LIBRARY_API int cublas##L##gemmBatched(Handle* h, int op_a, int op_b, int m, int n, int k, const void* alpha,   \
                                              const void* const* a, int lda, const void* const* b, int ldb,            \
                                              const void* beta, void* const* c, int ldc, int batch) {                  \
    return gemm_lists<T, T, T>("cublas" #L "gemmBatched", h, {op_a, op_b, m, n, k, batch}, alpha, a, lda, b, ldb,      \
                               beta, c, ldc);                                                                          \
  }                                                                                                                    \
  HPML_SYMMETRIC(L, T, symm_v2, false)                                                                                 \
  HPML_SYMMETRIC(L, T, hemm_v2, true)                                                                                  \
  HPML_RANK_ONE_K(L, T, syrk_v2, false)                                                                                \
  HPML_RANK_ONE_K(L, T, herk_v2, true)                                                                                 \
  HPML_RANK_K(L, T, syr2k_v2, kTwo, false)                                                                             \
  HPML_RANK_K(L, T, her2k_v2, kTwo, true)                                                                              \
  HPML_RANK_K(L, T, syrkx, kMixed, false)                                                                              \
  HPML_RANK_K(L, T, herkx, kMixed, true)                                                                               \
  HPML_LIBRARY_API int cublas##L##trmm_v2(Handle* h, int side, int fill, int op, int diagonal, int m, int n,           \
                                          const void* alpha, const void* a, int lda, const void* b, int ldb, void* c,  \
                                          int ldc) {                                                                   \
    return triangular<T>("cublas" #L "trmm", h, false, {side, fill, op, diagonal}, m, n, alpha, {a, lda}, {b, ldb},    \
                         {c, ldc});                                                                                    \
  }                                                                                                                    \
  HPML_LIBRARY_API int cublas##L##trsm_v2(Handle* h, int side, int fill, int op, int diagonal, int m, int n,           \
                                          const void* alpha, const void* a, int lda, void* b, int ldb) {               \
    return triangular<T>("cublas" #L "trsm", h, true, {side, fill, op, diagonal}, m, n, alpha, {a, lda}, {b, ldb},     \
                         {b, ldb});                                                                                    \
  }                                                                                                                    \
  HPML_LIBRARY_API int cublas##L##trsmBatched(Handle* h, int side, int fill, int op, int diagonal, int m, int n,       \
                                              const void* alpha, const void* const* a, int lda, void* const* b,        \
                                              int ldb, int batch) {                                                    \
    return trsm_batched<T>("cublas" #L "trsmBatched", h, {side, fill, op, diagonal}, m, n, alpha, a, lda, b, ldb,      \
                           batch);                                                                                     \
  }                                                                                                                    \
  HPML_LIBRARY_API int cublas##L##geam(Handle* h, int op_a, int op_b, int m, int n, const void* alpha, const void* a,  \
                                       int lda, const void* beta, const void* b, int ldb, void* c, int ldc) {          \
    return geam<T>("cublas" #L "geam", h, op_a, op_b, m, n, alpha, {a, lda}, beta, {b, ldb}, {c, ldc});                \
  }                                                                                                                    \
  HPML_LIBRARY_API int cublas##L##dgmm(Handle* h, int side, int m, int n, const void* a, int lda, const void* x,       \
                                       int step, void* c, int ldc) {                                                   \
    return dgmm<T>("cublas" #L "dgmm", h, side, m, n, {a, lda}, x, step, {c, ldc});                                    \
  }
HPML_COMPLEX(C, C32)
HPML_COMPLEX(Z, C64)
HPML_RANK_K(S, float, syrkx, kMixed, false)
HPML_RANK_K(D, double, syrkx, kMixed, false)
#undef HPML_COMPLEX
#undef HPML_SYMMETRIC
#undef HPML_RANK_ONE_K
#undef HPML_RANK_K
#undef HPML_PRODUCT
