// The functions of 64-bit sizes, which are told the type of the elements.
#include "simulator/cusolver/spectral.hpp"

using namespace hpml::sim::cusolver;  // NOLINT(google-build-using-namespace): entry points have no namespace
namespace libraries = hpml::sim::libraries;

namespace {

int sizes(const char* name, const Handle* handle, size_t* device, size_t* host, int64_t bytes) {
  if (const int status = work_size(name, handle, device, bytes); status != kSuccess) {
    return status;
  }
  return work_size(name, handle, host, bytes);
}

// f(an element) -> status
template <class F>
int of_type(const char* name, int type, F f) {
  int status = kNotSupported;
  if (!with_type(type, [&](auto element) { status = f(element); })) {
    libraries::say_not_supported(std::string(name) + " of matrices of cudaDataType " + std::to_string(type));
  }
  return status;
}

// The inverse of a triangular matrix, in its place.
template <class T>
int trtri(const char* name, Handle* handle, int fill, bool unit, int64_t n, Place a, int* info) {
  return solver_call(name, handle, [&](Job& job) {
    job.require(known_triangle(fill));
    const auto matrix = job.matrix<T>("A", a.data, n, n, a.leading);
    int* const to = job.info(info);
    return job.launch(element_of<T>(), n, n, n / 3, [=] {
      auto whole = matrix.read();
      const auto t = libraries::triangle(whole, fill == kLower, unit);
      *to = 0;
      for (int64_t k = n; k-- > 0;) {
        *to = t.at(k, k) == Wide<T>(0) ? static_cast<int>(k + 1) : *to;
      }
      auto inverse = libraries::identity<Wide<T>>(n, n);
      if (*to != 0) {
        return;
      }
      libraries::solve_triangular(t, fill == kLower, inverse);
      for (int64_t j = 0; j < n; ++j) {
        for (int64_t i = fill == kLower ? j : 0; i < (fill == kLower ? n : j + 1); ++i) {
          whole.at(i, j) = i == j && unit ? whole.at(i, j) : inverse.at(i, j);
        }
      }
      matrix.write(whole);
    });
  });
}

}  // namespace

