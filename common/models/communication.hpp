#pragma once
// What collective operations cost, in elements moved, rounds and time (alpha-beta model: latency + bytes / bandwidth).
#include <cstdint>

namespace hpml::models {

// Per step of data-parallel training, N gradients of P processes.
double parameter_server_elements(double elements, double processes);  // through the server: 2N(P-1)
double ring_elements(double elements, double processes);              // sent by each process: 2N(P-1)/P

struct Link {
  double latency_us = 0;
  double bandwidth_gbs = 0;  // 10^9 bytes/s
};
double transfer_us(const Link& link, double bytes);
double ring_allreduce_us(const Link& link, double bytes, double processes);  // 2(P-1) rounds of bytes/P
double tree_reduce_us(const Link& link, double bytes, double processes);     // ceil(log2 P) rounds of all bytes
double ring_link_utilisation(const Link& link, double bytes, double processes, double compute_s);

// Rounds of the textbook all-reduce schedules.
struct Rounds {
  int64_t one_to_all = 0, ring = 0, tree = 0, butterfly = 0;
};
Rounds allreduce_rounds(int64_t processes);

// A reduction of n operands with operations of `arity` inputs.
struct WorkDepth {
  int64_t work = 0, depth = 0;
};
WorkDepth reduction(int64_t operands, int64_t arity);

}  // namespace hpml::models
