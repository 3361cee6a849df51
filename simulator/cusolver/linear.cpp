// Linear systems: LU, Cholesky and QR factorisations, and what is solved with them.
#include <array>

#include "simulator/cusolver/linear.hpp"

using namespace hpml::sim::cusolver;  // NOLINT(google-build-using-namespace): entry points have no namespace
namespace libraries = hpml::sim::libraries;

namespace {

// The inverse from a Cholesky factor, on the triangle where that was.
template <class T>
int potri(const char* name, Handle* handle, int fill, int n, Place a, int* info) {
  return solver_call(name, handle, [&](Job& job) {
    job.require(known_triangle(fill));
    const auto matrix = job.matrix<T>("A", a.data, n, n, a.leading);
    int* const to = job.info(info);
    return job.launch(element_of<T>(), n, n, n / 3, [=] {
      auto factor = matrix.read();
      auto inverse = libraries::identity<Wide<T>>(n, n);
      libraries::solve_cholesky(factor, fill == kLower, inverse);
      for (int64_t j = 0; j < n; ++j) {
        for (int64_t i = fill == kLower ? j : 0; i < (fill == kLower ? n : j + 1); ++i) {
          factor.at(i, j) = inverse.at(i, j);
        }
      }
      matrix.write(factor);
      *to = 0;
    });
  });
}

// The first n columns of Q, from k reflectors.
template <class T>
int orgqr(const char* name, Handle* handle, int m, int n, int k, Place a, const void* tau, int* info) {
  return solver_call(name, handle, [&](Job& job) {
    job.require(m >= n && n >= k && k >= 0);
    const auto matrix = job.matrix<T>("A", a.data, m, n, a.leading);
    const auto factors = job.array<T>("tau", tau, k);
    int* const to = job.info(info);
    return job.launch(element_of<T>(), m, n, k, [=] {
      const std::vector<Wide<T>> taus(factors.data, factors.data + k);
      auto q = libraries::identity<Wide<T>>(m, n);
      libraries::apply_q(matrix.read(), taus, false, q);
      matrix.write(q);
      *to = 0;
    });
  });
}

// C = op(Q) C, or C op(Q)
template <class T>
int ormqr(const char* name, Handle* handle, int side, int op, std::array<int, 3> mnk, Place a, const void* tau, Place c,
          int* info) {
  return solver_call(name, handle, [&](Job& job) {
    const auto [m, n, k] = mnk;
    const int order = side == kLeft ? m : n;
    job.require((side == kLeft || side == kRight) && known_operation(op) && k >= 0 && k <= order);
    const auto reflectors = job.matrix<T>("A", a.data, order, k, a.leading);
    const auto factors = job.array<T>("tau", tau, k);
    const auto matrix = job.matrix<T>("C", c.data, m, n, c.leading);
    int* const to = job.info(info);
    return job.launch(element_of<T>(), m, n, 2 * k, [=, k = k] {
      const std::vector<Wide<T>> taus(factors.data, factors.data + k);
      // C op(Q) is the adjoint of op(Q)' C'.
      auto x = libraries::operated(matrix.read(), side == kLeft ? libraries::kAsIs : libraries::kAdjoint);
      libraries::apply_q(reflectors.read(), taus, (op != libraries::kAsIs) == (side == kLeft), x);
      matrix.write(libraries::operated(x, side == kLeft ? libraries::kAsIs : libraries::kAdjoint));
      *to = 0;
    });
  });
}

// The lists of pointers of batched functions.
template <class T>
std::vector<Grid<T>> batch_of(Job& job, const char* what, const void* list, int batch, int64_t rows, int64_t columns,
                              int64_t leading) {
  const auto pointers = job.array<const void*>(what, list, batch);
  std::vector<Grid<T>> all;
  for (int64_t i = 0; pointers.data != nullptr && i < batch; ++i) {
    all.push_back(job.matrix<T>(what, pointers.data[i], rows, columns, leading));
  }
  return all;
}

template <class T>
int potrf_batched(const char* name, Handle* handle, int fill, int n, Place a, int* info, int batch) {
  return solver_call(name, handle, [&](Job& job) {
    job.require(known_triangle(fill) && batch >= 0);
    const auto all = batch_of<T>(job, "A", a.data, batch, n, n, a.leading);
    int* const to = job.info(info, batch);
    return job.launch(element_of<T>(), int64_t{n} * batch, n, n / 6, [=] {
      for (size_t i = 0; i < all.size(); ++i) {
        auto factor = all[i].read();
        to[i] = libraries::factor_cholesky(factor, fill == kLower);
        all[i].write(factor);
      }
    });
  });
}

template <class T>
int potrs_batched(const char* name, Handle* handle, int fill, int n, int sides, Place a, Place b, int* info,
                  int batch) {
  return solver_call(name, handle, [&](Job& job) {
    job.require(known_triangle(fill) && batch >= 0);
    const auto factors = batch_of<T>(job, "A", a.data, batch, n, n, a.leading);
    const auto right = batch_of<T>(job, "B", b.data, batch, n, sides, b.leading);
    int* const to = job.info(info);
    return job.launch(element_of<T>(), int64_t{n} * batch, sides, n, [=] {
      for (size_t i = 0; i < factors.size(); ++i) {
        auto x = right[i].read();
        libraries::solve_cholesky(factors[i].read(), fill == kLower, x);
        right[i].write(x);
      }
      *to = 0;
    });
  });
}

struct Iterative {  // of the solvers with refinement: what they report beside the result
  int* iterations;
  int* info;
};

// The solvers that may work in a lower precision and refine: here they work in the full one at once.
template <class T>
int gesv(const char* name, Handle* handle, int n, int sides, Place a, int* pivots, Place b, Place x, Iterative out) {
  return solver_call(name, handle, [&](Job& job) {
    const auto matrix = job.matrix<T>("A", a.data, n, n, a.leading);
    const auto rows = pivots != nullptr ? job.array<int>("the pivots", pivots, n, true) : Grid<int>{};
    const auto right = job.matrix<T>("B", b.data, n, sides, b.leading);
    const auto result = job.matrix<T>("X", x.data, n, sides, x.leading, true);
    int* const to = job.info(out.info);
    if (out.iterations != nullptr) {
      *out.iterations = 0;
    }
    return job.launch(element_of<T>(), n, n, n / 3, [=] {
      auto lu = matrix.read();
      libraries::Pivots exchanged;
      *to = libraries::factor_lu(lu, &exchanged);
      rows.write_column(exchanged);
      auto solved = right.read();
      if (*to == 0) {
        libraries::solve_lu(lu, exchanged, libraries::kAsIs, solved);
        result.write(solved);
      }
    });
  });
}

template <class T>
int gels(const char* name, Handle* handle, int m, int n, int sides, Place a, Place b, Place x, Iterative out) {
  return solver_call(name, handle, [&](Job& job) {
    job.require(m >= n);
    const auto matrix = job.matrix<T>("A", a.data, m, n, a.leading);
    const auto right = job.matrix<T>("B", b.data, m, sides, b.leading);
    const auto result = job.matrix<T>("X", x.data, n, sides, x.leading, true);
    int* const to = job.info(out.info);
    if (out.iterations != nullptr) {
      *out.iterations = 0;
    }
    return job.launch(element_of<T>(), m, n, n, [=] {
      auto qr = matrix.read(), solved = right.read();
      const auto taus = libraries::factor_qr(qr);
      libraries::apply_q(qr, taus, true, solved);
      Table<Wide<T>> top(n, sides);
      for (int64_t j = 0; j < sides; ++j) {
        std::copy_n(solved.column(j), n, top.column(j));
      }
      libraries::solve_triangular(libraries::triangle(qr, false, false), false, top);
      result.write(top);
      *to = 0;
    });
  });
}

}  // namespace

