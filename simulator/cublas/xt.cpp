// cuBLASXt: products of matrices that lie in the host's memory (or a GPU's), on several GPUs. Each takes a share of the
// columns of C; copies and products are the program's own calls to this library and to the runtime.
#include <algorithm>
#include <memory>
#include <vector>

#include "simulator/cublas/entry.hpp"

extern "C" {
int cudaGetDevice(int* device);
int cudaSetDevice(int device);
int cudaGetDeviceCount(int* count);
int cudaMalloc(void** pointer, size_t bytes);
int cudaFree(void* pointer);
int cudaMemcpy2D(void* dst, size_t dst_pitch, const void* src, size_t src_pitch, size_t width, size_t height, int kind);
int cublasCreate_v2(hpml::sim::cublas::Handle** handle);
int cublasDestroy_v2(hpml::sim::cublas::Handle* handle);
int cublasSgemm_v2(hpml::sim::cublas::Handle* handle, int op_a, int op_b, int m, int n, int k, const float* alpha,
                   const float* a, int lda, const float* b, int ldb, const float* beta, float* c, int ldc);
int cublasDgemm_v2(hpml::sim::cublas::Handle* handle, int op_a, int op_b, int m, int n, int k, const double* alpha,
                   const double* a, int lda, const double* b, int ldb, const double* beta, double* c, int ldc);
}

using namespace hpml::sim::cublas;  // NOLINT(google-build-using-namespace): entry points have no namespace

