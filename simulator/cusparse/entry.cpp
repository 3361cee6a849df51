#include "simulator/cusparse/entry.hpp"

#include <cstdio>

namespace hpml::sim::cusparse {

const char* status_name(int status) {
  switch (status) {
    case kSuccess: return "CUSPARSE_STATUS_SUCCESS";
    case kNotInitialized: return "CUSPARSE_STATUS_NOT_INITIALIZED";
    case kInvalidValue: return "CUSPARSE_STATUS_INVALID_VALUE";
    case kExecutionFailed: return "CUSPARSE_STATUS_EXECUTION_FAILED";
    case kZeroPivot: return "CUSPARSE_STATUS_ZERO_PIVOT";
    case kNotSupported: return "CUSPARSE_STATUS_NOT_SUPPORTED";
    default: return "unrecognized error code";
  }
}

bool has_buffer(const char* name, int parameter, const void* buffer) {
  if (buffer == nullptr) {
    std::fprintf(stderr,
                 " ** On entry to %s() parameter number %d (externalBuffer) had an illegal value: NULL pointer\n\n",
                 name, parameter);
  }
  return buffer != nullptr;
}

Sparse Call::find(const Sparse& matrix) {
  Sparse found = matrix;
  found.offsets = find("the offsets of the sparse matrix", matrix.offsets, matrix.offset_bytes());
  found.indices = find("the indices of the sparse matrix", matrix.indices, matrix.index_bytes());
  found.values = find("the values of the sparse matrix", matrix.values, matrix.value_bytes());
  return found;
}

DenseVector Call::find(const char* what, const DenseVector& vector) {
  DenseVector found = vector;
  found.values = find(what, vector.values, vector.bytes());
  return found;
}

DenseMatrix Call::find(const char* what, const DenseMatrix& matrix) {
  DenseMatrix found = matrix;
  found.values = find(what, matrix.values, matrix.bytes());
  return found;
}

double Call::scalar(const void* pointer, Element type) {
  if (pointer == nullptr) {
    status = kInvalidValue;
    return 0;
  }
  const Element read = type == Element::f64 ? Element::f64 : Element::f32;
  const void* data = handle.device_scalars ? find("the scalar", pointer, libraries::size_of(read)) : pointer;
  return data != nullptr ? libraries::load(read, data, 0) : 0;
}

}  // namespace hpml::sim::cusparse
