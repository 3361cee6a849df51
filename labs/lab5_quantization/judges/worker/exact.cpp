// Every element against sums in 64 bits; sizes, zero points and values that mistakes depend on.
#include <fmt/format.h>

#include <algorithm>

#include "commands.hpp"
#include "gemm_host.hpp"

namespace hpml::lab5 {

namespace {

using worker::Failure;

std::string to_string(const GemmCase& g) {
  return fmt::format("{} x {} x {}, za {}, zb {}", g.m, g.n, g.k, g.za, g.zb);
}
std::string to_string(const ConvCase& s) {
  return fmt::format("{} x {} x {} to {}, filter {}, stride {}, padding {}, zero {}", s.h, s.w, s.ci, s.co, s.k,
                     s.stride, s.pad, s.zx);
}

constexpr int32_t kBefore = 12345;  // what lies in a result before the call must not matter

template <class Case>
Answer<Ok> check(GemmHost& host, Level level, const Case& one, Values values, Random& random) {
  const auto a = host.a(one.a_size());
  const auto b = host.b(one.b_size());
  fill(random, values, a, b);
  const std::vector<int64_t> expected = oracle(one, a, b);
  std::vector<int32_t> c(static_cast<size_t>(one.c_size()), kBefore);
  HPML_TRY_VOID(host.pack(level, one));
  HPML_TRY_VOID(host.run(level, one, c));
  const auto [right, got] = std::ranges::mismatch(expected, c);
  if (right == expected.end()) {
    return Ok{};
  }
  const auto wrong = std::ranges::count_if(
      expected, [&](const int64_t& e) { return e != c[static_cast<size_t>(&e - expected.data())]; });
  return Failure{worker::kWrong,
                 fmt::format("{}, {}{}: element {}: expected {}, got {}{} ({} of {} wrong)", kLevelNames[level],
                             to_string(one), values == Values::extreme ? ", extreme values" : "",
                             right - expected.begin(), *right, *got,
                             *got == kBefore ? ", which means that it was never written" : "", wrong, expected.size())};
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

// Code that makes its products one by one executes more instructions than products, if only to multiply and to add. A
// vector level must execute fewer. The weights are packed before the other matrix is known.
constexpr GemmCase kCounted = {32, 64, 256, 256, 7, -3};

// What is said of it, where the system lets processes count.
Answer<std::string> show_vectors(const std::string& library, const std::vector<Level>& levels, Random& random) {
  std::string said;
  for (const Level level : levels) {
    HPML_TRY(auto host, GemmHost::start_counted(library, {kCounted.a_size(), kCounted.b_size(), kCounted.c_size()}));
    if (!host->can_count()) {
      return std::string();
    }
    const auto a = host->a(kCounted.a_size());
    const auto b = host->b(kCounted.b_size());
    fill(random, Values::any, a, b);
    HPML_TRY_VOID(host->pack(level, kCounted));
    fill(random, Values::any, a, {});
    std::vector<int32_t> c(static_cast<size_t>(kCounted.c_size()), kBefore);
    HPML_TRY(const int64_t counted, host->count_instructions(level, kCounted, c, kCounted.macs()));
    if (counted > kCounted.macs()) {
      return Failure{worker::kWrong,
                     fmt::format("{}, {}: it executes more instructions than it makes products ({}): that is no vector code, "
                                 "whose instructions multiply many numbers at once",
                                 kLevelNames[level], to_string(kCounted), kCounted.macs())};
    }
    if (const std::vector<int64_t> expected = oracle(kCounted, a, b); !std::ranges::equal(expected, c)) {
      return Failure{worker::kWrong, fmt::format("{}, {}: the result whose instructions are counted is wrong",
                                                 kLevelNames[level], to_string(kCounted))};
    }
    said += fmt::format(", {:.2f} instructions a product", static_cast<double>(counted) / static_cast<double>(kCounted.macs()));
  }
  return said;
}

struct Checked {
  std::string said;
  bool counted = true;  // the instructions, where they are to be
};

Answer<Checked> exact(const ExactOptions& options) {
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
    return Checked{fmt::format("level {}", kLevelNames[expected])};
  }
  const std::vector<Level> levels = chosen(options.level);
  if (levels.empty()) {
    return Checked{fmt::format("this processor has no {} level", options.level)};
  }
  HPML_TRY(const int done, is_gemm ? check_all(*host, levels, gemm_cases(seeded), seeded)
                                   : check_all(*host, levels, conv_cases(seeded), seeded));
  std::string names, counted;
  if (is_gemm && options.level == "vector") {
    HPML_TRY(counted, show_vectors(options.library, levels, seeded));
  }
  for (const Level level : levels) {
    names += fmt::format("{}{}", names.empty() ? "" : ", ", kLevelNames[level]);
  }
  return Checked{fmt::format("{} {}, {}{}", done, is_gemm ? "products" : "convolutions", names, counted),
                 options.level != "vector" || !counted.empty()};
}

}  // namespace

int run_exact(const ExactOptions& options) {
  const Answer<Checked> checked = exact(options);
  if (!checked.ok()) {
    return complain(checked.error());
  }
  fmt::print("{{\"checked\": \"{}\", \"counted\": {}}}\n", checked->said, checked->counted);
  return 0;
}

}  // namespace hpml::lab5
