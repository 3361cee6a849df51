#pragma once
// Exact counters of one launch: mask and address arithmetic, never sampled, the same in every mode.
// Names as Nsight Compute prints them are given by to_metrics() (simulator_timing section 10).
#include <array>
#include <cstddef>
#include <cstdint>

#include "simulator/isa/matrix/form.hpp"
#include "simulator/isa/types.hpp"

namespace hpml::sim::exec {

struct SpaceCounters {
  uint64_t requests = 0, sectors = 0, lines = 0;
  uint64_t bytes = 0;  // distinct bytes asked for by active lanes
};

struct SharedCounters {
  uint64_t requests = 0, wavefronts = 0, ideal_wavefronts = 0;
};

struct Counters {
  uint64_t warp_instructions = 0;    // executed, guards all-false included
  uint64_t thread_instructions = 0;  // lanes at the pc
  uint64_t thread_instructions_pred_on = 0;
  uint64_t lat_instructions[isa::kLatCount] = {};  // warp instructions per class
  uint64_t thread_ops[isa::kThreadOpCount] = {};   // thread instructions per profiler class, predicated on
  // Of matrix products, by the type of the first matrix: multiplications and additions.
  uint64_t matrix_operations[isa::kElementCount] = {};
  uint64_t branches = 0, divergent_branches = 0, barriers = 0;
  SpaceCounters global_ld, global_st, global_atom, global_red, local_ld, local_st;
  SharedCounters shared_ld, shared_st, shared_atom;
  uint64_t bulk_read = 0, bulk_written = 0;  // bytes of global memory that bulk and tensor copies move
  uint64_t managed_faults = 0;               // 64 KiB leaves touched while not on the GPU

  uint64_t global_sectors() const {
    return global_ld.sectors + global_st.sectors + global_atom.sectors + global_red.sectors;
  }
  void add(const Counters& other);
};

}  // namespace hpml::sim::exec
