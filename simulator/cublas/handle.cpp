// Handles, modes, versions, and the copies of vectors and matrices.
#include <cstring>

#include "simulator/cublas/entry.hpp"

extern "C" {
int cudaMemcpy2D(void* dst, size_t dst_pitch, const void* src, size_t src_pitch, size_t width, size_t height, int kind);
int cudaMemcpy2DAsync(void* dst, size_t dst_pitch, const void* src, size_t src_pitch, size_t width, size_t height,
                      int kind, void* stream);
}

using namespace hpml::sim::cublas;  // NOLINT(google-build-using-namespace): entry points have no namespace

namespace {

constexpr int kHostToDevice = 1, kDeviceToHost = 2;

template <class T>
int get(const char* name, Handle* handle, T* to, T value) {
  return cublas_call(name, handle, [&](const Call&) {
    if (to == nullptr) {
      return kInvalidValue;
    }
    *to = value;
    return kSuccess;
  });
}

}  // namespace

HPML_LIBRARY_API int cublasCreate_v2(Handle** handle) {
  return hpml::sim::libraries::library_call("cublasCreate", status_name, kNotInitialized,
                                            [&](Runtime&, Context&, ApiRecord&) -> int {
                                              if (handle == nullptr) {
                                                return kInvalidValue;
                                              }
                                              *handle = new Handle;
                                              return kSuccess;
                                            });
}
HPML_LIBRARY_API int cublasDestroy_v2(Handle* handle) {
  return cublas_call("cublasDestroy", handle, [&](const Call&) {
    delete handle;
    return kSuccess;
  });
}
HPML_LIBRARY_API int cublasSetStream_v2(Handle* handle, void* stream) {
  return cublas_call("cublasSetStream", handle, [&](const Call& call) {
    if (call.runtime.stream(stream).stream == nullptr) {
      return kInvalidValue;
    }
    handle->stream = stream;
    return kSuccess;
  });
}
HPML_LIBRARY_API int cublasGetStream_v2(Handle* handle, void** stream) {
  return get("cublasGetStream", handle, stream, handle != nullptr ? handle->stream : nullptr);
}
HPML_LIBRARY_API int cublasSetPointerMode_v2(Handle* handle, int mode) {
  return cublas_call("cublasSetPointerMode", handle, [&](const Call&) {
    handle->device_scalars = mode == 1;
    return mode == 0 || mode == 1 ? kSuccess : kInvalidValue;
  });
}
HPML_LIBRARY_API int cublasGetPointerMode_v2(Handle* handle, int* mode) {
  return get("cublasGetPointerMode", handle, mode, handle != nullptr && handle->device_scalars ? 1 : 0);
}
HPML_LIBRARY_API int cublasSetMathMode(Handle* handle, int mode) {
  return cublas_call("cublasSetMathMode", handle, [&](const Call&) {
    handle->math_mode = mode;
    return mode >= 0 ? kSuccess : kInvalidValue;
  });
}
HPML_LIBRARY_API int cublasGetMathMode(Handle* handle, int* mode) {
  return get("cublasGetMathMode", handle, mode, handle != nullptr ? handle->math_mode : 0);
}
HPML_LIBRARY_API int cublasSetAtomicsMode(Handle* handle, int mode) {
  return cublas_call("cublasSetAtomicsMode", handle, [&](const Call&) {
    handle->atomics_mode = mode;
    return kSuccess;
  });
}
HPML_LIBRARY_API int cublasSetWorkspace_v2(Handle* handle, void*, size_t) {
  return cublas_call("cublasSetWorkspace", handle, [](const Call&) { return kSuccess; });
}
HPML_LIBRARY_API int cublasGetVersion_v2(Handle*, int* version) {
  if (version == nullptr) {
    return kInvalidValue;
  }
  *version = hpml::sim::libraries::major() * 10000 + 100;
  return kSuccess;
}
HPML_LIBRARY_API int cublasGetProperty(int type, int* value) {
  const int parts[] = {hpml::sim::libraries::major(), 1, 0};
  if (value == nullptr || type < 0 || type > 2) {
    return kInvalidValue;
  }
  *value = parts[type];
  return kSuccess;
}
HPML_LIBRARY_API size_t cublasGetCudartVersion() { return static_cast<size_t>(hpml::sim::libraries::major()) * 1000; }
HPML_LIBRARY_API const char* cublasGetStatusName(int status) { return status_name(status); }
HPML_LIBRARY_API const char* cublasGetStatusString(int status) { return status_name(status); }

