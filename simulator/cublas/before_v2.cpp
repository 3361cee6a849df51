// The interface of cuBLAS before version 2 (cublas.h): one handle for the process, scalars and results by value,
// letters for transposes and triangles, and an error that waits to be asked for.
#include <utility>

#include "simulator/cublas/entry.hpp"

using namespace hpml::sim::cublas;  // NOLINT(google-build-using-namespace): entry points have no namespace

extern "C" {
int cudaMalloc(void** pointer, size_t bytes);
int cudaFree(void* pointer);
int cublasCreate_v2(Handle** handle);
int cublasDestroy_v2(Handle* handle);
int cublasGetVersion_v2(Handle* handle, int* version);
}

namespace {

Handle* shared = nullptr;
int last_error = kSuccess;

void note(int status) { last_error = status != kSuccess ? status : last_error; }

// cublasOperation_t, cublasFillMode_t, cublasDiagType_t, cublasSideMode_t
bool is(char letter, char upper) { return letter == upper || letter == upper + ('a' - 'A'); }
int op(char letter) { return is(letter, 'T') ? 1 : is(letter, 'C') ? 2 : 0; }
int fill(char letter) { return is(letter, 'U') ? 1 : 0; }
int diagonal(char letter) { return is(letter, 'U') ? 1 : 0; }
int side(char letter) { return is(letter, 'R') ? 1 : 0; }

}  // namespace

HPML_LIBRARY_API int cublasInit() { return shared != nullptr ? kSuccess : cublasCreate_v2(&shared); }
HPML_LIBRARY_API int cublasShutdown() { return cublasDestroy_v2(std::exchange(shared, nullptr)); }
HPML_LIBRARY_API int cublasGetError() { return std::exchange(last_error, kSuccess); }
HPML_LIBRARY_API int cublasGetVersion(int* version) { return cublasGetVersion_v2(shared, version); }
HPML_LIBRARY_API int cublasAlloc(int n, int size, void** pointer) {
  return n > 0 && size > 0 && cudaMalloc(pointer, static_cast<size_t>(n) * static_cast<size_t>(size)) == 0
             ? kSuccess
             : kAllocFailed;
}
HPML_LIBRARY_API int cublasFree(void* pointer) { return cudaFree(pointer) == 0 ? kSuccess : kInvalidValue; }
HPML_LIBRARY_API int cublasSetKernelStream(void* stream) {
  if (shared == nullptr) {
    return kNotInitialized;
  }
  shared->stream = stream;
  return kSuccess;
}

