#include "common/models/communication.hpp"

namespace hpml::models {

namespace {

int64_t ceil_log(int64_t value, int64_t base) {
  int64_t levels = 0;
  for (int64_t reach = 1; reach < value; reach *= base) {
    ++levels;
  }
  return levels;
}

double us(double bytes, double gbs) { return bytes / (gbs * 1e3); }

}  // namespace

double parameter_server_elements(double elements, double processes) { return 2 * elements * (processes - 1); }

double ring_elements(double elements, double processes) { return 2 * elements * (processes - 1) / processes; }

double transfer_us(const Link& link, double bytes) { return link.latency_us + us(bytes, link.bandwidth_gbs); }

double ring_allreduce_us(const Link& link, double bytes, double processes) {
  return 2 * (processes - 1) * transfer_us(link, bytes / processes);
}

double tree_reduce_us(const Link& link, double bytes, double processes) {
  return static_cast<double>(ceil_log(static_cast<int64_t>(processes), 2)) * transfer_us(link, bytes);
}

double ring_link_utilisation(const Link& link, double bytes, double processes, double compute_s) {
  return ring_elements(bytes, processes) / (compute_s * link.bandwidth_gbs * 1e9);
}

Rounds allreduce_rounds(int64_t processes) {
  const int64_t levels = ceil_log(processes, 2);
  return {.one_to_all = 2 * (processes - 1), .ring = 2 * (processes - 1), .tree = 2 * levels, .butterfly = levels};
}

WorkDepth reduction(int64_t operands, int64_t arity) {
  // Each operation replaces `arity` values by one; the last one may have inputs to spare.
  return {.work = (operands - 1 + arity - 2) / (arity - 1), .depth = ceil_log(operands, arity)};
}

}  // namespace hpml::models
