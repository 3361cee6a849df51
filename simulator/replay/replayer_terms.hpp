#pragma once
// What the parts of the replayer share.
#include "common/base/diag.hpp"

namespace hpml::sim::replay {

inline Diag impossible(const std::string& what) { return error_in("<recording>", what); }

inline Diag told_too_much() {
  return impossible(
      "it gives its GPU data in arguments of kernels, fills or tiny copies, not in the copies of its inputs");
}

// As bytes, for Transfers::tell.
template <class... Ts>
std::string bytes_of(const Ts&... values) {
  std::string bytes;
  (bytes.append(reinterpret_cast<const char*>(&values), sizeof(values)), ...);
  return bytes;
}

}  // namespace hpml::sim::replay
