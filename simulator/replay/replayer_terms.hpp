#pragma once
// What the parts of the replayer share.
#include "common/base/diag.hpp"
#include "simulator/memory/address_space.hpp"

namespace hpml::sim::replay {

inline Diag impossible(const std::string& what) { return error_in("<recording>", what); }

inline const char* name_of(memory::Kind kind) {
  switch (kind) {
    case memory::Kind::device: return "device";
    case memory::Kind::managed: return "managed";
    case memory::Kind::pinned: return "pinned";
    case memory::Kind::registered: return "registered";
    case memory::Kind::module: return "module";
  }
  return "?";
}

inline double microseconds(int64_t picoseconds) { return static_cast<double>(picoseconds) / 1e6; }

}  // namespace hpml::sim::replay
