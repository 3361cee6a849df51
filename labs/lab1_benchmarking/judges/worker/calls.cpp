#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "array_hosts.hpp"
#include "commands.hpp"
#include "data.hpp"
#include "kernel_host.hpp"

namespace hpml::lab1 {
namespace {

constexpr const char* kSparse = "sparse";

Answer<float> call(KernelHost& host, const std::string& data, int64_t n) {
  if (data == kSparse) {
    return host.dot(n, true);
  }
  if (Result<void> filled = fill(data, host.a(n), host.b(n)); !filled.ok()) {
    return Failure{worker::kOurFault, filled.error().message};
  }
  return host.dot(n);
}

}  // namespace

int run_calls(const CallsOptions& options) {
  const int64_t longest = options.data == kSparse ? 1 : *std::ranges::max_element(options.sizes);
  const auto kind = options.by_library ? KernelHost::Kind::library_dot : KernelHost::Kind::dot;
  auto host = KernelHost::start({options.library, options.symbol, kind, longest});
  if (!host.ok()) {
    return complain(host.error());
  }
  for (const int64_t n : options.sizes) {
    const Answer<float> value = call(**host, options.data, n);
    if (!value.ok()) {
      return complain(value.error());
    }
    fmt::print("{:.17g}\n", double{*value});  // exact
    std::fflush(stdout);                      // what was right stays known when a later call crashes
  }
  return 0;
}

int run_arrays(const ArraysOptions& options) {
  for (const int64_t n : options.sizes) {  // a host for each: the arrays then begin and end at pages of their own
    auto host = StreamHost::start(options.library, n);
    if (!host.ok()) {
      return complain(host.error());
    }
    for (size_t kernel = 0; kernel < kStreamKernels.size(); ++kernel) {
      if (const auto done = (*host)->call(kernel, n, 1); !done.ok()) {
        return complain(done.error());
      }
    }
  }
  return 0;
}

}  // namespace hpml::lab1
