// Eigenvalues (syevd, syevj, sygvd and their kin) and singular values (gesvd, gesvdj).
#include "simulator/cusolver/spectral.hpp"

using namespace hpml::sim::cusolver;  // NOLINT(google-build-using-namespace): entry points have no namespace
namespace libraries = hpml::sim::libraries;

namespace {

// A x = w B x, or A B x = w x (2), or B A x = w x (3): LAPACK's sygvd. B becomes its Cholesky factor.
template <class T>
int sygvd(const char* name, Handle* handle, int kind, int mode, int fill, int n, Place a, Place b, void* w, int* info) {
  return solver_call(name, handle, [&](Job& job) {
    job.require(known_triangle(fill) && kind >= 1 && kind <= 3);
    const auto left = job.matrix<T>("A", a.data, n, n, a.leading);
    const auto right = job.matrix<T>("B", b.data, n, n, b.leading);
    const auto values = job.array<Real<T>>("the eigenvalues", w, n, true);
    int* const to = job.info(info);
    return job.launch(element_of<T>(), n, n, 6 * int64_t{n}, [=] {
      using libraries::kAdjoint;
      auto factor = right.read();
      if (const int failed = libraries::factor_cholesky(factor, fill == kLower); failed != 0) {
        *to = n + failed;
        return;
      }
      right.write(factor);
      // B = L L', whichever triangle holds it.
      const auto stored = libraries::triangle(factor, fill == kLower, false);
      const auto lower = fill == kLower ? stored : libraries::operated(stored, kAdjoint);
      auto vectors = libraries::hermitian(left.read(), fill == kLower);
      if (kind == 1) {  // L^-1 A L^-T
        libraries::solve_triangular(lower, true, vectors);
        vectors = libraries::operated(vectors, kAdjoint);
        libraries::solve_triangular(lower, true, vectors);
      } else {  // L' A L
        vectors = libraries::product(libraries::operated(lower, kAdjoint), libraries::product(vectors, lower));
      }
      const auto all = libraries::eigen_hermitian(vectors);
      if (kind == 3) {
        vectors = libraries::product(lower, vectors);
      } else {
        libraries::solve_triangular(libraries::operated(lower, kAdjoint), false, vectors);
      }
      values.write_column(all);
      if (mode != kNoVectors) {
        left.write(vectors);
      }
      *to = 0;
    });
  });
}

Wanted jacobi_vectors(int mode, bool economy, int m, int n, Place u, Place v) {
  Wanted wanted{.u = u, .v = v, .adjoint = false};
  if (mode != kNoVectors) {
    wanted.left = economy ? std::min(m, n) : m;
    wanted.right = economy ? std::min(m, n) : n;
  }
  return wanted;
}

}  // namespace

#define HPML_SINGULAR(L, T)                                                                                            \
  HPML_LIBRARY_API int cusolverDn##L##gesvd_bufferSize(Handle* h, int m, int n, int* size) {                           \
    return work_size("cusolverDn" #L "gesvd_bufferSize", h, size, int64_t{m} + n);                                     \
  }                                                                                                                    \
  HPML_LIBRARY_API int cusolverDn##L##gesvd(Handle* h, signed char u_letter, signed char v_letter, int m, int n,       \
                                            void* a, int lda, void* s, void* u, int ldu, void* v, int ldv, void*, int, \
                                            void*, int* info) {                                                        \
    Wanted wanted{.u = {u, ldu}, .v = {v, ldv}};                                                                       \
    if (m < n || !read_letters(static_cast<char>(u_letter), static_cast<char>(v_letter), m, n, wanted)) {              \
      return kInvalidValue;                                                                                            \
    }                                                                                                                  \
    return gesvd<T>("cusolverDn" #L "gesvd", h, m, n, {a, lda}, s, wanted, info);                                      \
  }                                                                                                                    \
  HPML_LIBRARY_API int cusolverDn##L##gesvdj_bufferSize(Handle* h, int, int, int m, int n, const void*, int,           \
                                                        const void*, const void*, int, const void*, int, int* size,    \
                                                        void*) {                                                       \
    return work_size("cusolverDn" #L "gesvdj_bufferSize", h, size, int64_t{m} + n);                                    \
  }                                                                                                                    \
  HPML_LIBRARY_API int cusolverDn##L##gesvdj(Handle* h, int mode, int economy, int m, int n, void* a, int lda,         \
                                             void* s, void* u, int ldu, void* v, int ldv, void*, int, int* info,       \
                                             void*) {                                                                  \
    return gesvd<T>("cusolverDn" #L "gesvdj", h, m, n, {a, lda}, s,                                                    \
                    jacobi_vectors(mode, economy != 0, m, n, {u, ldu}, {v, ldv}), info);                               \
  }                                                                                                                    \
  HPML_LIBRARY_API int cusolverDn##L##gesvdjBatched_bufferSize(Handle* h, int, int m, int n, const void*, int,         \
                                                               const void*, const void*, int, const void*, int,        \
                                                               int* size, void*, int) {                                \
    return work_size("cusolverDn" #L "gesvdjBatched_bufferSize", h, size, int64_t{m} + n);                             \
  }                                                                                                                    \
  HPML_LIBRARY_API int cusolverDn##L##gesvdjBatched(Handle* h, int mode, int m, int n, void* a, int lda, void* s,      \
                                                    void* u, int ldu, void* v, int ldv, void*, int, int* info, void*,  \
                                                    int batch) {                                                       \
    return gesvd<T>("cusolverDn" #L "gesvdjBatched", h, m, n, {a, lda}, s,                                             \
                    jacobi_vectors(mode, false, m, n, {u, ldu}, {v, ldv}), info, batch);                               \
  }
