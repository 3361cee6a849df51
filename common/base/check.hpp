#pragma once
// HPML_CHECK(condition) or HPML_CHECK(condition, message): our own bugs. Active in every build; prints where and why,
// then ends the process with exit code 3 ("our own or the machine's fault"). The message is made only where the
// condition does not hold. Bad input is a Diag, a simulated fault is a Trap: neither uses this.
#include <string_view>

namespace hpml {

[[noreturn]] void check_failed(const char* file, int line, const char* condition, std::string_view message = {});

}  // namespace hpml

#define HPML_CHECK(condition, ...)                                                     \
  do {                                                                                 \
    if (!(condition)) [[unlikely]] {                                                   \
      ::hpml::check_failed(__FILE__, __LINE__, #condition __VA_OPT__(, ) __VA_ARGS__); \
    }                                                                                  \
  } while (false)
