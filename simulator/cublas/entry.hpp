#pragma once
// The frame of cuBLAS's entry points, and the views of vectors and matrices.
#include <optional>
#include <vector>

#include "simulator/libraries/frame.hpp"
#include "simulator/libraries/gemm_model.hpp"
#include "simulator/libraries/memory_model.hpp"

namespace hpml::sim::cublas {

using libraries::ApiRecord;
using libraries::Context;
using libraries::Element;
using libraries::Error;
using libraries::LibraryKernel;
using libraries::LibraryWork;
using libraries::Runtime;

enum Status : int {  // cublasStatus_t
  kSuccess = 0,
  kNotInitialized = 1,
  kAllocFailed = 3,
  kInvalidValue = 7,
  kArchMismatch = 8,
  kMappingError = 11,
  kExecutionFailed = 13,
  kInternalError = 14,
  kNotSupported = 15
};
const char* status_name(int status);

struct Handle {
  void* stream = nullptr;
  bool device_scalars = false;  // CUBLAS_POINTER_MODE_DEVICE
  int math_mode = 0;            // cublasMath_t
  int atomics_mode = 0;
};

constexpr int kPedanticMath = 2;
constexpr int kTf32Math = 3;

struct Call {
  Runtime& runtime;
  Context& context;
  ApiRecord& record;
  Handle& handle;

  const device::Properties& chip() const { return context.device().properties(); }
  void* data(const char* what, const void* pointer, uint64_t bytes) const {
    return libraries::device_data(runtime, record, what, pointer, bytes);
  }
  // alpha or beta, on the host or on the device as the pointer mode says. None: not readable.
  std::optional<double> scalar(const void* pointer, Element type) const;
  // Where a result goes; null: not writable.
  void* result(void* pointer, uint64_t bytes) const { return libraries::any_data(runtime, pointer, bytes); }
  Status launch(LibraryWork work) const;
  // For functions that return a number: the host waits when the number goes to the host.
  Status launch_for_result(LibraryWork work) const;
};

template <class Body>
int cublas_call(const char* name, Handle* handle, Body body) {
  return libraries::library_call(
      name, status_name, kExecutionFailed, [&](Runtime& runtime, Context& context, ApiRecord& record) -> int {
        return handle == nullptr ? kNotInitialized : body(Call{runtime, context, record, *handle});
      });
}

// n elements, `step` apart; a negative step walks from the end (BLAS).
struct Vector {
  Element type = Element::f32;
  void* data = nullptr;
  int64_t n = 0, step = 1;
  int64_t at(int64_t i) const { return step >= 0 ? i * step : (i - n + 1) * step; }
  double get(int64_t i) const { return libraries::load(type, data, at(i)); }
  void set(int64_t i, double value) const { libraries::store(type, data, at(i), value); }
};
uint64_t vector_bytes(Element type, int64_t n, int64_t step);

// A kernel over n elements that reads and writes so many bytes.
LibraryKernel vector_kernel(const char* name, int64_t n, uint64_t read, uint64_t written, Element type,
                            double flops_per_element);

}  // namespace hpml::sim::cublas
