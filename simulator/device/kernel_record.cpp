#include "simulator/device/kernel_record.hpp"

#include <cmath>

#include "common/base/demangle.hpp"
#include "simulator/device/counters.hpp"
#include "simulator/device/formulas.hpp"
#include "simulator/device/roofline.hpp"

namespace hpml::sim::device {
namespace {

const char* kind_name(exec::AccessKind kind) {
  switch (kind) {
    case exec::AccessKind::load: return "ld";
    case exec::AccessKind::store: return "st";
    case exec::AccessKind::atomic: return "atom";
  }
  return "";
}

std::optional<metrics::BankConflict> conflict_record(const exec::ConflictExample& example) {
  if (example.lanes == 0) {
    return std::nullopt;
  }
  metrics::BankConflict out{.bytes = example.bytes, .words = {}};
  for (size_t lane = 0; lane < example.words.size(); ++lane) {
    out.words.push_back((example.lanes >> lane & 1) != 0 ? std::optional(example.words[lane]) : std::nullopt);
  }
  return out;
}

std::vector<metrics::LineAccess> lines_record(const std::vector<exec::LineAccess>& lines) {
  std::vector<metrics::LineAccess> out;
  for (const exec::LineAccess& at : lines) {
    out.push_back({.file = at.file,
                   .line = at.line,
                   .space = isa::name(at.space),
                   .op = kind_name(at.kind),
                   .requests = at.counters.requests,
                   .parts = at.counters.parts,
                   .ideal_parts = at.counters.ideal_parts,
                   .lane_stride = at.counters.stride.bytes(),
                   .conflict = conflict_record(at.counters.conflict)});
  }
  return out;
}

metrics::Roofline roofline_of(const LaunchFacts& facts, const timing::GpuSpec& spec) {
  Traffic traffic{.l1_bytes = l1_bytes_of(facts.counters), .l2_bytes = {}, .dram_bytes = {}};
  if (facts.modelled) {
    traffic.l2_bytes = l2_bytes_of(*facts.modelled);
    traffic.dram_bytes = dram_bytes_of(*facts.modelled);
  }
  return roofline_record(flops_of(facts.counters), traffic, facts.duration_ns, spec);
}

}  // namespace

metrics::Kernel kernel_record(const LaunchFacts& facts, const timing::GpuSpec& spec) {
  metrics::Kernel record;
  record.name = facts.kernel.name;
  record.demangled = demangle(facts.kernel.name);
  record.grid = extents(facts.request.grid);
  record.block = extents(facts.request.block);
  record.shared_bytes = uint64_t{facts.kernel.static_shared} + facts.request.dynamic_shared;
  record.registers = facts.kernel.registers;
  record.registers_estimated = facts.kernel.registers_estimated;
  record.start_us = metrics::microseconds(facts.request.start);
  record.duration_us = facts.duration_ns / 1000.0;
  record.cycles = std::llround(facts.cycles);
  record.sampled = facts.sampled;
  record.sampled_fraction = facts.sampled_fraction;
  record.estimated = !facts.modelled.has_value();
  record.warp_instructions = facts.counters.warp_instructions;
  record.thread_instructions = facts.counters.thread_instructions;
  record.metrics = launch_counters(facts, spec);
  record.lines = lines_record(facts.lines);
  record.stalls = facts.modelled ? stall_counters(*facts.modelled) : metrics::Values();
  record.roofline = roofline_of(facts, spec);
  return record;
}

}  // namespace hpml::sim::device
