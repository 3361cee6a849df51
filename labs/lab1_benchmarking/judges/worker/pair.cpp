#include "pair.hpp"

#include <nlohmann/json.hpp>
#include <fmt/format.h>

#include "commands.hpp"
#include "common/bench/report.hpp"
#include "fresh.hpp"

namespace hpml::lab1 {

int print_ratio(const worker::Side& a, const worker::Side& b) {
  const Answer<bench::Paired> paired = worker::compare(a, b);
  if (!paired.ok()) {
    return complain(paired.error());
  }
  fmt::print("{}\n", bench::to_json(*paired).dump());
  return 0;
}

int run_pair(const PairOptions& options) {
  const auto kind = options.by_library ? KernelHost::Kind::library_dot : KernelHost::Kind::dot;
  auto a = KernelHost::start({options.library_a, options.symbol_a, kind, options.size});
  auto b = KernelHost::start({options.library_b, options.symbol_b, KernelHost::Kind::dot, options.size});
  if (!a.ok() || !b.ok()) {
    return complain((a.ok() ? b : a).error());
  }
  FreshVectors of_a(**a, options.size), of_b(**b, options.size);
  return print_ratio({(*a)->process(), [&] { return of_a.timed_dot(); }},
                     {(*b)->process(), [&] { return of_b.timed_dot(); }});
}

}  // namespace hpml::lab1
