#pragma once
// What a curandGenerator_t points to, and the frame of calls on one.
#include <memory>
#include <span>

#include "simulator/curand/sequence.hpp"
#include "simulator/curand/status.hpp"
#include "simulator/libraries/frame.hpp"

namespace hpml::sim::curand {

enum Type : int {  // curandRngType_t
  kPseudoDefault = 100,
  kXorwow = 101,
  kMrg32k3a = 121,
  kMtgp32 = 141,
  kMt19937 = 142,
  kPhilox = 161,
  kQuasiDefault = 200,
  kSobol32 = 201,
  kScrambledSobol32 = 202,
  kSobol64 = 203,
  kScrambledSobol64 = 204
};

struct Generator {
  int type = kXorwow;
  bool on_host = false;  // curandCreateGeneratorHost: writes to the host's memory, at once
  void* stream = nullptr;
  uint64_t seed = 0, offset = 0;
  unsigned dimensions = 1;             // of quasirandom ones
  bool begun = false;                  // the sequence stands at seed and offset
  std::shared_ptr<Sequence> sequence;  // kept by work that is on its way when the generator is destroyed

  bool wide() const { return type == kSobol64; }
  bool quasi() const { return type >= kQuasiDefault; }
};

}  // namespace hpml::sim::curand
