#include <cstdio>
#include <cstdlib>

#include "commands.hpp"
#include "data.hpp"
#include "kernel.hpp"

namespace hpml::lab1 {
namespace {

Result<float> call(const Kernel& kernel, const std::string& data, int64_t n) {
  HPML_TRY(GuardedVector a, GuardedVector::make(n));
  HPML_TRY(GuardedVector b, GuardedVector::make(n));
  if (Result<void> filled = fill(data, a, b); !filled.ok()) {
    return filled.error();
  }
  return kernel(n, a.data(), b.data());
}

}  // namespace

int run_calls(const CallsOptions& options) {
  const Result<Kernel> kernel = Kernel::load(options.library, options.symbol);
  if (!kernel.ok()) {
    return complain(1, kernel.error().message);
  }
  const char* path = std::getenv("HPML_DUMP");
  std::FILE* dump = path == nullptr ? nullptr : std::fopen(path, "wb");
  if (dump == nullptr) {
    return complain(2, "HPML_DUMP must name a file that can be written");
  }
  int status = 0;
  for (const int64_t n : options.sizes) {
    const Result<float> value = call(*kernel, options.data, n);
    if (!value.ok()) {
      status = complain(3, value.error().message);
      break;
    }
    std::fwrite(&*value, sizeof(float), 1, dump);
    std::fflush(dump);  // what was right stays known when a later call crashes
  }
  std::fclose(dump);
  return status;
}

}  // namespace hpml::lab1
