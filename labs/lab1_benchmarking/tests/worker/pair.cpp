#include <fmt/format.h>

#include <optional>

#include "commands.hpp"
#include "common/bench/keep.hpp"
#include "common/bench/paired.hpp"
#include "common/bench/report.hpp"
#include "kernel.hpp"
#include "reference.hpp"

namespace hpml::lab1 {
namespace {

// "ours", or the kernel of a library.
Result<DotFunction> function_of(const std::string& library, const std::string& symbol, std::optional<Kernel>& keep) {
  if (library == "ours") {
    return DotFunction{reference_dot};
  }
  HPML_TRY(Kernel loaded, Kernel::load(library, symbol));
  keep.emplace(std::move(loaded));
  return keep->function();
}

}  // namespace

int run_pair(const PairOptions& options) {
  std::optional<Kernel> kept_a, kept_b;
  const Result<DotFunction> a = function_of(options.library_a, options.symbol_a, kept_a);
  const Result<DotFunction> b = function_of(options.library_b, options.symbol_b, kept_b);
  if (!a.ok() || !b.ok()) {
    return complain(1, (a.ok() ? b : a).error().message);
  }
  const auto n = static_cast<size_t>(options.size);
  const std::vector<float> x(n, 1.0F), y(n, 1.0F);
  const auto work = [&](DotFunction f) {
    return [&x, &y, f] {
      float r = f(static_cast<long>(x.size()), x.data(), y.data());
      bench::keep(r);
    };
  };
  bench::SystemClock clock;
  fmt::print("{}\n", bench::to_json(bench::compare(clock, work(*a), work(*b), {})).dump());
  return 0;
}

}  // namespace hpml::lab1
