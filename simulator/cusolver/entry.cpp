#include "simulator/cusolver/entry.hpp"

namespace hpml::sim::cusolver {

const char* status_name(int status) {
  switch (status) {
    case kSuccess: return "CUSOLVER_STATUS_SUCCESS";
    case kNotInitialized: return "CUSOLVER_STATUS_NOT_INITIALIZED";
    case kInvalidValue: return "CUSOLVER_STATUS_INVALID_VALUE";
    case kExecutionFailed: return "CUSOLVER_STATUS_EXECUTION_FAILED";
    case kNotSupported: return "CUSOLVER_STATUS_NOT_SUPPORTED";
    default: return "<unknown>";
  }
}

int Job::launch(Element type, int64_t m, int64_t n, int64_t k, std::function<void()> body) {
  if (!sound()) {
    return status_;
  }
  const auto& chip = context_.device().properties();
  const auto at_least_one = [](int64_t x) { return std::max<int64_t>(1, x); };
  auto kernel =
      libraries::gemm_kernel(name_, {.m = at_least_one(m), .n = at_least_one(n), .k = at_least_one(k), .batch = 1},
                             type, libraries::math_of(type, chip.rates, type == Element::f64), chip);
  kernel.dram_read = read_;
  kernel.dram_write = written_;
  const Error error =
      libraries::launch(runtime_, context_, handle_.stream,
                        {.kernel = std::move(kernel), .body = std::move(body), .more = std::move(outputs_)});
  return error == Error::success ? kSuccess : kExecutionFailed;
}

int Job::wait() {
  return libraries::wait(runtime_, context_, handle_.stream) == Error::success ? kSuccess : kExecutionFailed;
}

}  // namespace hpml::sim::cusolver
