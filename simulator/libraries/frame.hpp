#pragma once
// The frame of a library's entry points: they are calls of the process's runtime, with status codes of their own.
#include <cstdint>
#include <string>
#include <utility>

#include "simulator/cudart/runtime/execute.hpp"

#define HPML_LIBRARY_API extern "C" __attribute__((visibility("default")))

namespace hpml::sim::libraries {

using cudart::ApiRecord;
using cudart::Context;
using cudart::Error;
using cudart::LibraryWork;
using cudart::Runtime;
using device::LibraryKernel;

// The major version of the library that the program has loaded, as in its soname.
int major();

// Runs the body inside the runtime's frame, under this name in the log; cudaGetLastError() does not see it. The body
// returns the library's status, 0 = success, and `name_of` gives its word. `no_device`: when the device cannot be used.
template <class Body>
int library_call(const char* name, const char* (*name_of)(int), int no_device, Body body) {
  cudart::ThreadState& thread = cudart::this_thread();
  const char* const before = std::exchange(thread.asked_as, name);
  int status = no_device;
  cudart::api_call(name, [&](Runtime& runtime, ApiRecord& record) {
    Error error = Error::success;
    Context* context = runtime.context(error);
    status = context != nullptr ? body(runtime, *context, record) : no_device;
    record.status = status != 0 ? name_of(status) : nullptr;
    return status != 0 ? Error::unknown : Error::success;
  });
  thread.asked_as = before;
  return status;
}

// The same for calls that need no device: descriptors.
template <class Body>
int host_call(const char* name, const char* (*name_of)(int), Body body) {
  cudart::ThreadState& thread = cudart::this_thread();
  const char* const before = std::exchange(thread.asked_as, name);
  int status = 0;
  cudart::api_call(name, [&](Runtime&, ApiRecord& record) {
    status = body();
    record.status = status != 0 ? name_of(status) : nullptr;
    return status != 0 ? Error::unknown : Error::success;
  });
  thread.asked_as = before;
  return status;
}

// Where this process reads and writes `bytes` of the device's memory. Null, after one line on stderr that names `what`:
// not inside one allocation that the device can use.
void* device_data(Runtime& runtime, const ApiRecord& call, const char* what, const void* pointer, uint64_t bytes);
// A scalar or a result that may lie on the host or on the device: never null for a pointer that is not.
void* any_data(Runtime& runtime, void* pointer, uint64_t bytes);
inline const void* any_data(Runtime& runtime, const void* pointer, uint64_t bytes) {
  return any_data(runtime, const_cast<void*>(pointer), bytes);
}

// Gives the kernel to the stream, after the host's cost of a launch. Error as cudaLaunchKernel.
Error launch(Runtime& runtime, Context& context, const void* stream, LibraryWork work);

// One line on stderr: what the real library does and this one does not.
void say_not_supported(const std::string& what);

// Ends the last of the stream's work: what a call waits for that returns a result to the host.
Error wait(Runtime& runtime, Context& context, const void* stream);

}  // namespace hpml::sim::libraries
