#include "cases.hpp"

#include <algorithm>

namespace hpml::lab5 {

namespace {

constexpr int64_t kLongest = 4096;  // of a tail case's k

int64_t draw(Random& random, int64_t lo, int64_t hi) { return std::uniform_int_distribution<int64_t>(lo, hi)(random); }

}  // namespace

void fill(Random& random, Values values, std::span<uint8_t> a, std::span<int8_t> b) {
  const bool extreme = values == Values::extreme;
  for (uint8_t& v : a) {
    v = static_cast<uint8_t>(extreme ? 255 * draw(random, 0, 4) / 4 * (draw(random, 0, 3) > 0) : draw(random, 0, 255));
  }
  const int8_t end = draw(random, 0, 1) == 0 ? -128 : 127;
  for (int8_t& v : b) {
    v = static_cast<int8_t>(extreme ? (draw(random, 0, 7) > 0 ? end : -1 - end) : draw(random, -128, 127));
  }
  if (extreme) {
    std::fill(a.begin(), a.begin() + static_cast<ptrdiff_t>(a.size() / 2), uint8_t{255});
  }
}

std::vector<int64_t> oracle(const GemmCase& g, std::span<const uint8_t> a, std::span<const int8_t> b) {
  std::vector<int64_t> c(static_cast<size_t>(g.c_size()));
  for (int64_t i = 0; i < g.m; ++i) {
    for (int64_t k = 0; k < g.k; ++k) {
      const int64_t value = a[static_cast<size_t>(i * g.lda + k)] - g.za;
      for (int64_t j = 0; j < g.n; ++j) {
        c[static_cast<size_t>(i * g.n + j)] += value * (b[static_cast<size_t>(k * g.n + j)] - g.zb);
      }
    }
  }
  return c;
}

std::vector<int64_t> oracle(const ConvCase& s, std::span<const uint8_t> x, std::span<const int8_t> w) {
  std::vector<int64_t> y(static_cast<size_t>(s.c_size()));
  for (int64_t place = 0; place < s.c_size(); ++place) {
    const int64_t co = place % s.co, column = place / s.co % s.out_w(), row = place / s.co / s.out_w();
    for (int64_t tap = 0; tap < int64_t{s.k} * s.k; ++tap) {
      const int64_t i = row * s.stride - s.pad + tap / s.k, j = column * s.stride - s.pad + tap % s.k;
      for (int64_t ci = 0; ci < s.ci && i >= 0 && i < s.h && j >= 0 && j < s.w; ++ci) {
        y[static_cast<size_t>(place)] += (int64_t{x[static_cast<size_t>((i * s.w + j) * s.ci + ci)]} - s.zx) *
                                         w[static_cast<size_t>((tap * s.ci + ci) * s.co + co)];
      }
    }
  }
  return y;
}

std::vector<GemmCase> gemm_cases(Random& random) {
  std::vector<GemmCase> cases;
  const auto zero_a = [&] { return static_cast<int32_t>(255 * draw(random, 0, 1)); };
  const auto zero_b = [&] { return static_cast<int32_t>(draw(random, 0, 2) * 255 / 2 - 128); };
  for (int64_t k = 1; k <= 67; ++k) {
    cases.push_back({draw(random, 1, 13), draw(random, 1, 70), k, k + draw(random, 0, 3), zero_a(), zero_b()});
  }
  cases.push_back({37, 130, 301, 301, 0, 0});
  cases.push_back({7, 17, kLongest, kLongest, 255, -128});
  cases.push_back({1, 1, 1, 1, 0, 127});
  return cases;
}

std::vector<ConvCase> conv_cases(Random& random) {
  std::vector<ConvCase> cases;
  const auto any = [&](int64_t lo, int64_t hi) { return static_cast<int32_t>(draw(random, lo, hi)); };
  for (int i = 0; i < 24; ++i) {
    const int32_t k = 1 + 2 * any(0, 2);
    cases.push_back({any(k, 12), any(k, 12), any(1, 35), any(1, 70), k, any(1, 2), any(0, k / 2), 255 * any(0, 1)});
  }
  cases.push_back({8, 8, 3, 16, 3, 1, 1, 117});
  cases.push_back({8, 8, 16, 32, 3, 2, 1, 3});
  return cases;
}

}  // namespace hpml::lab5
