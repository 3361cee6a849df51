// Error handling.
#include <utility>

#include "simulator/cudart/api/common.hpp"

namespace hpml::sim::cudart {
namespace {

// A device that ended with a fault answers every question about errors with that fault: nothing heals it.
Error sticky_of_this_device(Runtime& runtime) {
  Context* context = runtime.started(this_thread().device);
  return context != nullptr ? context->error() : Error::success;
}

int read_last_error(const char* name, bool clear) {
  Runtime& runtime = Runtime::get();
  const std::lock_guard lock(runtime.mutex);
  ThreadState& thread = this_thread();
  Error error = thread.last_error;
  runtime.log.unasked_launch_error = Error::success;
  if (error == Error::success) {
    error = sticky_of_this_device(runtime);
  }
  if (clear) {
    thread.last_error = Error::success;
  }
  ApiRecord record;
  record.name = name;
  record.start = record.end = runtime.clock.now();
  record.detail = error_name(static_cast<int>(error));  // the call itself succeeded
  runtime.log.add(std::move(record));
  return static_cast<int>(error);
}

}  // namespace
}  // namespace hpml::sim::cudart

namespace cudart = hpml::sim::cudart;

HPML_CUDA_API int cudaGetLastError() { return cudart::read_last_error("cudaGetLastError", true); }
HPML_CUDA_API int cudaPeekAtLastError() { return cudart::read_last_error("cudaPeekAtLastError", false); }
HPML_CUDA_API const char* cudaGetErrorName(int error) { return cudart::error_name(error); }
HPML_CUDA_API const char* cudaGetErrorString(int error) { return cudart::error_string(error); }
