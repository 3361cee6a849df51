#include "common/models/communication.hpp"

#include "common/models/json/registry.hpp"

namespace hpml::models {

namespace {

Link link_of(Args& a) {
  const double latency = a.number("latency_us", at_least(0));
  return {.latency_us = latency, .bandwidth_gbs = a.number("bandwidth_gbs", at_least(kTiny))};
}

double processes_of(Args& a) { return static_cast<double>(a.integer("processes", at_least(1))); }

Result<Json> server(Args& a) {
  const double elements = a.number("elements", at_least(0));
  const double processes = processes_of(a);
  HPML_MODEL_INPUTS_READ(a);
  return Json{{"elements_at_server", parameter_server_elements(elements, processes)}};
}

Result<Json> ring(Args& a) {
  const double elements = a.number("elements", at_least(0));
  const double processes = processes_of(a);
  HPML_MODEL_INPUTS_READ(a);
  return Json{{"elements_per_process", ring_elements(elements, processes)}};
}

Result<Json> alpha_beta(Args& a) {
  const Link link = link_of(a);
  const double bytes = a.number("bytes", at_least(0));
  HPML_MODEL_INPUTS_READ(a);
  return Json{{"time_us", transfer_us(link, bytes)}};
}

Result<Json> allreduce_time(Args& a) {
  const Link link = link_of(a);
  const double bytes = a.number("bytes", at_least(0));
  const double processes = processes_of(a);
  HPML_MODEL_INPUTS_READ(a);
  return Json{{"ring_us", ring_allreduce_us(link, bytes, processes)},
              {"tree_reduce_us", tree_reduce_us(link, bytes, processes)}};
}

Result<Json> utilisation(Args& a) {
  const double bandwidth = a.number("bandwidth_gbs", at_least(kTiny));
  const double bytes = a.number("bytes", at_least(0));
  const double processes = processes_of(a);
  const double compute = a.number("compute_s", at_least(kTiny));
  HPML_MODEL_INPUTS_READ(a);
  return Json{{"utilisation", ring_link_utilisation({0, bandwidth}, bytes, processes, compute)}};
}

Result<Json> rounds(Args& a) {
  const int64_t processes = a.integer("processes", at_least(1));
  HPML_MODEL_INPUTS_READ(a);
  const Rounds r = allreduce_rounds(processes);
  return Json{{"one_to_all", r.one_to_all}, {"ring", r.ring}, {"tree", r.tree}, {"butterfly", r.butterfly}};
}

Result<Json> reduce(Args& a) {
  const int64_t operands = a.integer("operands", between(1, 1e12));
  const int64_t arity = a.integer("arity", between(2, 1e6));
  HPML_MODEL_INPUTS_READ(a);
  const WorkDepth r = reduction(operands, arity);
  return Json{{"work", r.work}, {"depth", r.depth}};
}

}  // namespace

std::vector<Model> communication_models() {
  return {
      {"parameter_server", "2 N (P-1) through the server", {"elements_at_server"}, server},
      {"ring_allreduce", "2 N (P-1)/P sent by each process", {"elements_per_process"}, ring},
      {"alpha_beta", "latency + bytes / bandwidth", {"time_us"}, alpha_beta},
      {"allreduce_time",
       "ring 2(P-1) (latency + bytes/(P bandwidth)); tree ceil(log2 P) (latency + bytes/bandwidth)",
       {"ring_us", "tree_reduce_us"},
       allreduce_time},
      {"ring_link_utilisation",
       "2 (P-1)/P bytes / (compute time * bandwidth): share of the link when both take the same time",
       {"utilisation"},
       utilisation},
      {"allreduce_rounds",
       "one to all and ring 2(P-1), tree 2 ceil(log2 P), butterfly ceil(log2 P)",
       {"one_to_all", "ring", "tree", "butterfly"},
       rounds},
      {"reduction", "ceil((n-1)/(arity-1)) operations, ceil(log_arity n) deep", {"work", "depth"}, reduce},
  };
}

}  // namespace hpml::models
