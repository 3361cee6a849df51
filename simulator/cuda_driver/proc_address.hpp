#pragma once
// The generated list of entry points: entry_points.tsv with the addresses of this library.
#include <span>

namespace hpml::sim::cuda_driver {

struct EntryPoint {
  const char* name;  // as programs ask for it
  int since;         // CUDA version of this form
  void* function;    // null: not implemented
  void* per_thread;  // its form for per-thread default streams; null: it has none, or it is not implemented
};

// Sorted by name, then version.
std::span<const EntryPoint> entry_points();

}  // namespace hpml::sim::cuda_driver
