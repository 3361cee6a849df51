#pragma once
// HPML_CHECK: our own bugs. Active in every build; prints where and why, then ends the process with exit code 3
// ("our own or the machine's fault"). Bad input is a Diag, a simulated fault is a Trap: neither uses this.
#include <fmt/format.h>

#include <string_view>

namespace hpml {

[[noreturn]] void check_failed(const char* file, int line, const char* condition, std::string_view message);

}  // namespace hpml

#define HPML_CHECK(condition, ...)                                                         \
  do {                                                                                     \
    if (!(condition)) [[unlikely]] {                                                       \
      ::hpml::check_failed(__FILE__, __LINE__, #condition, ::fmt::format("" __VA_ARGS__)); \
    }                                                                                      \
  } while (false)
