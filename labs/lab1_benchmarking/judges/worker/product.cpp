// Matrix products of a student's library: their elements, and their times side by side.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "commands.hpp"
#include "data.hpp"
#include "fresh.hpp"
#include "pair.hpp"

namespace hpml::lab1 {

int run_product(const ProductOptions& options) {
  const int64_t largest = *std::ranges::max_element(options.sizes);
  auto host = KernelHost::start({options.library, options.symbol, KernelHost::Kind::product, largest * largest});
  if (!host.ok()) {
    return complain(host.error());
  }
  for (const int64_t n : options.sizes) {
    const int64_t count = n * n;
    std::vector<float> c;
    if (Result<void> filled = fill(options.data, (*host)->a(count), (*host)->b(count)); !filled.ok()) {
      return complain(worker::kOurFault, filled.error().message);
    }
    if (const Answer<Ok> done = (*host)->product(n, options.block, c); !done.ok()) {
      return complain(done.error());
    }
    for (const float element : c) {
      fmt::print("{:.17g}\n", double{element});
    }
    std::fflush(stdout);  // what was right stays known when a later call crashes
  }
  return 0;
}

int run_race(const RaceOptions& options) {
  const int64_t count = options.size * options.size;
  auto a = KernelHost::start({options.library, options.symbol_a, KernelHost::Kind::product, count});
  auto b = KernelHost::start({options.library, options.symbol_b, KernelHost::Kind::product, count});
  if (!a.ok() || !b.ok()) {
    return complain((a.ok() ? b : a).error());
  }
  FreshMatrices of_a(**a, options.size, options.block), of_b(**b, options.size, options.block);
  return print_ratio({(*a)->process(), [&] { return of_a.timed_product(); }},
                     {(*b)->process(), [&] { return of_b.timed_product(); }});
}

}  // namespace hpml::lab1
