#pragma once
// A thread block cluster (PTX ISA 9.0, 2.2.2): blocks that run at the same time, reach each other's shared memory and
// have one barrier. A launch without clusters has clusters of one block.
#include <cstdint>
#include <vector>

namespace hpml::sim::exec {

class BlockImpl;

struct Cluster {
  std::vector<BlockImpl*> blocks;  // by rank; null: has not started, or has ended
  uint64_t missing = 0;            // threads that have neither arrived at the barrier in this phase nor exited
};

}  // namespace hpml::sim::exec
