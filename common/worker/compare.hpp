#pragma once
#include <functional>

#include "common/bench/paired.hpp"
#include "common/worker/host.hpp"

namespace hpml::worker {

// One of two hosted computations: asks its host once, and checks what came of it.
struct Side {
  const Host& host;
  std::function<Answer<Ok>()> call;
};

// How many times as fast a is as b, in pairs of alternating order, by the processor time of the two workers while they
// were asked: neither waiting nor this process's own work is in it. Fails with the first call that fails.
Answer<bench::Paired> compare(const Side& a, const Side& b, const bench::PairedPlan& plan = {});

}  // namespace hpml::worker
