// Times of a student's products beside the same number of multiplications in registers, at the same level.
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <nlohmann/json.hpp>

#include "commands.hpp"
#include "common/bench/report.hpp"
#include "common/worker/compare.hpp"
#include "common/worker/fresh.hpp"
#include "gemm_host.hpp"

namespace hpml::lab5 {

namespace {

using worker::Failure;

// The 3 x 3 convolutions of ResNet-18's four groups, one image.
const std::vector<ConvCase> kStack = {{32, 32, 64, 64, 3, 1, 1, 3},
                                      {16, 16, 128, 128, 3, 1, 1, 3},
                                      {8, 8, 256, 256, 3, 1, 1, 3},
                                      {4, 4, 512, 512, 3, 1, 1, 3}};
const std::vector<GemmCase> kProduct = {{384, 384, 384, 384, 7, 0}};

// Cases on fixed weights and an input that is drawn again before each run. One element that changes would not do: then
// the result differs in one row, which a few additions make of the one before. All of a result is checked, with its
// columns added up with random weights (Freivalds 1977); whole numbers modulo 2^64 are exact in every order.
template <class Case>
class Timed {
 public:
  Timed(GemmHost& host, Level level, const std::vector<Case>& cases, worker::Random& random)
      : host_(host), level_(level), cases_(cases), random_(random) {}

  Answer<Ok> prepare() {
    for (size_t i = 0; i < cases_.size(); ++i) {
      const auto weights = host_.b(cases_[i].b_size());
      for (int8_t& w : weights) {
        w = worker::whole<int8_t>(random_, 127);
      }
      weights_.emplace_back(weights.begin(), weights.end());
      HPML_TRY_VOID(host_.pack(level_, cases_[i], static_cast<int>(i)));
      results_.emplace_back(static_cast<size_t>(cases_[i].c_size()));
    }
    return Ok{};
  }

  Answer<Ok> run() {
    for (size_t i = 0; i < cases_.size(); ++i) {
      const auto a = host_.a(cases_[i].a_size());
      std::ranges::generate(a, [this] { return static_cast<uint8_t>(random_()); });
      std::ranges::fill(results_[i], 12345);  // what is not written is wrong
      HPML_TRY_VOID(host_.run(level_, cases_[i], results_[i], static_cast<int>(i)));
      HPML_TRY_VOID(check(i, a));
    }
    return Ok{};
  }

 private:
  using Sums = std::vector<uint64_t>;

  Answer<Ok> check(size_t i, std::span<const uint8_t> a) {
    const Case& one = cases_[i];
    Sums r(static_cast<size_t>(columns(one)));
    std::ranges::generate(r, std::ref(secret_));
    const Sums weights = rows_times(weights_[i], zero_of_weights(one), r), got = rows_times(results_[i], 0, r);
    for (size_t row = 0; row < got.size(); ++row) {
      if (got[row] != expected(one, a, weights, static_cast<int64_t>(row))) {
        return Failure{worker::kWrong, fmt::format("a result that is timed is wrong: row {} of {}, of {} elements each",
                                                   row, got.size(), r.size())};
      }
    }
    return Ok{};
  }

  // Row by row, the sum of (element - zero) * r.
  template <class T>
  static Sums rows_times(const std::vector<T>& matrix, int64_t zero, const Sums& r) {
    Sums sums(matrix.size() / r.size());
    for (size_t place = 0; place < matrix.size(); ++place) {
      sums[place / r.size()] += static_cast<uint64_t>(int64_t{matrix[place]} - zero) * r[place % r.size()];
    }
    return sums;
  }

  static int64_t columns(const GemmCase& g) { return g.n; }
  static int64_t columns(const ConvCase& s) { return s.co; }
  static int64_t zero_of_weights(const GemmCase& g) { return g.zb; }
  static int64_t zero_of_weights(const ConvCase&) { return 0; }

  // Of a row of the result: the input times the weights whose columns are added up.
  static uint64_t expected(const GemmCase& g, std::span<const uint8_t> a, const Sums& weights, int64_t row) {
    uint64_t sum = 0;
    for (int64_t k = 0; k < g.k; ++k) {
      sum += static_cast<uint64_t>(int64_t{a[static_cast<size_t>(row * g.lda + k)]} - g.za) *
             weights[static_cast<size_t>(k)];
    }
    return sum;
  }
  static uint64_t expected(const ConvCase& s, std::span<const uint8_t> x, const Sums& weights, int64_t pixel) {
    const int64_t column = pixel % s.out_w(), row = pixel / s.out_w();
    uint64_t sum = 0;
    for (int64_t tap = 0; tap < int64_t{s.k} * s.k; ++tap) {
      const int64_t i = row * s.stride - s.pad + tap / s.k, j = column * s.stride - s.pad + tap % s.k;
      for (int64_t ci = 0; ci < s.ci && i >= 0 && i < s.h && j >= 0 && j < s.w; ++ci) {
        sum += static_cast<uint64_t>(int64_t{x[static_cast<size_t>((i * s.w + j) * s.ci + ci)]} - s.zx) *
               weights[static_cast<size_t>(tap * s.ci + ci)];
      }
    }
    return sum;
  }

  GemmHost& host_;
  Level level_;
  const std::vector<Case>& cases_;
  worker::Random& random_;
  worker::Random secret_ = worker::unpredictable();  // inputs tell what their generator will say next
  std::vector<std::vector<int8_t>> weights_;
  std::vector<std::vector<int32_t>> results_;
};

template <class Case>
Answer<nlohmann::json> compare(const SpeedOptions& options, const std::vector<Case>& cases) {
  GemmHost::Sizes sizes;
  int64_t macs = 0;
  for (const Case& one : cases) {
    sizes = {std::max(sizes.a, one.a_size()), std::max(sizes.b, one.b_size()), std::max(sizes.c, one.c_size())};
    macs += one.macs();
  }
  HPML_TRY(auto host, GemmHost::start(options.library, sizes, static_cast<int>(cases.size())));
  HPML_TRY(auto registers, start_registers());
  HPML_TRY(const int32_t chosen, host->best_level());
  const auto levels = levels_here();
  Level level = static_cast<Level>(chosen);
  for (const Level one : levels) {
    level = kLevelNames[one] == options.level ? one : level;
  }
  if (std::ranges::find(levels, level) == levels.end()) {
    return Failure{worker::kWrong, fmt::format("qgemm_best_level(): this processor has no level {}", chosen)};
  }
  // Points are for the best level of the processor, whatever the library chooses.
  const Level reference = options.level.empty() ? best_level() : level;
  worker::Random random = worker::unpredictable();
  Timed<Case> timed(*host, level, cases, random);
  HPML_TRY_VOID(timed.prepare());
  HPML_TRY(const bench::Paired paired,
           worker::compare({host->process(), [&] { return timed.run(); }},
                           {*registers, [&] { return multiply(*registers, reference, macs); }}));
  nlohmann::json found = bench::to_json(paired);
  found["level"] = kLevelNames[level];
  found["macs"] = macs;
  return found;
}

}  // namespace

int run_speed(const SpeedOptions& options) {
  const Answer<nlohmann::json> found = options.what == "gemm" ? compare(options, kProduct) : compare(options, kStack);
  if (!found.ok()) {
    return complain(found.error());
  }
  fmt::print("{}\n", found->dump());
  return 0;
}

}  // namespace hpml::lab5