#define HPML_LINEAR(L, T)                                                                                              \
  HPML_LIBRARY_API int cusolverDn##L##getrf_bufferSize(Handle* h, int m, int n, void*, int, int* size) {               \
    return work_size("cusolverDn" #L "getrf_bufferSize", h, size, int64_t{m} * n);                                     \
  }                                                                                                                    \
  HPML_LIBRARY_API int cusolverDn##L##getrf(Handle* h, int m, int n, void* a, int lda, void*, int* pivots,             \
                                            int* info) {                                                               \
    return getrf<T>("cusolverDn" #L "getrf", h, m, n, {a, lda}, pivots, info);                                         \
  }                                                                                                                    \
  HPML_LIBRARY_API int cusolverDn##L##getrs(Handle* h, int op, int n, int sides, const void* a, int lda,               \
                                            const int* pivots, void* b, int ldb, int* info) {                          \
    return getrs<T>("cusolverDn" #L "getrs", h, op, n, sides, {a, lda}, pivots, {b, ldb}, info);                       \
  }                                                                                                                    \
  HPML_LIBRARY_API int cusolverDn##L##potrf_bufferSize(Handle* h, int, int n, void*, int, int* size) {                 \
    return work_size("cusolverDn" #L "potrf_bufferSize", h, size, n);                                                  \
  }                                                                                                                    \
  HPML_LIBRARY_API int cusolverDn##L##potrf(Handle* h, int fill, int n, void* a, int lda, void*, int, int* info) {     \
    return potrf<T>("cusolverDn" #L "potrf", h, fill, n, {a, lda}, info);                                              \
  }                                                                                                                    \
  HPML_LIBRARY_API int cusolverDn##L##potrs(Handle* h, int fill, int n, int sides, const void* a, int lda, void* b,    \
                                            int ldb, int* info) {                                                      \
    return potrs<T>("cusolverDn" #L "potrs", h, fill, n, sides, {a, lda}, {b, ldb}, info);                             \
  }                                                                                                                    \
  HPML_LIBRARY_API int cusolverDn##L##potri_bufferSize(Handle* h, int, int n, void*, int, int* size) {                 \
    return work_size("cusolverDn" #L "potri_bufferSize", h, size, n);                                                  \
  }                                                                                                                    \
  HPML_LIBRARY_API int cusolverDn##L##potri(Handle* h, int fill, int n, void* a, int lda, void*, int, int* info) {     \
    return potri<T>("cusolverDn" #L "potri", h, fill, n, {a, lda}, info);                                              \
  }                                                                                                                    \
  HPML_LIBRARY_API int cusolverDn##L##potrfBatched(Handle* h, int fill, int n, void** a, int lda, int* info,           \
                                                   int batch) {                                                        \
    return potrf_batched<T>("cusolverDn" #L "potrfBatched", h, fill, n, {a, lda}, info, batch);                        \
  }                                                                                                                    \
  HPML_LIBRARY_API int cusolverDn##L##potrsBatched(Handle* h, int fill, int n, int sides, void** a, int lda, void** b, \
                                                   int ldb, int* info, int batch) {                                    \
    return potrs_batched<T>("cusolverDn" #L "potrsBatched", h, fill, n, sides, {a, lda}, {b, ldb}, info, batch);       \
  }                                                                                                                    \
  HPML_LIBRARY_API int cusolverDn##L##geqrf_bufferSize(Handle* h, int, int n, void*, int, int* size) {                 \
    return work_size("cusolverDn" #L "geqrf_bufferSize", h, size, n);                                                  \
  }                                                                                                                    \
  HPML_LIBRARY_API int cusolverDn##L##geqrf(Handle* h, int m, int n, void* a, int lda, void* tau, void*, int,          \
                                            int* info) {                                                               \
    return geqrf<T>("cusolverDn" #L "geqrf", h, m, n, {a, lda}, tau, info);                                            \
  }
HPML_LINEAR(S, float)
HPML_LINEAR(D, double)
HPML_LINEAR(C, std::complex<float>)
HPML_LINEAR(Z, std::complex<double>)
#undef HPML_LINEAR

// or: of real numbers; un: of complex ones.
#define HPML_ORTHOGONAL(L, T)                                                                                       \
  HPML_LIBRARY_API int cusolverDn##L##gqr_bufferSize(Handle* h, int, int n, int, const void*, int, const void*,     \
                                                     int* size) {                                                   \
    return work_size("cusolverDn" #L "gqr_bufferSize", h, size, n);                                                 \
  }                                                                                                                 \
  HPML_LIBRARY_API int cusolverDn##L##gqr(Handle* h, int m, int n, int k, void* a, int lda, const void* tau, void*, \
                                          int, int* info) {                                                         \
    return orgqr<T>("cusolverDn" #L "gqr", h, m, n, k, {a, lda}, tau, info);                                        \
  }                                                                                                                 \
  HPML_LIBRARY_API int cusolverDn##L##mqr_bufferSize(Handle* h, int, int, int, int n, int, const void*, int,        \
                                                     const void*, const void*, int, int* size) {                    \
    return work_size("cusolverDn" #L "mqr_bufferSize", h, size, n);                                                 \
  }                                                                                                                 \
  HPML_LIBRARY_API int cusolverDn##L##mqr(Handle* h, int side, int op, int m, int n, int k, const void* a, int lda, \
                                          const void* tau, void* c, int ldc, void*, int, int* info) {               \
    return ormqr<T>("cusolverDn" #L "mqr", h, side, op, {m, n, k}, {a, lda}, tau, {c, ldc}, info);                  \
  }
HPML_ORTHOGONAL(Sor, float)
HPML_ORTHOGONAL(Dor, double)
HPML_ORTHOGONAL(Cun, std::complex<float>)
HPML_ORTHOGONAL(Zun, std::complex<double>)
#undef HPML_ORTHOGONAL

// The first letter: the type of A, B and X; the second: the lowest precision that the solver may use.
#define HPML_REFINED(L, T)                                                                                             \
  HPML_LIBRARY_API int cusolverDn##L##gesv_bufferSize(Handle* h, int n, int, void*, int, int*, void*, int, void*, int, \
                                                      void*, size_t* size) {                                           \
    return work_size("cusolverDn" #L "gesv_bufferSize", h, size, n);                                                   \
  }                                                                                                                    \
  HPML_LIBRARY_API int cusolverDn##L##gesv(Handle* h, int n, int sides, void* a, int lda, int* pivots, void* b,        \
                                           int ldb, void* x, int ldx, void*, size_t, int* iterations, int* info) {     \
    return gesv<T>("cusolverDn" #L "gesv", h, n, sides, {a, lda}, pivots, {b, ldb}, {x, ldx}, {iterations, info});     \
  }                                                                                                                    \
  HPML_LIBRARY_API int cusolverDn##L##gels_bufferSize(Handle* h, int, int n, int, void*, int, void*, int, void*, int,  \
                                                      void*, size_t* size) {                                           \
    return work_size("cusolverDn" #L "gels_bufferSize", h, size, n);                                                   \
  }                                                                                                                    \
  HPML_LIBRARY_API int cusolverDn##L##gels(Handle* h, int m, int n, int sides, void* a, int lda, void* b, int ldb,     \
                                           void* x, int ldx, void*, size_t, int* iterations, int* info) {              \
    return gels<T>("cusolverDn" #L "gels", h, m, n, sides, {a, lda}, {b, ldb}, {x, ldx}, {iterations, info});          \
  }
HPML_REFINED(SS, float)
HPML_REFINED(SH, float)
HPML_REFINED(SB, float)
HPML_REFINED(SX, float)
HPML_REFINED(DD, double)
HPML_REFINED(DS, double)
HPML_REFINED(DH, double)
HPML_REFINED(DB, double)
HPML_REFINED(DX, double)
HPML_REFINED(CC, std::complex<float>)
HPML_REFINED(ZZ, std::complex<double>)
HPML_REFINED(ZC, std::complex<double>)
#undef HPML_REFINED
