// Every element against sums in 64 bits; sizes, zero points and values that mistakes depend on.
#include <fmt/format.h>

#include <algorithm>
#include <random>

#include "commands.hpp"
#include "gemm_host.hpp"

namespace hpml::lab5 {

namespace {

using worker::Failure;
using Random = std::mt19937_64;

constexpr int64_t kLongest = 4096;  // of a tail case's k

int64_t draw(Random& random, int64_t lo, int64_t hi) { return std::uniform_int_distribution<int64_t>(lo, hi)(random); }

// The values: any, or those at both ends, where pairs of products do not fit into 16 bits.
enum class Values : uint8_t { any, extreme };

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

std::string to_string(const GemmCase& g) {
  return fmt::format("{} x {} x {}, za {}, zb {}", g.m, g.n, g.k, g.za, g.zb);
}
std::string to_string(const ConvCase& s) {
  return fmt::format("{} x {} x {} to {}, filter {}, stride {}, padding {}, zero {}", s.h, s.w, s.ci, s.co, s.k,
                     s.stride, s.pad, s.zx);
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

template <class Case>
Answer<Ok> check(GemmHost& host, Level level, const Case& one, Values values, Random& random) {
  const auto a = host.a(one.a_size());
  const auto b = host.b(one.b_size());
  fill(random, values, a, b);
  const std::vector<int64_t> expected = oracle(one, a, b);
  std::vector<int32_t> c(static_cast<size_t>(one.c_size()), 12345);  // what lies there must not matter
  HPML_TRY_VOID(host.pack(level, one));
  HPML_TRY_VOID(host.run(level, one, c));
  const auto [right, got] = std::ranges::mismatch(expected, c);
  if (right == expected.end()) {
    return Ok{};
  }
  const auto wrong = std::ranges::count_if(
      expected, [&](const int64_t& e) { return e != c[static_cast<size_t>(&e - expected.data())]; });
  return Failure{worker::kWrong,
                 fmt::format("{}, {}{}: element {}: expected {}, got {} ({} of {} wrong)", kLevelNames[level],
                             to_string(one), values == Values::extreme ? ", extreme values" : "",
                             right - expected.begin(), *right, *got, wrong, expected.size())};
}

template <class Case>
Answer<int> check_all(GemmHost& host, const std::vector<Level>& levels, const std::vector<Case>& cases,
                      Random& random) {
  int done = 0;
  for (const Level level : levels) {
    for (const Case& one : cases) {
      for (const Values values : {Values::any, Values::extreme}) {
        HPML_TRY_VOID(check(host, level, one, values, random));
        ++done;
      }
    }
  }
  return done;
}

std::vector<Level> chosen(const std::string& name) {
  std::vector<Level> levels;
  for (const Level level : levels_here()) {
    if (name == "vector" ? level > blocked : name == "all" || kLevelNames[level] == name) {
      levels.push_back(level);
    }
  }
  return levels;
}

Answer<std::string> exact(const ExactOptions& options) {
  Random seeded(options.seed);
  const bool is_gemm = options.what == "gemm";
  HPML_TRY(auto host, GemmHost::start(options.library, {1 << 18, 1 << 18, 1 << 18}));
  if (options.what == "dispatch") {
    HPML_TRY(const int32_t got, host->best_level());
    const Level expected = best_level();
    if (got != expected) {
      return Failure{worker::kWrong, fmt::format("qgemm_best_level(): expected {} ({}), got {}",
                                                 static_cast<int>(expected), kLevelNames[expected], got)};
    }
    return fmt::format("level {}", kLevelNames[expected]);
  }
  const std::vector<Level> levels = chosen(options.level);
  if (levels.empty()) {
    return fmt::format("this processor has no {} level", options.level);
  }
  HPML_TRY(const int done, is_gemm ? check_all(*host, levels, gemm_cases(seeded), seeded)
                                   : check_all(*host, levels, conv_cases(seeded), seeded));
  std::string names;
  for (const Level level : levels) {
    names += fmt::format("{}{}", names.empty() ? "" : ", ", kLevelNames[level]);
  }
  return fmt::format("{} {}, {}", done, is_gemm ? "products" : "convolutions", names);
}

}  // namespace

int run_exact(const ExactOptions& options) {
  const Answer<std::string> checked = exact(options);
  if (!checked.ok()) {
    return complain(checked.error());
  }
  fmt::print("{{\"checked\": \"{}\"}}\n", *checked);
  return 0;
}

}  // namespace hpml::lab5
