#pragma once
// Calls over elements of any type T, complex ones too. They compute in libraries::Wide<T> and round once.
#include <algorithm>
#include <utility>

#include "simulator/cublas/dense.hpp"
#include "simulator/libraries/operands.hpp"

namespace hpml::sim::cublas {

using libraries::Grid;
using libraries::Real;
using libraries::Table;
using libraries::Wide;

// Writes alpha sums + beta out to a triangle of `out`, or to all of it. Where beta is 0, the old values of `out` are
// not read (BLAS).
template <class T>
void write(const Grid<T>& out, int fill, Wide<T> alpha, const Table<Wide<T>>& sums, Wide<T> beta) {
  for (int64_t j = 0; j < out.columns; ++j) {
    const int64_t end = fill == kUpper ? std::min(j + 1, out.rows) : out.rows;
    for (int64_t i = fill == kLower ? j : 0; i < end; ++i) {
      out.set(i, j, alpha * sums.at(i, j) + (beta != Wide<T>(0) ? beta * out.get(i, j) : Wide<T>(0)));
    }
  }
}

// n elements, `step` apart; a negative step walks from the end (BLAS).
template <class T>
struct Strip {
  T* data = nullptr;
  int64_t n = 0, step = 1;

  T& at(int64_t i) const { return data[step >= 0 ? i * step : (i - n + 1) * step]; }
  Wide<T> get(int64_t i) const { return Wide<T>(at(i)); }
  void set(int64_t i, Wide<T> value) const { at(i) = T(value); }
  Table<Wide<T>> read() const {  // one column
    Table<Wide<T>> out(n, 1);
    for (int64_t i = 0; i < n; ++i) {
      out.at(i, 0) = get(i);
    }
    return out;
  }
  void write(Wide<T> alpha, const Table<Wide<T>>& sums, Wide<T> beta) const {
    for (int64_t i = 0; i < n; ++i) {
      set(i, alpha * sums.at(i, 0) + (beta != Wide<T>(0) ? beta * get(i) : Wide<T>(0)));
    }
  }
};

template <class T>
constexpr Element real_element = sizeof(Real<T>) == sizeof(double) ? Element::f64 : Element::f32;
// Real operations in a multiplication and addition, to those of real numbers.
template <class T>
constexpr int kWork = libraries::is_complex<T> ? 4 : 1;

class Task : public libraries::Operands {
 public:
  Task(const Call& call, const char* name)
      : Operands(call.runtime, call.record, {.invalid_value = kInvalidValue, .execution_failed = kExecutionFailed}),
        call_(call),
        name_(name) {}

  template <class T>
  Strip<T> vector(const char* what, const void* data, int64_t n, int64_t step, bool written = false) {
    const int64_t count = std::max<int64_t>(0, n);
    const int64_t elements = count > 0 ? (count - 1) * std::abs(step) + 1 : 0;
    return {static_cast<T*>(find(what, data, elements, sizeof(T), written)), count, step};
  }
  // alpha or beta, on the host or on the device as the pointer mode says.
  template <class T>
  Wide<T> factor(const void* pointer) {
    require(pointer != nullptr);
    const void* data = pointer;
    if (call_.handle.device_scalars && sound()) {
      data = call_.data("the scalar", pointer, sizeof(T));
      status_ = data == nullptr ? kInvalidValue : status_;
    }
    return sound() ? Wide<T>(*static_cast<const T*>(data)) : Wide<T>(0);
  }
  // Where a number goes that the call returns.
  template <class T>
  T* result(void* pointer) {
    require(pointer != nullptr);
    T* const to = sound() ? static_cast<T*>(call_.result(pointer, sizeof(T))) : nullptr;
    require(to != nullptr);
    if (call_.handle.device_scalars) {
      outputs_.push_back({pointer, sizeof(T)});
    }
    return to;
  }

  // The model's time is that of a product of matrices with m n k multiplications and additions. An empty product
  // launches nothing.
  int launch(Element type, int64_t m, int64_t n, int64_t k, std::function<void()> body);
  // Of n elements, each with so many operations.
  int launch_vector(Element type, int64_t n, double flops, std::function<void()> body, bool result = false);

 private:
  const Call& call_;
  const char* name_;
};

// body(task) -> status
template <class Body>
int task_call(const char* name, Handle* handle, Body body) {
  return cublas_call(name, handle, [&](const Call& call) {
    Task task(call, name);
    return body(task);
  });
}

}  // namespace hpml::sim::cublas
