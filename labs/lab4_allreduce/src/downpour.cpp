// Exercise E10: asynchronous training with a parameter server.
#include <algorithm>
#include <cmath>

#include "training.h"

namespace hpml {

// BEGIN STUDENT HELPERS
// END STUDENT HELPERS

TrainStats train_downpour(Model& model, const Shard& shard, const SgdConfig& config, MPI_Comm c) {
  // BEGIN STUDENT
  // Rank 0: receive a gradient from MPI_ANY_SOURCE, log (worker, staleness), apply it, answer that worker; config.steps
  // times. Others: gradient, compute(config.compute_s), send with kPush, receive weights or kStop; until kStop.
  (void)model;
  (void)shard;
  (void)config;
  (void)c;
  return {};
  // END STUDENT
}

}  // namespace hpml
