#include "simulator/cufft/transform.hpp"

#include <bit>
#include <cmath>
#include <numbers>

namespace hpml::sim::cufft {
namespace {

// exp(-2 pi i k / n)
Complex root(size_t k, size_t n) {
  const double angle = -2 * std::numbers::pi * static_cast<double>(k) / static_cast<double>(n);
  return {std::cos(angle), std::sin(angle)};
}

void conjugate(std::span<Complex> x) {
  for (Complex& one : x) {
    one = std::conj(one);
  }
}

}  // namespace

Transform::Transform(size_t n) : n_(n) {
  if (std::has_single_bit(n)) {
    for (size_t k = 0; k < n / 2; ++k) {
      roots_.push_back(root(k, n));
    }
    return;
  }
  for (size_t k = 0; k < n; ++k) {
    chirp_.push_back(root(k * k % (2 * n), 2 * n));
  }
  longer_ = std::make_unique<Transform>(std::bit_ceil(2 * n - 1));
  filter_.resize(longer_->size());
  for (size_t k = 0; k < n; ++k) {
    filter_[k] = filter_[(filter_.size() - k) % filter_.size()] = std::conj(chirp_[k]);
  }
  (*longer_)(filter_, false);
}

void Transform::operator()(std::span<Complex> x, bool inverse) const {
  if (inverse) {
    conjugate(x);
  }
  if (longer_ == nullptr) {
    power_of_two(x);
  } else {
    chirp(x);
  }
  if (inverse) {
    conjugate(x);
  }
}

// Cooley and Tukey, 1965: decimation in time.
void Transform::power_of_two(std::span<Complex> x) const {
  for (size_t i = 1, j = 0; i < n_; ++i) {  // j: i with its bits reversed
    size_t bit = n_ >> 1U;
    for (; (j & bit) != 0; bit >>= 1U) {
      j ^= bit;
    }
    j ^= bit;
    if (i < j) {
      std::swap(x[i], x[j]);
    }
  }
  for (size_t half = 1; half < n_; half *= 2) {
    const size_t apart = n_ / (2 * half);
    for (size_t begin = 0; begin < n_; begin += 2 * half) {
      for (size_t k = 0; k < half; ++k) {
        const Complex a = x[begin + k], b = x[begin + half + k] * roots_[k * apart];
        x[begin + k] = a + b;
        x[begin + half + k] = a - b;
      }
    }
  }
}

// Bluestein, 1970: a convolution with a chirp, by two transforms of a power of two.
void Transform::chirp(std::span<Complex> x) const {
  std::vector<Complex> padded(longer_->size());
  for (size_t k = 0; k < n_; ++k) {
    padded[k] = x[k] * chirp_[k];
  }
  (*longer_)(padded, false);
  for (size_t k = 0; k < padded.size(); ++k) {
    padded[k] *= filter_[k];
  }
  (*longer_)(padded, true);
  for (size_t k = 0; k < n_; ++k) {
    x[k] = padded[k] * chirp_[k] / static_cast<double>(padded.size());
  }
}

}  // namespace hpml::sim::cufft
