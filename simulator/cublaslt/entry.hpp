#pragma once
// The frame of cuBLASLt's entry points; its statuses are cuBLAS's.
#include <string>

#include "simulator/libraries/frame.hpp"

namespace hpml::sim::cublaslt {

enum Status : int {  // cublasStatus_t
  kSuccess = 0,
  kNotInitialized = 1,
  kInvalidValue = 7,
  kExecutionFailed = 13,
  kNotSupported = 15
};
const char* status_name(int status);

struct Handle {};

template <class Body>
int host_call(const char* name, Body body) {
  return libraries::host_call(name, status_name, body);
}

}  // namespace hpml::sim::cublaslt
