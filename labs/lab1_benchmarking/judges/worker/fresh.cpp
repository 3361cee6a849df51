#include "fresh.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "commands.hpp"

namespace hpml::lab1 {
namespace {

constexpr int kChanged = 16;                // elements per call: the others stay in the caches
constexpr double kExact = double{1 << 24};  // whole floats below are exact

// The largest element with which every partial sum of n products is exact.
int64_t most(int64_t n) { return 9.0 * static_cast<double>(n) < kExact ? 3 : 1; }

}  // namespace

FreshVectors::FreshVectors(KernelHost& host, int64_t n)
    : host_(host), n_(n), random_(worker::unpredictable()), a_(random_, host.a(n), most(n)), b_(random_, host.b(n), most(n)) {
  for (size_t i = 0; i < a_.values().size(); ++i) {
    sum_ += double{a_.values()[i]} * double{b_.values()[i]};
  }
}

Answer<Ok> FreshVectors::timed_dot() {
  for (int i = 0; i < kChanged; ++i) {
    const auto change = a_.change_one(random_);
    sum_ += (double{change.after} - double{change.before}) * double{b_.values()[change.at]};
  }
  HPML_TRY(const float got, host_.dot(n_));
  if (!(double{got} == sum_)) {
    return Failure{worker::kWrong,
                   fmt::format("in a call that was timed, with N = {}: expected {:.1f}, got {:.9g}", n_, sum_, got)};
  }
  return Ok{};
}

FreshMatrices::FreshMatrices(KernelHost& host, int64_t n, int64_t block)
    : host_(host),
      n_(n),
      block_(block),
      random_(worker::unpredictable()),
      weights_(worker::unpredictable()),
      a_(random_, host.a(n * n), 1),
      b_(random_, host.b(n * n), 1) {}

Answer<Ok> FreshMatrices::timed_product() {
  a_.change_all(random_);  // with some elements changed, n^2 operations would bring the last product up to date
  HPML_TRY_VOID(host_.product(n_, block_, c_));
  if (!is_product()) {
    return Failure{worker::kWrong, fmt::format("in a call that was timed, with n = {}: C is not A B", n_)};
  }
  return Ok{};
}

// Freivalds, "Fast probabilistic algorithms", MFCS 1979: C r = A (B r) for a random r.
bool FreshMatrices::is_product() {
  constexpr int64_t kMost = 1000;
  const auto n = static_cast<size_t>(n_);
  std::vector<float> r(n);
  std::ranges::generate(r, [this] { return worker::whole<float>(weights_, kMost); });
  const auto times = [n](const std::vector<float>& matrix, const auto& vector) {
    std::vector<double> result(n);
    for (size_t i = 0; i < n; ++i) {
      for (size_t j = 0; j < n; ++j) {
        result[i] += double{matrix[i * n + j]} * double{vector[j]};
      }
    }
    return result;
  };
  return times(c_, r) == times(a_.values(), times(b_.values(), r));
}

}  // namespace hpml::lab1