HPML_SINGULAR(S, float)
HPML_SINGULAR(D, double)
HPML_SINGULAR(C, std::complex<float>)
HPML_SINGULAR(Z, std::complex<double>)
#undef HPML_SINGULAR

// sy: of real numbers; he: of complex ones.
#define HPML_EIGEN(L, T)                                                                                               \
  HPML_LIBRARY_API int cusolverDn##L##evd_bufferSize(Handle* h, int, int, int n, const void*, int, const void*,        \
                                                     int* size) {                                                      \
    return work_size("cusolverDn" #L "evd_bufferSize", h, size, n);                                                    \
  }                                                                                                                    \
  HPML_LIBRARY_API int cusolverDn##L##evd(Handle* h, int mode, int fill, int n, void* a, int lda, void* w, void*, int, \
                                          int* info) {                                                                 \
    return syevd<T>("cusolverDn" #L "evd", h, mode, fill, n, {a, lda}, w, info);                                       \
  }                                                                                                                    \
  HPML_LIBRARY_API int cusolverDn##L##evdx_bufferSize(Handle* h, int, int, int, int n, const void*, int, Real<T>,      \
                                                      Real<T>, int, int, int*, const void*, int* size) {               \
    return work_size("cusolverDn" #L "evdx_bufferSize", h, size, n);                                                   \
  }                                                                                                                    \
  HPML_LIBRARY_API int cusolverDn##L##evdx(Handle* h, int mode, int range, int fill, int n, void* a, int lda,          \
                                           Real<T> low, Real<T> high, int first, int last, int* found, void* w, void*, \
                                           int, int* info) {                                                           \
    return syevd<T>("cusolverDn" #L "evdx", h, mode, fill, n, {a, lda}, w, info,                                       \
                    {range, low, high, first, last, found});                                                           \
  }                                                                                                                    \
  HPML_LIBRARY_API int cusolverDn##L##evj_bufferSize(Handle* h, int, int, int n, const void*, int, const void*,        \
                                                     int* size, void*) {                                               \
    return work_size("cusolverDn" #L "evj_bufferSize", h, size, n);                                                    \
  }                                                                                                                    \
  HPML_LIBRARY_API int cusolverDn##L##evj(Handle* h, int mode, int fill, int n, void* a, int lda, void* w, void*, int, \
                                          int* info, void*) {                                                          \
    return syevd<T>("cusolverDn" #L "evj", h, mode, fill, n, {a, lda}, w, info);                                       \
  }                                                                                                                    \
  HPML_LIBRARY_API int cusolverDn##L##evjBatched_bufferSize(Handle* h, int, int, int n, const void*, int, const void*, \
                                                            int* size, void*, int) {                                   \
    return work_size("cusolverDn" #L "evjBatched_bufferSize", h, size, n);                                             \
  }                                                                                                                    \
  HPML_LIBRARY_API int cusolverDn##L##evjBatched(Handle* h, int mode, int fill, int n, void* a, int lda, void* w,      \
                                                 void*, int, int* info, void*, int batch) {                            \
    return syevd<T>("cusolverDn" #L "evjBatched", h, mode, fill, n, {a, lda}, w, info, {}, batch);                     \
  }                                                                                                                    \
  HPML_LIBRARY_API int cusolverDn##L##gvd_bufferSize(Handle* h, int, int, int, int n, const void*, int, const void*,   \
                                                     int, const void*, int* size) {                                    \
    return work_size("cusolverDn" #L "gvd_bufferSize", h, size, n);                                                    \
  }                                                                                                                    \
  HPML_LIBRARY_API int cusolverDn##L##gvd(Handle* h, int kind, int mode, int fill, int n, void* a, int lda, void* b,   \
                                          int ldb, void* w, void*, int, int* info) {                                   \
    return sygvd<T>("cusolverDn" #L "gvd", h, kind, mode, fill, n, {a, lda}, {b, ldb}, w, info);                       \
  }                                                                                                                    \
  HPML_LIBRARY_API int cusolverDn##L##gvj_bufferSize(Handle* h, int, int, int, int n, const void*, int, const void*,   \
                                                     int, const void*, int* size, void*) {                             \
    return work_size("cusolverDn" #L "gvj_bufferSize", h, size, n);                                                    \
  }                                                                                                                    \
  HPML_LIBRARY_API int cusolverDn##L##gvj(Handle* h, int kind, int mode, int fill, int n, void* a, int lda, void* b,   \
                                          int ldb, void* w, void*, int, int* info, void*) {                            \
    return sygvd<T>("cusolverDn" #L "gvj", h, kind, mode, fill, n, {a, lda}, {b, ldb}, w, info);                       \
  }
HPML_EIGEN(Ssy, float)
HPML_EIGEN(Dsy, double)
HPML_EIGEN(Che, std::complex<float>)
HPML_EIGEN(Zhe, std::complex<double>)
#undef HPML_EIGEN