#define HPML_BEFORE_V2(L, T)                                                                                           \
  extern "C" {                                                                                                         \
  int cublas##L##axpy_v2(Handle*, int, const void*, const void*, int, void*, int);                                     \
  int cublas##L##copy_v2(Handle*, int, const void*, int, void*, int);                                                  \
  int cublas##L##scal_v2(Handle*, int, const void*, void*, int);                                                       \
  int cublas##L##swap_v2(Handle*, int, void*, int, void*, int);                                                        \
  int cublas##L##dot_v2(Handle*, int, const void*, int, const void*, int, void*);                                      \
  int cublas##L##nrm2_v2(Handle*, int, const void*, int, void*);                                                       \
  int cublas##L##asum_v2(Handle*, int, const void*, int, void*);                                                       \
  int cublas##L##gemv_v2(Handle*, int, int, int, const void*, const void*, int, const void*, int, const void*, void*,  \
                         int);                                                                                         \
  int cublas##L##ger_v2(Handle*, int, int, const void*, const void*, int, const void*, int, void*, int);               \
  int cublas##L##gemm_v2(Handle*, int, int, int, int, int, const void*, const void*, int, const void*, int,            \
                         const void*, void*, int);                                                                     \
  int cublas##L##syrk_v2(Handle*, int, int, int, int, const void*, const void*, int, const void*, void*, int);         \
  int cublas##L##trsm_v2(Handle*, int, int, int, int, int, int, const void*, const void*, int, void*, int);            \
  int cublas##L##trsv_v2(Handle*, int, int, int, int, const void*, int, void*, int);                                   \
  }                                                                                                                    \
  HPML_LIBRARY_API void cublas##L##axpy(int n, T alpha, const T* x, int x_step, T* y, int y_step) {                    \
    note(cublas##L##axpy_v2(shared, n, &alpha, x, x_step, y, y_step));                                                 \
  }                                                                                                                    \
  HPML_LIBRARY_API void cublas##L##copy(int n, const T* x, int x_step, T* y, int y_step) {                             \
    note(cublas##L##copy_v2(shared, n, x, x_step, y, y_step));                                                         \
  }                                                                                                                    \
  HPML_LIBRARY_API void cublas##L##scal(int n, T alpha, T* x, int step) {                                              \
    note(cublas##L##scal_v2(shared, n, &alpha, x, step));                                                              \
  }                                                                                                                    \
  HPML_LIBRARY_API void cublas##L##swap(int n, T* x, int x_step, T* y, int y_step) {                                   \
    note(cublas##L##swap_v2(shared, n, x, x_step, y, y_step));                                                         \
  }                                                                                                                    \
  HPML_LIBRARY_API T cublas##L##dot(int n, const T* x, int x_step, const T* y, int y_step) {                           \
    T result = 0;                                                                                                      \
    note(cublas##L##dot_v2(shared, n, x, x_step, y, y_step, &result));                                                 \
    return result;                                                                                                     \
  }                                                                                                                    \
  HPML_LIBRARY_API T cublas##L##nrm2(int n, const T* x, int step) {                                                    \
    T result = 0;                                                                                                      \
    note(cublas##L##nrm2_v2(shared, n, x, step, &result));                                                             \
    return result;                                                                                                     \
  }                                                                                                                    \
  HPML_LIBRARY_API T cublas##L##asum(int n, const T* x, int step) {                                                    \
    T result = 0;                                                                                                      \
    note(cublas##L##asum_v2(shared, n, x, step, &result));                                                             \
    return result;                                                                                                     \
  }                                                                                                                    \
  HPML_LIBRARY_API void cublas##L##gemv(char trans, int m, int n, T alpha, const T* a, int lda, const T* x,            \
                                        int x_step, T beta, T* y, int y_step) {                                        \
    note(cublas##L##gemv_v2(shared, op(trans), m, n, &alpha, a, lda, x, x_step, &beta, y, y_step));                    \
  }                                                                                                                    \
  HPML_LIBRARY_API void cublas##L##ger(int m, int n, T alpha, const T* x, int x_step, const T* y, int y_step, T* a,    \
                                       int lda) {                                                                      \
    note(cublas##L##ger_v2(shared, m, n, &alpha, x, x_step, y, y_step, a, lda));                                       \
  }                                                                                                                    \
  HPML_LIBRARY_API void cublas##L##gemm(char trans_a, char trans_b, int m, int n, int k, T alpha, const T* a, int lda, \
                                        const T* b, int ldb, T beta, T* c, int ldc) {                                  \
    note(cublas##L##gemm_v2(shared, op(trans_a), op(trans_b), m, n, k, &alpha, a, lda, b, ldb, &beta, c, ldc));        \
  }                                                                                                                    \
  HPML_LIBRARY_API void cublas##L##syrk(char uplo, char trans, int n, int k, T alpha, const T* a, int lda, T beta,     \
                                        T* c, int ldc) {                                                               \
    note(cublas##L##syrk_v2(shared, fill(uplo), op(trans), n, k, &alpha, a, lda, &beta, c, ldc));                      \
  }                                                                                                                    \
  HPML_LIBRARY_API void cublas##L##trsm(char from, char uplo, char trans, char diag, int m, int n, T alpha,            \
                                        const T* a, int lda, T* b, int ldb) {                                          \
    note(cublas##L##trsm_v2(shared, side(from), fill(uplo), op(trans), diagonal(diag), m, n, &alpha, a, lda, b, ldb)); \
  }                                                                                                                    \
  HPML_LIBRARY_API void cublas##L##trsv(char uplo, char trans, char diag, int n, const T* a, int lda, T* x,            \
                                        int step) {                                                                    \
    note(cublas##L##trsv_v2(shared, fill(uplo), op(trans), diagonal(diag), n, a, lda, x, step));                       \
  }
HPML_BEFORE_V2(S, float)
HPML_BEFORE_V2(D, double)

#define HPML_INDEX_BEFORE_V2(NAME, T)                                     \
  extern "C" int cublas##NAME##_v2(Handle*, int, const void*, int, int*); \
  HPML_LIBRARY_API int cublas##NAME(int n, const T* x, int step) {        \
    int result = 0;                                                       \
    note(cublas##NAME##_v2(shared, n, x, step, &result));                 \
    return result;                                                        \
  }
HPML_INDEX_BEFORE_V2(Isamax, float)
HPML_INDEX_BEFORE_V2(Isamin, float)
HPML_INDEX_BEFORE_V2(Idamax, double)
HPML_INDEX_BEFORE_V2(Idamin, double)
