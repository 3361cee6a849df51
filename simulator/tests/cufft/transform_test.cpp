// Transforms against the definition of the sum, term by term.
#include "simulator/cufft/transform.hpp"

#include <gtest/gtest.h>

#include <numbers>

#include "simulator/cufft/plan.hpp"

namespace hpml::sim::cufft {
namespace {

std::vector<Complex> numbers(size_t n) {
  std::vector<Complex> x(n);
  uint32_t state = 12345;
  const auto next = [&state] {
    state = state * 1664525U + 1013904223U;
    return static_cast<double>(state >> 8U) / (1U << 24U) - 0.5;
  };
  for (Complex& one : x) {
    const double real = next();
    one = {real, next()};
  }
  return x;
}

Complex turned(int64_t steps, int64_t n, bool inverse) {
  return std::polar(1.0,
                    (inverse ? 2 : -2) * std::numbers::pi * static_cast<double>(steps % n) / static_cast<double>(n));
}

// y[k0][k1][k2], each a sum over all of x.
std::vector<Complex> by_definition(const std::vector<Complex>& x, const std::array<int64_t, 3>& n, bool inverse) {
  std::vector<Complex> y(x.size());
  const auto each = [&](auto body) {
    for (int64_t i = 0; i < n[0] * n[1] * n[2]; ++i) {
      body(static_cast<size_t>(i), i / (n[1] * n[2]), i / n[2] % n[1], i % n[2]);
    }
  };
  each([&](size_t to, int64_t k0, int64_t k1, int64_t k2) {
    each([&](size_t from, int64_t j0, int64_t j1, int64_t j2) {
      y[to] +=
          x[from] * turned(j0 * k0, n[0], inverse) * turned(j1 * k1, n[1], inverse) * turned(j2 * k2, n[2], inverse);
    });
  });
  return y;
}

TEST(Transform, isTheSumForEveryLength) {
  for (const size_t n : {1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 13, 15, 16, 17, 30, 31, 32, 60, 64, 97, 100, 127, 128, 243}) {
    for (const bool inverse : {false, true}) {
      const std::vector<Complex> x = numbers(n);
      std::vector<Complex> got = x;
      Transform{n}(got, inverse);
      const std::vector<Complex> expected = by_definition(x, {1, 1, static_cast<int64_t>(n)}, inverse);
      for (size_t k = 0; k < n; ++k) {
        EXPECT_LT(std::abs(got[k] - expected[k]), 1e-12) << n << ' ' << inverse << ' ' << k;
      }
    }
  }
}

TEST(Transform, thereAndBackIsTheLength) {
  for (const size_t n : {size_t{1000}, size_t{4096}, size_t{10007}}) {
    const std::vector<Complex> x = numbers(n);
    std::vector<Complex> got = x;
    const Transform transform(n);
    transform(got, false);
    transform(got, true);
    for (size_t k = 0; k < n; ++k) {
      ASSERT_LT(std::abs(got[k] / static_cast<double>(n) - x[k]), 1e-12) << n << ' ' << k;
    }
  }
}

TEST(Plan, dimensionsOfAComplexTransform) {
  for (const std::array<int64_t, 3>& n : {std::array<int64_t, 3>{1, 4, 6}, {3, 5, 4}, {2, 1, 8}}) {
    const std::vector<Complex> x = numbers(static_cast<size_t>(n[0] * n[1] * n[2]));
    std::vector<Complex> got(x.size());
    Plan(kZ2z, {n[0], n[1], n[2]}, 1, {}).execute(x.data(), got.data(), true);
    const std::vector<Complex> expected = by_definition(x, n, true);
    for (size_t k = 0; k < x.size(); ++k) {
      EXPECT_LT(std::abs(got[k] - expected[k]), 1e-12) << k;
    }
  }
}

// Real rows of odd and even lengths: half a spectrum, and back from it, beside each other and in place.
TEST(Plan, realNumbersHaveHalfASpectrum) {
  for (const int64_t n : {7, 8}) {
    for (const bool in_place : {false, true}) {
      const int64_t rows = 3, half = n / 2 + 1, pitch = in_place ? 2 * half : n;
      const std::vector<Complex> random = numbers(static_cast<size_t>(rows * n));
      std::vector<Complex> x(random.size());
      std::vector<double> real(static_cast<size_t>(rows * 2 * half));
      std::vector<double> other(real.size());
      for (int64_t i = 0; i < rows * n; ++i) {
        x[static_cast<size_t>(i)] = random[static_cast<size_t>(i)].real();
        real[static_cast<size_t>(i / n * pitch + i % n)] = random[static_cast<size_t>(i)].real();
      }
      double* const spectrum = in_place ? real.data() : other.data();
      Plan(kD2z, {rows, n}, 1, {}).execute(real.data(), spectrum, false);
      const std::vector<Complex> expected = by_definition(x, {1, rows, n}, false);
      for (int64_t row = 0; row < rows; ++row) {
        for (int64_t k = 0; k < half; ++k) {
          const Complex got = reinterpret_cast<const Complex*>(spectrum)[row * half + k];
          EXPECT_LT(std::abs(got - expected[static_cast<size_t>(row * n + k)]), 1e-12)
              << n << ' ' << in_place << ' ' << row << ' ' << k;
        }
      }
      Plan(kZ2d, {rows, n}, 1, {}).execute(spectrum, real.data(), true);
      for (int64_t i = 0; i < rows * n; ++i) {
        EXPECT_NEAR(real[static_cast<size_t>(i / n * pitch + i % n)] / static_cast<double>(rows * n),
                    random[static_cast<size_t>(i)].real(), 1e-13)
            << n << ' ' << in_place << ' ' << i;
      }
    }
  }
}

// Columns of a matrix, to rows of another: stride 5 and distance 1 on one side, rows of 8 numbers on the other.
TEST(Plan, advancedLayoutReadsColumnsAndWritesRows) {
  constexpr int64_t kLength = 6, kColumns = 5;
  const std::vector<Complex> x = numbers(kLength * kColumns);
  std::vector<Complex> got(8 * kColumns);
  const Side columns{.embed = {1, 1, kLength}, .stride = kColumns, .distance = 1},
      rows{.embed = {1, 1, 8}, .stride = 1, .distance = 8};
  const Plan plan(kZ2z, {kLength}, kColumns, std::array{columns, rows});
  EXPECT_EQ(plan.input_bytes(false), x.size() * sizeof(Complex));
  EXPECT_EQ(plan.output_bytes(false), (8 * (kColumns - 1) + kLength) * sizeof(Complex));
  plan.execute(x.data(), got.data(), false);
  for (int64_t column = 0; column < kColumns; ++column) {
    std::vector<Complex> line(kLength);
    for (int64_t i = 0; i < kLength; ++i) {
      line[static_cast<size_t>(i)] = x[static_cast<size_t>(i * kColumns + column)];
    }
    const std::vector<Complex> expected = by_definition(line, {1, 1, kLength}, false);
    for (int64_t k = 0; k < kLength; ++k) {
      EXPECT_LT(std::abs(got[static_cast<size_t>(column * 8 + k)] - expected[static_cast<size_t>(k)]), 1e-12)
          << column << ' ' << k;
    }
  }
}

}  // namespace
}  // namespace hpml::sim::cufft