HPML_LIBRARY_API int cusolverDnXgetrf_bufferSize(Handle* h, void*, int64_t, int64_t n, int, const void*, int64_t, int,
                                                 size_t* device, size_t* host) {
  return sizes("cusolverDnXgetrf_bufferSize", h, device, host, 8 * n);
}
HPML_LIBRARY_API int cusolverDnXgetrf(Handle* h, void*, int64_t m, int64_t n, int type, void* a, int64_t lda,
                                      int64_t* pivots, int, void*, size_t, void*, size_t, int* info) {
  return of_type("cusolverDnXgetrf", type, [&](auto e) {
    return getrf<decltype(e)>("cusolverDnXgetrf", h, m, n, {a, lda}, pivots, info);
  });
}
HPML_LIBRARY_API int cusolverDnXgetrs(Handle* h, void*, int op, int64_t n, int64_t sides, int type, const void* a,
                                      int64_t lda, const int64_t* pivots, int, void* b, int64_t ldb, int* info) {
  return of_type("cusolverDnXgetrs", type, [&](auto e) {
    return getrs<decltype(e)>("cusolverDnXgetrs", h, op, n, sides, {a, lda}, pivots, {b, ldb}, info);
  });
}
HPML_LIBRARY_API int cusolverDnXpotrf_bufferSize(Handle* h, void*, int, int64_t n, int, const void*, int64_t, int,
                                                 size_t* device, size_t* host) {
  return sizes("cusolverDnXpotrf_bufferSize", h, device, host, 8 * n);
}
HPML_LIBRARY_API int cusolverDnXpotrf(Handle* h, void*, int fill, int64_t n, int type, void* a, int64_t lda, int, void*,
                                      size_t, void*, size_t, int* info) {
  return of_type("cusolverDnXpotrf", type, [&](auto e) {
    return potrf<decltype(e)>("cusolverDnXpotrf", h, fill, n, {a, lda}, info);
  });
}
HPML_LIBRARY_API int cusolverDnXpotrs(Handle* h, void*, int fill, int64_t n, int64_t sides, int type, const void* a,
                                      int64_t lda, int, void* b, int64_t ldb, int* info) {
  return of_type("cusolverDnXpotrs", type, [&](auto e) {
    return potrs<decltype(e)>("cusolverDnXpotrs", h, fill, n, sides, {a, lda}, {b, ldb}, info);
  });
}
HPML_LIBRARY_API int cusolverDnXgeqrf_bufferSize(Handle* h, void*, int64_t, int64_t n, int, const void*, int64_t, int,
                                                 const void*, int, size_t* device, size_t* host) {
  return sizes("cusolverDnXgeqrf_bufferSize", h, device, host, 8 * n);
}
HPML_LIBRARY_API int cusolverDnXgeqrf(Handle* h, void*, int64_t m, int64_t n, int type, void* a, int64_t lda, int,
                                      void* tau, int, void*, size_t, void*, size_t, int* info) {
  return of_type("cusolverDnXgeqrf", type, [&](auto e) {
    return geqrf<decltype(e)>("cusolverDnXgeqrf", h, m, n, {a, lda}, tau, info);
  });
}
HPML_LIBRARY_API int cusolverDnXsyevd_bufferSize(Handle* h, void*, int, int, int64_t n, int, const void*, int64_t, int,
                                                 const void*, int, size_t* device, size_t* host) {
  return sizes("cusolverDnXsyevd_bufferSize", h, device, host, 8 * n);
}
HPML_LIBRARY_API int cusolverDnXsyevd(Handle* h, void*, int mode, int fill, int64_t n, int type, void* a, int64_t lda,
                                      int, void* w, int, void*, size_t, void*, size_t, int* info) {
  return of_type("cusolverDnXsyevd", type, [&](auto e) {
    return syevd<decltype(e)>("cusolverDnXsyevd", h, mode, fill, n, {a, lda}, w, info);
  });
}
HPML_LIBRARY_API int cusolverDnXgesvd_bufferSize(Handle* h, void*, signed char, signed char, int64_t m, int64_t n, int,
                                                 const void*, int64_t, int, const void*, int, const void*, int64_t, int,
                                                 const void*, int64_t, int, size_t* device, size_t* host) {
  return sizes("cusolverDnXgesvd_bufferSize", h, device, host, 8 * (m + n));
}
HPML_LIBRARY_API int cusolverDnXgesvd(Handle* h, void*, signed char u_letter, signed char v_letter, int64_t m,
                                      int64_t n, int type, void* a, int64_t lda, int, void* s, int, void* u,
                                      int64_t ldu, int, void* v, int64_t ldv, int, void*, size_t, void*, size_t,
                                      int* info) {
  Wanted wanted{.u = {u, ldu}, .v = {v, ldv}};
  if (!read_letters(static_cast<char>(u_letter), static_cast<char>(v_letter), m, n, wanted)) {
    return kInvalidValue;
  }
  return of_type("cusolverDnXgesvd", type, [&](auto e) {
    return gesvd<decltype(e)>("cusolverDnXgesvd", h, m, n, {a, lda}, s, wanted, info);
  });
}
HPML_LIBRARY_API int cusolverDnXtrtri_bufferSize(Handle* h, int, int, int64_t n, int, void*, int64_t, size_t* device,
                                                 size_t* host) {
  return sizes("cusolverDnXtrtri_bufferSize", h, device, host, 8 * n);
}
HPML_LIBRARY_API int cusolverDnXtrtri(Handle* h, int fill, int diagonal, int64_t n, int type, void* a, int64_t lda,
                                      void*, size_t, void*, size_t, int* info) {
  return of_type("cusolverDnXtrtri", type, [&](auto e) {
    return trtri<decltype(e)>("cusolverDnXtrtri", h, fill, diagonal != 0, n, {a, lda}, info);
  });
}
