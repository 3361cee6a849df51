#pragma once
// Discrete Fourier transforms of any length, in double: y[k] = sum over j of x[j] exp(-2 pi i j k / n), not scaled; the
// inverse has the other sign.
#include <complex>
#include <cstddef>
#include <memory>
#include <span>
#include <vector>

namespace hpml::sim::cufft {

using Complex = std::complex<double>;

class Transform {
 public:
  explicit Transform(size_t n);  // n >= 1
  size_t size() const { return n_; }
  void operator()(std::span<Complex> x, bool inverse) const;  // in place; n elements

 private:
  void power_of_two(std::span<Complex> x) const;
  void chirp(std::span<Complex> x) const;

  size_t n_;
  std::vector<Complex> roots_;               // of a power of two: exp(-2 pi i k / n), k < n / 2
  std::vector<Complex> chirp_, filter_;      // of other lengths: exp(-pi i k k / n), and the transform of its conjugate
  std::unique_ptr<const Transform> longer_;  // of a power of two, at least 2 n - 1
};

}  // namespace hpml::sim::cufft