namespace {

constexpr int kDefaultKind = 4;  // cudaMemcpyDefault: the addresses say where they lie
constexpr size_t kMostRows = 1U << 30U;

struct XtHandle {
  std::vector<int> devices;
  int block = 2048;
  int pinning = 0;
};

int product(Handle* handle, int op_a, int op_b, int m, int n, int k, const float* alpha, const float* a, int lda,
            const float* b, int ldb, const float* beta, float* c, int ldc) {
  return cublasSgemm_v2(handle, op_a, op_b, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
}
int product(Handle* handle, int op_a, int op_b, int m, int n, int k, const double* alpha, const double* a, int lda,
            const double* b, int ldb, const double* beta, double* c, int ldc) {
  return cublasDgemm_v2(handle, op_a, op_b, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
}

// A packed copy of a matrix on the current GPU.
template <class T>
class Copied {
 public:
  Copied(size_t rows, size_t columns) : rows_(rows), columns_(columns) {
    void* place = nullptr;
    if (rows * columns > 0 && cudaMalloc(&place, rows * columns * sizeof(T)) == 0) {
      data_ = static_cast<T*>(place);
    }
  }
  Copied(const Copied&) = delete;
  Copied& operator=(const Copied&) = delete;
  ~Copied() { cudaFree(data_); }

  bool from(const T* matrix, size_t leading) { return copy(data_, rows_, matrix, leading); }
  bool to(T* matrix, size_t leading) const { return copy(matrix, leading, data_, rows_); }
  T* data() const { return data_; }
  int leading() const { return static_cast<int>(std::max<size_t>(1, rows_)); }

 private:
  bool copy(void* to, size_t to_leading, const void* from, size_t from_leading) const {
    return rows_ * columns_ == 0 ||
           (data_ != nullptr && cudaMemcpy2D(to, to_leading * sizeof(T), from, from_leading * sizeof(T),
                                             rows_ * sizeof(T), columns_, kDefaultKind) == 0);
  }
  size_t rows_, columns_;
  T* data_ = nullptr;
};

template <class T>
struct Arguments {
  int op_a, op_b;
  size_t m, n, k;
  const T *alpha, *a;
  size_t lda;
  const T* b;
  size_t ldb;
  const T* beta;
  T* c;
  size_t ldc;
};

// Columns first ... first + count - 1 of C, on the current GPU.
template <class T>
class Share {
 public:
  Share(const Arguments<T>& all, size_t first, size_t count)
      : all_(all),
        first_(first),
        a_(all.op_a == 0 ? all.m : all.k, all.op_a == 0 ? all.k : all.m),
        b_(all.op_b == 0 ? all.k : count, all.op_b == 0 ? count : all.k),
        c_(all.m, count),
        count_(count) {}

  Status begin() {
    const T* const b = all_.b + (all_.op_b == 0 ? first_ * all_.ldb : first_);
    Handle* handle = nullptr;
    if (!a_.from(all_.a, all_.lda) || !b_.from(b, all_.ldb) ||
        (*all_.beta != 0 && !c_.from(all_.c + first_ * all_.ldc, all_.ldc)) || cublasCreate_v2(&handle) != kSuccess) {
      return kExecutionFailed;
    }
    const int status = product(handle, all_.op_a, all_.op_b, static_cast<int>(all_.m), static_cast<int>(count_),
                               static_cast<int>(all_.k), all_.alpha, a_.data(), a_.leading(), b_.data(), b_.leading(),
                               all_.beta, c_.data(), c_.leading());
    cublasDestroy_v2(handle);
    return static_cast<Status>(status);
  }
  Status end() const { return c_.to(all_.c + first_ * all_.ldc, all_.ldc) ? kSuccess : kExecutionFailed; }

 private:
  const Arguments<T>& all_;
  size_t first_;
  Copied<T> a_, b_, c_;
  size_t count_;
};

template <class T>
int multiply_on_all(const XtHandle* handle, const Arguments<T>& all) {
  if (handle == nullptr || handle->devices.empty()) {
    return kNotInitialized;
  }
  const size_t a_rows = all.op_a == 0 ? all.m : all.k, b_rows = all.op_b == 0 ? all.k : all.n;
  if (all.op_a < 0 || all.op_a > 2 || all.op_b < 0 || all.op_b > 2 || all.m > kMostRows || all.n > kMostRows ||
      all.k > kMostRows || all.lda < std::max<size_t>(1, a_rows) || all.ldb < std::max<size_t>(1, b_rows) ||
      all.ldc < std::max<size_t>(1, all.m) || all.alpha == nullptr || all.beta == nullptr) {
    return kInvalidValue;
  }
  int before = 0;
  cudaGetDevice(&before);
  int status = kSuccess;
  const size_t gpus = handle->devices.size();
  std::vector<std::unique_ptr<Share<T>>> shares(gpus);
  for (size_t i = 0; i < gpus && status == kSuccess; ++i) {
    const size_t first = all.n * i / gpus, count = all.n * (i + 1) / gpus - first;
    if (count > 0) {
      cudaSetDevice(handle->devices[i]);
      shares[i] = std::make_unique<Share<T>>(all, first, count);
      status = shares[i]->begin();
    }
  }
  for (size_t i = 0; i < gpus; ++i) {
    cudaSetDevice(handle->devices[i]);
    if (shares[i] != nullptr && status == kSuccess) {
      status = shares[i]->end();
    }
    shares[i].reset();
  }
  cudaSetDevice(before);
  return status;
}

}  // namespace

HPML_LIBRARY_API int cublasXtCreate(XtHandle** handle) {
  if (handle == nullptr) {
    return kInvalidValue;
  }
  *handle = new XtHandle;
  return kSuccess;
}
HPML_LIBRARY_API int cublasXtDestroy(XtHandle* handle) {
  delete handle;
  return handle != nullptr ? kSuccess : kNotInitialized;
}
HPML_LIBRARY_API int cublasXtDeviceSelect(XtHandle* handle, int count, const int* devices) {
  int there = 0;
  if (handle == nullptr || devices == nullptr || count < 1 || cudaGetDeviceCount(&there) != 0) {
    return handle == nullptr ? kNotInitialized : kInvalidValue;
  }
  if (std::any_of(devices, devices + count, [&](int device) { return device < 0 || device >= there; })) {
    return kInvalidValue;
  }
  handle->devices.assign(devices, devices + count);
  return kSuccess;
}
// How large the tiles are that a GPU works on: kept, and without effect on results.
HPML_LIBRARY_API int cublasXtSetBlockDim(XtHandle* handle, int block) {
  if (handle == nullptr || block < 1) {
    return handle == nullptr ? kNotInitialized : kInvalidValue;
  }
  handle->block = block;
  return kSuccess;
}
HPML_LIBRARY_API int cublasXtGetBlockDim(XtHandle* handle, int* block) {
  if (handle == nullptr || block == nullptr) {
    return handle == nullptr ? kNotInitialized : kInvalidValue;
  }
  *block = handle->block;
  return kSuccess;
}
HPML_LIBRARY_API int cublasXtSetPinningMemMode(XtHandle* handle, int mode) {
  if (handle == nullptr || mode < 0 || mode > 1) {
    return handle == nullptr ? kNotInitialized : kInvalidValue;
  }
  handle->pinning = mode;
  return kSuccess;
}
HPML_LIBRARY_API int cublasXtGetPinningMemMode(XtHandle* handle, int* mode) {
  if (handle == nullptr || mode == nullptr) {
    return handle == nullptr ? kNotInitialized : kInvalidValue;
  }
  *mode = handle->pinning;
  return kSuccess;
}
HPML_LIBRARY_API int cublasXtSgemm(XtHandle* handle, int op_a, int op_b, size_t m, size_t n, size_t k,
                                   const float* alpha, const float* a, size_t lda, const float* b, size_t ldb,
                                   const float* beta, float* c, size_t ldc) {
  return multiply_on_all<float>(handle, {op_a, op_b, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc});
}
HPML_LIBRARY_API int cublasXtDgemm(XtHandle* handle, int op_a, int op_b, size_t m, size_t n, size_t k,
                                   const double* alpha, const double* a, size_t lda, const double* b, size_t ldb,
                                   const double* beta, double* c, size_t ldc) {
  return multiply_on_all<double>(handle, {op_a, op_b, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc});
}
