#pragma once
// The frames of cuSPARSE's entry points.
#include <fmt/format.h>

#include "simulator/cusparse/matrix.hpp"
#include "simulator/libraries/frame.hpp"

namespace hpml::sim::cusparse {

using libraries::ApiRecord;
using libraries::Context;
using libraries::Error;
using libraries::LibraryKernel;
using libraries::Runtime;

enum Status : int {  // cusparseStatus_t
  kSuccess = 0,
  kNotInitialized = 1,
  kInvalidValue = 3,
  kExecutionFailed = 6,
  kZeroPivot = 9,
  kNotSupported = 10
};
const char* status_name(int status);

struct Handle {
  void* stream = nullptr;
  bool device_scalars = false;
};

template <class Body>
int descriptor_call(const char* name, Body body) {
  return libraries::host_call(name, status_name, [&]() -> int { return body(); });
}

constexpr size_t kBufferBytes = 256;  // what calls ask for that need a buffer on a GPU; nothing is kept there

// For calls that ask for kBufferBytes. Where their external buffer is missing the real library (12.6, on an H100)
// returns kInvalidValue and writes this line, with the number of the parameter.
bool has_buffer(const char* name, int parameter, const void* buffer);

// What a call about the device may use. Its arrays are found one by one; the first that is missing decides `status`.
struct Call {
  Runtime& runtime;
  Context& context;
  ApiRecord& record;
  Handle& handle;
  Status status = kSuccess;

  void* find(const char* what, const void* pointer, uint64_t bytes) {
    void* found =
        bytes > 0 && status == kSuccess ? libraries::device_data(runtime, record, what, pointer, bytes) : nullptr;
    status = bytes > 0 && found == nullptr && status == kSuccess ? kExecutionFailed : status;
    return found;
  }
  Sparse find(const Sparse& matrix);
  DenseVector find(const char* what, const DenseVector& vector);
  DenseMatrix find(const char* what, const DenseMatrix& matrix);
  double scalar(const void* pointer, Element type);
  // Runs `body() -> bool` on the stream; false: an index was outside of its matrix, which is said.
  template <class Body>
  Status launch(const LibraryKernel& kernel, void* output, uint64_t bytes, Body body,
                std::vector<cudart::Written> more = {}) {
    if (status != kSuccess) {
      return status;
    }
    const auto checked = [body, name = kernel.name] {
      if (!body()) {
        cudart::say(fmt::format("{}: an index or an offset of the sparse matrix lies outside of it", name));
      }
    };
    const Error error = libraries::launch(
        runtime, context, handle.stream,
        {.kernel = kernel, .body = checked, .output = output, .output_bytes = bytes, .more = std::move(more)});
    return error == Error::success ? kSuccess : kExecutionFailed;
  }
};

template <class Body>
int cusparse_call(const char* name, Handle* handle, Body body) {
  return libraries::library_call(name, status_name, kExecutionFailed,
                                 [&](Runtime& runtime, Context& context, ApiRecord& record) -> int {
                                   if (handle == nullptr) {
                                     return kNotInitialized;
                                   }
                                   Call call{runtime, context, record, *handle};
                                   return body(call);
                                 });
}

// How large the external buffer of a call must be.
template <class Size>
int ask_for_buffer(const char* name, Handle* handle, Size* size, Size bytes) {
  return cusparse_call(name, handle, [&](Call&) {
    if (size == nullptr) {
      return kInvalidValue;
    }
    *size = bytes;
    return kSuccess;
  });
}

}  // namespace hpml::sim::cusparse
