// Matrix products of a student's library: their elements, and their times side by side.
#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <memory>

#include "commands.hpp"
#include "common/bench/keep.hpp"
#include "common/bench/paired.hpp"
#include "common/bench/report.hpp"
#include "data.hpp"
#include "kernel.hpp"

namespace hpml::lab1 {
namespace {

struct Matrices {
  GuardedVector a, b, c;
};

// c is not zero before: a product must not rely on it.
Result<Matrices> matrices(const std::string& data, int64_t n) {
  HPML_TRY(GuardedVector a, GuardedVector::make(n * n));
  HPML_TRY(GuardedVector b, GuardedVector::make(n * n));
  HPML_TRY(GuardedVector c, GuardedVector::make(n * n));
  if (Result<void> filled = fill(data, a, b); !filled.ok()) {
    return filled.error();
  }
  std::fill_n(c.data(), c.size(), 12345.0F);
  return Matrices{std::move(a), std::move(b), std::move(c)};
}

}  // namespace

int run_product(const ProductOptions& options) {
  const Result<Kernel> kernel = Kernel::load(options.library, options.symbol, kProductForm);
  if (!kernel.ok()) {
    return complain(1, kernel.error().message);
  }
  const char* path = std::getenv("HPML_DUMP");
  const auto close = [](std::FILE* file) { std::fclose(file); };
  const std::unique_ptr<std::FILE, decltype(close)> dump(path == nullptr ? nullptr : std::fopen(path, "wb"), close);
  if (dump == nullptr) {
    return complain(2, "HPML_DUMP must name a file that can be written");
  }
  for (const int64_t n : options.sizes) {
    const Result<Matrices> m = matrices(options.data, n);
    if (!m.ok()) {
      return complain(3, m.error().message);
    }
    kernel->product()(n, options.block, m->a.data(), m->b.data(), m->c.data());
    std::fwrite(m->c.data(), sizeof(float), static_cast<size_t>(n * n), dump.get());
    std::fflush(dump.get());  // what was right stays known when a later call crashes
  }
  return 0;
}

int run_race(const RaceOptions& options) {
  const Result<Kernel> a = Kernel::load(options.library, options.symbol_a, kProductForm);
  const Result<Kernel> b = Kernel::load(options.library, options.symbol_b, kProductForm);
  if (!a.ok() || !b.ok()) {
    return complain(1, (a.ok() ? b : a).error().message);
  }
  const Result<Matrices> m = matrices("ones", options.size);
  if (!m.ok()) {
    return complain(3, m.error().message);
  }
  const auto work = [&](ProductFunction f) {
    return [&m, &options, f] {
      f(options.size, options.block, m->a.data(), m->b.data(), m->c.data());
      bench::keep(*m->c.data());
    };
  };
  bench::SystemClock clock;
  fmt::print("{}\n", bench::to_json(bench::compare(clock, work(a->product()), work(b->product()), {})).dump());
  return 0;
}

}  // namespace hpml::lab1
