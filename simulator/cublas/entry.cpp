#include "simulator/cublas/entry.hpp"

namespace hpml::sim::cublas {

const char* status_name(int status) {
  switch (status) {
    case kSuccess: return "CUBLAS_STATUS_SUCCESS";
    case kNotInitialized: return "CUBLAS_STATUS_NOT_INITIALIZED";
    case kAllocFailed: return "CUBLAS_STATUS_ALLOC_FAILED";
    case kInvalidValue: return "CUBLAS_STATUS_INVALID_VALUE";
    case kArchMismatch: return "CUBLAS_STATUS_ARCH_MISMATCH";
    case kMappingError: return "CUBLAS_STATUS_MAPPING_ERROR";
    case kExecutionFailed: return "CUBLAS_STATUS_EXECUTION_FAILED";
    case kInternalError: return "CUBLAS_STATUS_INTERNAL_ERROR";
    case kNotSupported: return "CUBLAS_STATUS_NOT_SUPPORTED";
    default: return "<unknown>";
  }
}

std::optional<double> Call::scalar(const void* pointer, Element type) const {
  if (!handle.device_scalars) {
    return pointer != nullptr ? std::optional(libraries::load(type, pointer, 0)) : std::nullopt;
  }
  const void* data = libraries::device_data(runtime, record, "the scalar", pointer, libraries::size_of(type));
  return data != nullptr ? std::optional(libraries::load(type, data, 0)) : std::nullopt;
}

Status Call::launch(LibraryWork work) const {
  const Error error = libraries::launch(runtime, context, handle.stream, std::move(work));
  return error == Error::success ? kSuccess : kExecutionFailed;
}

Status Call::launch_for_result(LibraryWork work) const {
  if (const Status status = launch(std::move(work)); status != kSuccess || handle.device_scalars) {
    return status;
  }
  return libraries::wait(runtime, context, handle.stream) == Error::success ? kSuccess : kExecutionFailed;
}

uint64_t vector_bytes(Element type, int64_t n, int64_t step) {
  const int64_t apart = step < 0 ? -step : step;
  return n > 0 ? static_cast<uint64_t>((n - 1) * apart + 1) * libraries::size_of(type) : 0;
}

LibraryKernel vector_kernel(const char* name, int64_t n, uint64_t read, uint64_t written, Element type,
                            double flops_per_element) {
  return libraries::memory_kernel(name, n, read, written, type, flops_per_element);
}

}  // namespace hpml::sim::cublas
