#include "common/base/check.hpp"

#include <fmt/format.h>

#include <unistd.h>

#include <cstdio>

namespace hpml {

void check_failed(const char* file, int line, const char* condition, std::string_view message) {
  fmt::print(stderr, "internal error: {}:{}: check '{}' failed: {}\n", file, line, condition, message);
  std::fflush(stderr);
  _exit(3);  // not exit(): the process state is no longer trusted, destructors must not run
}

}  // namespace hpml
