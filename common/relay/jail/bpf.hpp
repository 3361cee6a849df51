#pragma once
// A seccomp filter as a list of rules, each for one system call; the first that fits decides.
// Source: Linux, Documentation/userspace-api/seccomp_filter.rst.
#include <linux/filter.h>
#include <linux/seccomp.h>

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <vector>

namespace hpml::relay::jail {

// Argument `index` of the call, masked, must equal `value`.
struct Argument {
  unsigned index;
  std::uint64_t value;
  std::uint64_t mask = ~std::uint64_t{0};
};

class Bpf {
 public:
  Bpf();  // refuses system calls of another architecture or of the x32 kind
  void rule(long call, std::uint32_t action, std::initializer_list<Argument> arguments = {});
  // Adds the action for all other calls, and the filter to this thread. False: errno says why.
  bool install(std::uint32_t otherwise);

 private:
  void add(std::uint16_t code, std::uint32_t value, std::uint8_t if_true = 0, std::uint8_t if_false = 0);
  void load(std::size_t offset);

  std::vector<sock_filter> code_;
};

}  // namespace hpml::relay::jail
