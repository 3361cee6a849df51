#pragma once
// The frames of cuDNN's entry points.
#include "simulator/cudnn/descriptors.hpp"
#include "simulator/libraries/frame.hpp"

namespace hpml::sim::cudnn {

using libraries::ApiRecord;
using libraries::Context;
using libraries::Error;
using libraries::LibraryKernel;
using libraries::LibraryWork;
using libraries::Runtime;

// `body() -> Status`. Returns what the program gets.
template <class Body>
int descriptor_call(const char* name, Body body) {
  return code(libraries::host_call(name, status_name, body));
}

template <class T>
int create(const char* name, T** made) {
  return descriptor_call(name, [&] {
    if (made == nullptr) {
      return kNullPointer;
    }
    *made = new T;
    return kSuccess;
  });
}

template <class T>
int destroy(const char* name, T* object) {
  return descriptor_call(name, [&] {
    delete object;
    return kSuccess;
  });
}

// What a call about the device may use.
struct Call {
  Runtime& runtime;
  Context& context;
  ApiRecord& record;
  Handle& handle;

  // Null after a line on stderr.
  void* data(const char* what, const void* pointer, const Tensor& tensor) const {
    return libraries::device_data(runtime, record, what, pointer, tensor.bytes());
  }
  // alpha and beta are double for double tensors, else float. They may lie on the host only, as in cuDNN.
  static double scalar(const void* value, Element type) {
    return type == Element::f64 ? *static_cast<const double*>(value) : *static_cast<const float*>(value);
  }
  Status launch(LibraryWork work) const {
    const Error error = libraries::launch(runtime, context, handle.stream, std::move(work));
    return error == Error::success ? kSuccess : kExecutionFailed;
  }
};

// `body(const Call&) -> Status`. Returns what the program gets.
template <class Body>
int handle_call(const char* name, Handle* handle, Body body) {
  const auto checked = [&](Runtime& runtime, Context& context, ApiRecord& record) -> int {
    return handle == nullptr ? kNullPointer : body(Call{runtime, context, record, *handle});
  };
  return code(libraries::library_call(name, status_name, kExecutionFailed, checked));
}

// A kernel that reads and writes each element about once: bound by memory.
LibraryKernel elementwise_kernel(const char* name, int64_t elements, uint64_t read, uint64_t written, Element type,
                                 double flops_per_element);

}  // namespace hpml::sim::cudnn
