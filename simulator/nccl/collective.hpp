#pragma once
// Collective operations as arithmetic on the buffers of all ranks, and what they cost.
#include <cstdint>
#include <string>
#include <vector>

#include "simulator/nccl/types.hpp"

namespace hpml::sim::nccl {

// What all ranks must agree on.
struct Operation {
  Kind kind{};
  uint64_t count = 0;  // elements, as the function's argument
  Type type{};
  Op op{};       // where the kind reduces
  int root = 0;  // where it has one
  bool operator==(const Operation&) const = default;
};

bool reduces(Kind kind);
bool has_root(Kind kind);
// Bytes that a rank of `ranks` gives and gets.
uint64_t bytes_in(const Operation& operation, int ranks, int rank);
uint64_t bytes_out(const Operation& operation, int ranks, int rank);

// What one rank brings: bytes_in() at `data`, and for Op::scaled_sum its factor.
struct Contribution {
  const std::byte* data = nullptr;
  double factor = 1;
};
// What each rank gets. Sums start with rank 0 and are rounded to the type at each step, as around a ring.
std::vector<std::vector<std::byte>> results(const Operation& operation, const std::vector<Contribution>& ranks);

// As NCCL's kernels are called: ncclDevKernel_AllReduce_Sum_f32_RING_LL.
std::string kernel_name(const Operation& operation);

// How GPUs of one machine without NVLink are bound together: every byte crosses the link once.
struct Link {
  double ns_per_byte = 0;
};
// Nanoseconds of a ring over `ranks` > 1 GPUs. Model: NCCL's own, by which it chooses its protocol (src/graph/tuning.cc
// of NCCL 2.12: base latency, latency per step over PCI, bandwidth of the protocols LL and Simple).
double duration_ns(const Operation& operation, int ranks, const Link& link);
// Of sends and receives that go side by side; bytes: of the direction with more.
double exchange_ns(uint64_t bytes, const Link& link);

}  // namespace hpml::sim::nccl
