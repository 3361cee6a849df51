#include "layer.hpp"

#include <algorithm>

namespace hpml::lab2 {

namespace {

using Numbers = std::vector<double>;

constexpr Layer kStack[] = {
    {"ResNet-8 stem", 4, 32, 32, 3, 16, 3, 1, 1},      {"ResNet-8 group 1", 4, 32, 32, 16, 16, 3, 1, 1},
    {"ResNet-8 stride 2", 4, 32, 32, 16, 32, 3, 2, 1}, {"ResNet-8 group 2", 4, 16, 16, 32, 32, 3, 1, 1},
    {"ResNet-8 group 3", 4, 8, 8, 64, 64, 3, 1, 1},    {"ResNet-8 projection", 4, 16, 16, 32, 64, 1, 2, 0},
    {"ResNet-18 group 1", 1, 32, 32, 64, 64, 3, 1, 1}, {"ResNet-18 group 2", 1, 16, 16, 128, 128, 3, 1, 1},
    {"ResNet-18 group 3", 2, 8, 8, 256, 256, 3, 1, 1}, {"ResNet-18 group 4", 4, 4, 4, 512, 512, 3, 1, 1}};

// matrix (rows x r.size()) times r.
Numbers contracted(std::span<const float> matrix, std::span<const float> r) {
  Numbers result(matrix.size() / r.size());
  for (size_t row = 0; row < result.size(); ++row) {
    for (size_t c = 0; c < r.size(); ++c) {
      result[row] += double{matrix[row * r.size() + c]} * double{r[c]};
    }
  }
  return result;
}

// Calls visit(place in the image, place in the filter, place in the output), all without channels, for every product.
template <class Visit>
void each_tap(const Layer& l, const Visit& visit) {
  for (int64_t n = 0; n < l.n; ++n) {
    for (int64_t oh = 0; oh < l.out_h(); ++oh) {
      for (int64_t ow = 0; ow < l.out_w(); ++ow) {
        for (int64_t tap = 0; tap < l.k * l.k; ++tap) {
          const int64_t i = oh * l.stride - l.pad + tap / l.k, j = ow * l.stride - l.pad + tap % l.k;
          if (i >= 0 && i < l.h && j >= 0 && j < l.w) {
            visit((n * l.h + i) * l.w + j, tap, (n * l.out_h() + oh) * l.out_w() + ow);
          }
        }
      }
    }
  }
}

// Root mean square of what a result differs by from float sums of `terms` products of numbers in [-1, 1), which were
// contracted with `count` signs: twice the errors of a sum in one chain, and a little for short ones. Numbers of 16 bits or
// less differ by more (tests/test_lab2_worker.py).
constexpr double kRounding = 0x1p-24, kMeanSquare = 1.0 / 3, kChains = 2, kShortSum = 64;

bool is_close(const Numbers& got, const Numbers& expected, int64_t terms, int64_t count) {
  double squares = 0;
  for (size_t i = 0; i < got.size(); ++i) {
    squares += (got[i] - expected[i]) * (got[i] - expected[i]);
  }
  const double each = kRounding * kMeanSquare * (kChains * static_cast<double>(terms) + kShortSum);
  return squares <= each * each * static_cast<double>(count) * static_cast<double>(got.size());  // NaN is not
}

double dot(const float* a, const double* b, int64_t n) {
  double sum = 0;
  for (int64_t i = 0; i < n; ++i) {
    sum += double{a[i]} * b[i];
  }
  return sum;
}

bool is_y(const Layer& l, std::span<const float> x, std::span<const float> w, const Results& results,
          std::span<const float> r) {
  const Numbers wr = contracted(w, r.first(static_cast<size_t>(l.co)));  // k k ci
  Numbers expected(static_cast<size_t>(l.outputs() / l.co));
  each_tap(l, [&](int64_t pixel, int64_t tap, int64_t out) {
    expected[static_cast<size_t>(out)] +=
        dot(&x[static_cast<size_t>(pixel * l.ci)], &wr[static_cast<size_t>(tap * l.ci)], l.ci);
  });
  return is_close(contracted(results.y, r.first(static_cast<size_t>(l.co))), expected, l.k * l.k * l.ci, l.co);
}

bool is_dx(const Layer& l, std::span<const float> w, std::span<const float> dy, const Results& results,
           std::span<const float> r) {
  Numbers wr(static_cast<size_t>(l.k * l.k * l.co));  // the filter times r along the input channels
  for (int64_t tap = 0; tap < l.k * l.k; ++tap) {
    for (int64_t ci = 0; ci < l.ci; ++ci) {
      for (int64_t co = 0; co < l.co; ++co) {
        wr[static_cast<size_t>(tap * l.co + co)] +=
            double{w[static_cast<size_t>((tap * l.ci + ci) * l.co + co)]} * double{r[static_cast<size_t>(ci)]};
      }
    }
  }
  Numbers expected(static_cast<size_t>(l.images() / l.ci));
  each_tap(l, [&](int64_t pixel, int64_t tap, int64_t out) {
    expected[static_cast<size_t>(pixel)] +=
        dot(&dy[static_cast<size_t>(out * l.co)], &wr[static_cast<size_t>(tap * l.co)], l.co);
  });
  return is_close(contracted(results.dx, r.first(static_cast<size_t>(l.ci))), expected, l.k * l.k * l.co, l.ci);
}

bool is_dw(const Layer& l, std::span<const float> x, std::span<const float> dy, const Results& results,
           std::span<const float> r) {
  const Numbers dyr = contracted(dy, r.first(static_cast<size_t>(l.co)));  // n oh ow
  Numbers expected(static_cast<size_t>(l.weights() / l.co));
  each_tap(l, [&](int64_t pixel, int64_t tap, int64_t out) {
    for (int64_t ci = 0; ci < l.ci; ++ci) {
      expected[static_cast<size_t>(tap * l.ci + ci)] +=
          double{x[static_cast<size_t>(pixel * l.ci + ci)]} * dyr[static_cast<size_t>(out)];
    }
  });
  return is_close(contracted(results.dw, r.first(static_cast<size_t>(l.co))), expected, l.n * l.out_h() * l.out_w(), l.co);
}

}  // namespace

std::span<const Layer> stack() { return kStack; }

std::string wrong_result(const Layer& layer, std::span<const float> x, std::span<const float> w,
                         std::span<const float> dy, const Results& results, std::span<const float> r) {
  if (!is_y(layer, x, w, results, r)) {
    return "y";
  }
  if (!is_dx(layer, w, dy, results, r)) {
    return "dx";
  }
  return is_dw(layer, x, dy, results, r) ? "" : "dw";
}

}  // namespace hpml::lab2
