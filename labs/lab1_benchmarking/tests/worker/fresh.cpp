#include "fresh.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace hpml::lab1 {
namespace {

constexpr int kChanged = 16;              // elements per call: the others stay in the caches
constexpr double kExact = double{1 << 24};  // whole floats below are exact

uint64_t unpredictable() {
  std::random_device device;  // after the kernel's process was made: it has no copy of this
  return (uint64_t{device()} << 32) | device();
}

float whole(std::mt19937_64& random, int64_t most) {
  return static_cast<float>(std::uniform_int_distribution<int64_t>(-most, most)(random));
}

std::vector<float> wholes(std::mt19937_64& random, int64_t n, int64_t most) {
  std::vector<float> numbers(static_cast<size_t>(n));
  std::ranges::generate(numbers, [&] { return whole(random, most); });
  return numbers;
}

}  // namespace

FreshVectors::FreshVectors(KernelHost& host, int64_t n) : host_(host), n_(n), random_(unpredictable()) {
  a_ = wholes(random_, n, most());
  b_ = wholes(random_, n, most());
  std::ranges::copy(a_, host_.a(n));
  std::ranges::copy(b_, host_.b(n));
  for (size_t i = 0; i < a_.size(); ++i) {
    sum_ += double{a_[i]} * double{b_[i]};
  }
}

int64_t FreshVectors::most() const { return 9.0 * static_cast<double>(n_) < kExact ? 3 : 1; }

void FreshVectors::change_some() {
  for (int i = 0; i < kChanged; ++i) {
    const auto at = static_cast<size_t>(std::uniform_int_distribution<int64_t>(0, n_ - 1)(random_));
    const float next = whole(random_, most());
    sum_ += (double{next} - double{a_[at]}) * double{b_[at]};
    a_[at] = next;
    host_.a(n_)[at] = next;
  }
}

Answer<Ok> FreshVectors::timed_dot() {
  change_some();
  HPML_TRY(const float got, host_.dot(n_));
  if (!(double{got} == sum_)) {
    return Failure{kWrong,
                   fmt::format("in a call that was timed, with N = {}: expected {:.1f}, got {:.9g}", n_, sum_, got)};
  }
  return Ok{};
}

FreshMatrices::FreshMatrices(KernelHost& host, int64_t n, int64_t block)
    : host_(host), n_(n), block_(block), random_(unpredictable()) {
  a_ = wholes(random_, n * n, 1);
  b_ = wholes(random_, n * n, 1);
  std::ranges::copy(a_, host_.a(n * n));
  std::ranges::copy(b_, host_.b(n * n));
}

Answer<Ok> FreshMatrices::timed_product() {
  for (int i = 0; i < kChanged; ++i) {
    const auto at = static_cast<size_t>(std::uniform_int_distribution<int64_t>(0, n_ * n_ - 1)(random_));
    a_[at] = whole(random_, 1);
    host_.a(n_ * n_)[at] = a_[at];
  }
  HPML_TRY_VOID(host_.product(n_, block_, c_));
  if (!is_product()) {
    return Failure{kWrong, fmt::format("in a call that was timed, with n = {}: C is not A B", n_)};
  }
  return Ok{};
}

// Freivalds, "Fast probabilistic algorithms", MFCS 1979: C r = A (B r) for a random r.
bool FreshMatrices::is_product() {
  constexpr int64_t kMost = 1000;
  const auto n = static_cast<size_t>(n_);
  const std::vector<float> r = wholes(random_, n_, kMost);
  const auto times = [n](const std::vector<float>& matrix, const auto& vector) {
    std::vector<double> result(n);
    for (size_t i = 0; i < n; ++i) {
      for (size_t j = 0; j < n; ++j) {
        result[i] += double{matrix[i * n + j]} * double{vector[j]};
      }
    }
    return result;
  };
  return times(c_, r) == times(a_, times(b_, r));
}

}  // namespace hpml::lab1
