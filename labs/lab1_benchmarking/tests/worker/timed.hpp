#pragma once
#include <functional>

#include "host.hpp"

namespace hpml::lab1 {

using TimedCall = std::function<Answer<Ok>()>;

// Prints how many times as fast a is as b, by the processor time of the kernels' processes. Returns the exit status.
int compare_timed(const KernelHost& host_a, const TimedCall& a, const KernelHost& host_b, const TimedCall& b);

}  // namespace hpml::lab1
