#pragma once
// The frame of cuSOLVER's entry points: operands are found in device memory, then the work goes to the stream.
#include <algorithm>
#include <string>

#include "simulator/libraries/gemm_model.hpp"
#include "simulator/libraries/operands.hpp"

namespace hpml::sim::cusolver {

using libraries::ApiRecord;
using libraries::Context;
using libraries::Element;
using libraries::Error;
using libraries::Grid;
using libraries::Real;
using libraries::Runtime;
using libraries::Table;
using libraries::Wide;

enum Status : int {  // cusolverStatus_t
  kSuccess = 0,
  kNotInitialized = 1,
  kInvalidValue = 3,
  kExecutionFailed = 6,
  kNotSupported = 9
};
const char* status_name(int status);

constexpr int kLower = 0, kUpper = 1;  // cublasFillMode_t
constexpr int kLeft = 0, kRight = 1;   // cublasSideMode_t
constexpr int kNoVectors = 0;          // cusolverEigMode_t
inline bool known_triangle(int fill) { return fill == kLower || fill == kUpper; }
inline bool known_operation(int op) { return op >= libraries::kAsIs && op <= libraries::kAdjoint; }

struct Handle {
  void* stream = nullptr;
  int deterministic = 1;
};

// One call about the device.
class Job : public libraries::Operands {
 public:
  Job(Runtime& runtime, Context& context, ApiRecord& record, Handle& handle, const char* name)
      : Operands(runtime, record, {.invalid_value = kInvalidValue, .execution_failed = kExecutionFailed}),
        context_(context),
        handle_(handle),
        name_(name) {}

  template <class T>
  Grid<T> array(const char* what, const void* data, int64_t count, bool written = false) {
    return matrix<T>(what, data, count, 1, std::max<int64_t>(1, count), written);
  }
  int* info(const void* data, int64_t count = 1) { return array<int>("info", data, count, true).data; }

  // The model's time is that of a product of matrices with m n k multiplications and additions.
  int launch(Element type, int64_t m, int64_t n, int64_t k, std::function<void()> body);
  // Waits for the stream: for calls that return a number to the host.
  int wait();

 private:
  Context& context_;
  Handle& handle_;
  const char* name_;
};

template <class T>
constexpr Element element_of() {
  return sizeof(Real<T>) == sizeof(double) ? Element::f64 : Element::f32;
}

// body(job) -> status
template <class Body>
int solver_call(const char* name, Handle* handle, Body body) {
  return libraries::library_call(name, status_name, kNotInitialized,
                                 [&](Runtime& runtime, Context& context, ApiRecord& record) -> int {
                                   if (handle == nullptr) {
                                     return kNotInitialized;
                                   }
                                   Job job(runtime, context, record, *handle, name);
                                   return body(job);
                                 });
}
// Sizes of work space: nothing here needs any, but programs expect a positive number.
template <class Size>
int work_size(const char* name, const Handle* handle, Size* to, int64_t elements) {
  return libraries::host_call(name, status_name, [&]() -> int {
    if (handle == nullptr || to == nullptr) {
      return handle == nullptr ? kNotInitialized : kInvalidValue;
    }
    *to = static_cast<Size>(std::max<int64_t>(1, elements));
    return kSuccess;
  });
}

// Calls f with a value of the type that a cudaDataType names; false: it names none of the four.
template <class F>
bool with_type(int cuda_data_type, F f) {
  switch (cuda_data_type) {
    case 0: f(float{}); return true;
    case 1: f(double{}); return true;
    case 4: f(std::complex<float>{}); return true;
    case 5: f(std::complex<double>{}); return true;
    default: return false;
  }
}

}  // namespace hpml::sim::cusolver
