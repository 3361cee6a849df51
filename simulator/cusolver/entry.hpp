#pragma once
// The frame of cuSOLVER's entry points: operands are found in device memory, then the work goes to the stream.
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "simulator/libraries/algebra.hpp"
#include "simulator/libraries/frame.hpp"
#include "simulator/libraries/gemm_model.hpp"

namespace hpml::sim::cusolver {

using libraries::ApiRecord;
using libraries::Context;
using libraries::Element;
using libraries::Error;
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

// A matrix in the program's memory, column-major, or the memory of an optional one that was not asked for.
template <class T>
struct Piece {
  T* data = nullptr;
  int64_t rows = 0, columns = 0, leading = 0;

  Table<Wide<T>> read() const {
    Table<Wide<T>> out(rows, columns);
    for (int64_t j = 0; j < columns; ++j) {
      for (int64_t i = 0; i < rows; ++i) {
        out.at(i, j) = Wide<T>(data[j * leading + i]);
      }
    }
    return out;
  }
  // As much of the table as fits into the matrix.
  void write(const Table<Wide<T>>& from) const {
    for (int64_t j = 0; j < std::min(columns, from.columns); ++j) {
      for (int64_t i = 0; i < std::min(rows, from.rows); ++i) {
        data[j * leading + i] = T(from.at(i, j));
      }
    }
  }
  template <class Values>
  void write_column(const Values& from) const {
    for (int64_t i = 0; i < std::min(rows, static_cast<int64_t>(from.size())); ++i) {
      data[i] = T(from[static_cast<size_t>(i)]);
    }
  }
};

// One call about the device: its operands are looked up one by one, and the first mistake decides the status.
class Job {
 public:
  Job(Runtime& runtime, Context& context, ApiRecord& record, Handle& handle, const char* name)
      : runtime_(runtime), context_(context), record_(record), handle_(handle), name_(name) {}

  void require(bool holds) {
    if (!holds && status_ == kSuccess) {
      status_ = kInvalidValue;
    }
  }
  template <class T>
  Piece<T> matrix(const char* what, const void* data, int64_t rows, int64_t columns, int64_t leading,
                  bool written = false) {
    require(rows >= 0 && columns >= 0 && leading >= std::max<int64_t>(1, rows));
    const int64_t elements = rows > 0 && columns > 0 ? (columns - 1) * leading + rows : 0;
    return {static_cast<T*>(find(what, data, elements, sizeof(T), written)), rows, columns, leading};
  }
  template <class T>
  Piece<T> array(const char* what, const void* data, int64_t count, bool written = false) {
    return matrix<T>(what, data, count, 1, std::max<int64_t>(1, count), written);
  }
  int* info(const void* data, int64_t count = 1) { return array<int>("info", data, count, true).data; }

  // As if the work were a product of matrices with m n k multiplications and additions.
  int launch(Element type, int64_t m, int64_t n, int64_t k, std::function<void()> body);
  // Until the stream has done it: for calls that return a number to the host.
  int wait();

 private:
  void* find(const char* what, const void* data, int64_t elements, size_t size, bool written);

  Runtime& runtime_;
  Context& context_;
  ApiRecord& record_;
  Handle& handle_;
  const char* name_;
  Status status_ = kSuccess;
  uint64_t read_ = 0, written_ = 0;
  std::vector<cudart::Written> outputs_;
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
