#pragma once
// What the searches for an algorithm return.
#include <algorithm>

#include "simulator/cudnn/entry.hpp"

namespace hpml::sim::cudnn {

struct Performance {  // cudnnConvolutionFwdAlgoPerf_t, ...BwdDataAlgoPerf_t, ...BwdFilterAlgoPerf_t; the same in cuDNN
                      // 7 to 9
  int algorithm;
  int status;
  float time;  // milliseconds
  size_t memory;
  int determinism;
  int math_type;
  int reserved[3];
};
static_assert(sizeof(Performance) == 48);

inline float milliseconds(device::Picoseconds time) { return static_cast<float>(static_cast<double>(time) / 1e9); }

// A search runs algorithms: the host waits until all work before it and the search itself have ended.
inline Status wait_for_search(const Call& call, device::Picoseconds spent) {
  const device::Picoseconds begin = std::max(call.runtime.clock.now(), call.context.timeline().all_done());
  return call.context.wait_until(begin + spent) == Error::success ? kSuccess : kExecutionFailed;
}

}  // namespace hpml::sim::cudnn