// Columns of `rows` elements, `lda` apart; a vector is a matrix of one row.
HPML_LIBRARY_API int cublasSetMatrix(int rows, int cols, int size, const void* from, int lda, void* to, int ldb) {
  const auto bytes = static_cast<size_t>(size);
  const int error = cudaMemcpy2D(to, static_cast<size_t>(ldb) * bytes, from, static_cast<size_t>(lda) * bytes,
                                 static_cast<size_t>(rows) * bytes, static_cast<size_t>(cols), kHostToDevice);
  return error == 0 ? kSuccess : kMappingError;
}
HPML_LIBRARY_API int cublasGetMatrix(int rows, int cols, int size, const void* from, int lda, void* to, int ldb) {
  const auto bytes = static_cast<size_t>(size);
  const int error = cudaMemcpy2D(to, static_cast<size_t>(ldb) * bytes, from, static_cast<size_t>(lda) * bytes,
                                 static_cast<size_t>(rows) * bytes, static_cast<size_t>(cols), kDeviceToHost);
  return error == 0 ? kSuccess : kMappingError;
}
HPML_LIBRARY_API int cublasSetMatrixAsync(int rows, int cols, int size, const void* from, int lda, void* to, int ldb,
                                          void* stream) {
  const auto bytes = static_cast<size_t>(size);
  const int error =
      cudaMemcpy2DAsync(to, static_cast<size_t>(ldb) * bytes, from, static_cast<size_t>(lda) * bytes,
                        static_cast<size_t>(rows) * bytes, static_cast<size_t>(cols), kHostToDevice, stream);
  return error == 0 ? kSuccess : kMappingError;
}
HPML_LIBRARY_API int cublasGetMatrixAsync(int rows, int cols, int size, const void* from, int lda, void* to, int ldb,
                                          void* stream) {
  const auto bytes = static_cast<size_t>(size);
  const int error =
      cudaMemcpy2DAsync(to, static_cast<size_t>(ldb) * bytes, from, static_cast<size_t>(lda) * bytes,
                        static_cast<size_t>(rows) * bytes, static_cast<size_t>(cols), kDeviceToHost, stream);
  return error == 0 ? kSuccess : kMappingError;
}
HPML_LIBRARY_API int cublasSetVectorAsync(int n, int size, const void* from, int from_step, void* to, int to_step,
                                          void* stream) {
  return cublasSetMatrixAsync(1, n, size, from, from_step, to, to_step, stream);
}
HPML_LIBRARY_API int cublasGetVectorAsync(int n, int size, const void* from, int from_step, void* to, int to_step,
                                          void* stream) {
  return cublasGetMatrixAsync(1, n, size, from, from_step, to, to_step, stream);
}
HPML_LIBRARY_API int cublasSetVector(int n, int size, const void* from, int from_step, void* to, int to_step) {
  return cublasSetMatrix(1, n, size, from, from_step, to, to_step);
}
HPML_LIBRARY_API int cublasGetVector(int n, int size, const void* from, int from_step, void* to, int to_step) {
  return cublasGetMatrix(1, n, size, from, from_step, to, to_step);
}

// Logs are those of `GPUSIM_LOG`; how many multiprocessors a product may use has no effect.
HPML_LIBRARY_API int cublasLoggerConfigure(int, int, int, const char*) { return kSuccess; }
HPML_LIBRARY_API int cublasSetLoggerCallback(void*) { return kSuccess; }
HPML_LIBRARY_API int cublasGetLoggerCallback(void** callback) {
  if (callback == nullptr) {
    return kInvalidValue;
  }
  *callback = nullptr;
  return kSuccess;
}
HPML_LIBRARY_API int cublasSetSmCountTarget(Handle* handle, int) {
  return cublas_call("cublasSetSmCountTarget", handle, [](const Call&) { return kSuccess; });
}
