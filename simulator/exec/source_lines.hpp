#pragma once
// What each line of the source did to memory: the exact counters of the launch, by the line that .loc names. For
// messages that say where, not only how much.
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "simulator/isa/lane_mask.hpp"
#include "simulator/isa/types.hpp"

namespace hpml::sim::exec {

// Distance in bytes between the addresses of neighbouring active lanes, the first two of a request.
struct LaneStride {
  int64_t least = INT64_MAX, most = INT64_MIN;  // over all requests with two lanes or more
  void add(int64_t bytes) {
    least = bytes < least ? bytes : least;
    most = bytes > most ? bytes : most;
  }
  void add(const LaneStride& other) {
    least = other.least < least ? other.least : least;
    most = other.most > most ? other.most : most;
  }
  // Nothing when requests differ, or all had one lane.
  std::optional<int64_t> bytes() const { return least == most ? std::optional(least) : std::nullopt; }
};

// One request with bank conflicts: the 4-byte word at which the access of each lane begins. Of several the lowest is
// kept, lane by lane, so that the order in which blocks ran does not matter.
struct ConflictExample {
  isa::LaneMask lanes = 0;  // 0: there is no conflict
  uint32_t bytes = 0;       // of each lane's access
  std::array<uint32_t, 32> words = {};
  void add(const ConflictExample& other) {
    if (other.lanes != 0 && (lanes == 0 || other < *this)) {
      *this = other;
    }
  }
  bool operator<(const ConflictExample& other) const {
    return words != other.words ? words < other.words : lanes < other.lanes;
  }
};

// Of one instruction, or of all instructions of a line, in one space.
struct AccessCounters {
  uint64_t requests = 0;
  uint64_t parts = 0;        // global, local: sectors of 32 bytes; shared: passes through the banks
  uint64_t ideal_parts = 0;  // sectors of as many bytes side by side; passes without conflicts
  LaneStride stride;
  ConflictExample conflict;
  void add(const AccessCounters& other) {
    requests += other.requests;
    parts += other.parts;
    ideal_parts += other.ideal_parts;
    stride.add(other.stride);
    conflict.add(other.conflict);
  }
};

enum class AccessKind : uint8_t { load, store, atomic };

struct LineAccess {
  std::string file;  // without its folder: the same wherever it was compiled
  int line = 0;
  isa::Space space = isa::Space::global;  // global, shared or local
  AccessKind kind = AccessKind::load;
  AccessCounters counters;
};

}  // namespace hpml::sim::exec
