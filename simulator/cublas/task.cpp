#include "simulator/cublas/task.hpp"

namespace hpml::sim::cublas {

int Task::launch(Element type, int64_t m, int64_t n, int64_t k, std::function<void()> body) {
  if (!sound() || m <= 0 || n <= 0) {
    return status_;
  }
  LibraryKernel kernel = dense_kernel(call_, name_, type, m, n, std::max<int64_t>(1, k), read_, written_);
  return call_.launch({.kernel = std::move(kernel), .body = std::move(body), .more = std::move(outputs_)});
}

int Task::launch_vector(Element type, int64_t n, double flops, std::function<void()> body, bool result) {
  if (!sound() || (n <= 0 && !result)) {
    return status_;
  }
  LibraryWork work{.kernel = vector_kernel(name_, std::max<int64_t>(1, n), read_ + written_, written_, type, flops),
                   .body = std::move(body),
                   .more = std::move(outputs_)};
  return result ? call_.launch_for_result(std::move(work)) : call_.launch(std::move(work));
}

}  // namespace hpml::sim::cublas
