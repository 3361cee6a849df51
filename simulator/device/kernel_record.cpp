#include "simulator/device/kernel_record.hpp"

#include <cmath>

#include "common/base/demangle.hpp"
#include "simulator/device/exact_metrics.hpp"
#include "simulator/device/roofline.hpp"

namespace hpml::sim::device {
namespace {

using Json = nlohmann::ordered_json;

constexpr double kPicosecondsPerMicrosecond = 1e6;

Json extents(const Dim3& d) { return Json::array({d.x, d.y, d.z}); }

void add_limit(Json& metrics, const char* name, uint32_t blocks) {
  if (blocks != timing::Occupancy::kUnlimited) {  // a resource the kernel does not use limits nothing
    metrics[name] = blocks;
  }
}

Json launch_metrics(const LaunchFacts& facts, const timing::GpuSpec& spec) {
  const timing::Occupancy& fit = facts.fit;
  const auto blocks = static_cast<double>(facts.request.grid.count());
  Json m = Json::object();
  m["launch__grid_size"] = facts.request.grid.count();
  m["launch__block_size"] = facts.request.block.count();
  if (const auto cluster = facts.request.cluster ? facts.request.cluster : facts.kernel.cluster) {
    m["launch__cluster_dim_x"] = cluster->x;
    m["launch__cluster_dim_y"] = cluster->y;
    m["launch__cluster_dim_z"] = cluster->z;
  }
  m["launch__registers_per_thread"] = facts.kernel.registers;
  m["launch__shared_mem_per_block_static"] = facts.kernel.static_shared;
  m["launch__shared_mem_per_block_dynamic"] = facts.request.dynamic_shared;
  m["launch__waves_per_multiprocessor"] = blocks / (static_cast<double>(fit.blocks_per_sm) * spec.topology.sms);
  add_limit(m, "launch__occupancy_limit_registers", fit.by_registers);
  add_limit(m, "launch__occupancy_limit_shared_mem", fit.by_shared);
  add_limit(m, "launch__occupancy_limit_warps", fit.by_warps);
  add_limit(m, "launch__occupancy_limit_blocks", fit.by_blocks);
  m["sm__maximum_warps_per_active_cycle_pct"] =
      100.0 * fit.blocks_per_sm * fit.warps_per_block / spec.limits.max_warps_per_sm;
  return m;
}

Json all_metrics(const LaunchFacts& facts, const timing::GpuSpec& spec) {
  Json metrics = launch_metrics(facts, spec);
  metrics.update(exact_metrics(facts.counters));
  if (facts.modelled) {
    const double passes =
        static_cast<double>(shared_wavefronts(facts.counters)) * spec.of(isa::Lat::ld_shared).interval;
    const double sm_cycles = facts.cycles * spec.topology.sms;
    metrics["l1tex__data_pipe_lsu_wavefronts_mem_shared.avg.pct_of_peak_sustained_elapsed"] =
        sm_cycles > 0 ? 100.0 * passes / sm_cycles : 0.0;
    const auto executed = static_cast<double>(facts.counters.warp_instructions);
    metrics["gpusim__machine_inst_per_ptx_inst.ratio"] =
        executed > 0 ? static_cast<double>(facts.modelled->issued) / executed : 0.0;
    metrics.update(
        model_metrics({.counters = *facts.modelled, .cycles = facts.cycles, .duration_ns = facts.duration_ns}, spec));
  } else {
    metrics["gpu__time_duration.sum"] = facts.duration_ns;
  }
  metrics["gpusim__launch_overhead_us.sum"] = spec.api.launch_to_start_us;
  metrics["gpusim__fault_groups.sum"] = facts.fault_groups;
  metrics["gpusim__fault_time_us.sum"] = facts.fault_us;
  metrics["gpusim__migrated_bytes.sum"] = facts.migrated_bytes;
  return metrics;
}

const char* kind_name(exec::AccessKind kind) {
  switch (kind) {
    case exec::AccessKind::load: return "ld";
    case exec::AccessKind::store: return "st";
    case exec::AccessKind::atomic: return "atom";
  }
  return "";
}

// Memory accesses by source line; a stride that is not always the same is null.
Json lines_record(const std::vector<exec::LineAccess>& lines) {
  Json out = Json::array();
  for (const exec::LineAccess& at : lines) {
    const bool shared = at.space == isa::Space::shared;
    Json entry = Json::object();
    entry["file"] = at.file;
    entry["line"] = at.line;
    entry["space"] = isa::name(at.space);
    entry["op"] = kind_name(at.kind);
    entry["requests"] = at.counters.requests;
    entry[shared ? "wavefronts" : "sectors"] = at.counters.parts;
    entry[shared ? "ideal_wavefronts" : "ideal_sectors"] = at.counters.ideal_parts;
    const std::optional<int64_t> stride = at.counters.stride.bytes();
    entry["lane_stride_bytes"] = stride ? Json(*stride) : Json(nullptr);
    out.push_back(std::move(entry));
  }
  return out;
}

}  // namespace

Json kernel_record(const LaunchFacts& facts, const timing::GpuSpec& spec) {
  Json record = Json::object();
  record["name"] = facts.kernel.name;
  record["demangled"] = demangle(facts.kernel.name);
  record["grid"] = extents(facts.request.grid);
  record["block"] = extents(facts.request.block);
  record["shared_bytes"] = uint64_t{facts.kernel.static_shared} + facts.request.dynamic_shared;
  record["registers"] = facts.kernel.registers;
  record["registers_estimated"] = facts.kernel.registers_estimated;
  record["start_us"] = static_cast<double>(facts.request.start) / kPicosecondsPerMicrosecond;
  record["duration_us"] = facts.duration_ns / 1000.0;
  record["cycles"] = std::llround(facts.cycles);
  record["sampled"] = facts.sampled;
  record["sampled_fraction"] = facts.sampled_fraction;
  record["estimated"] = !facts.modelled.has_value();
  record["warp_instructions"] = facts.counters.warp_instructions;
  record["thread_instructions"] = facts.counters.thread_instructions;
  record["metrics"] = all_metrics(facts, spec);
  record["lines"] = lines_record(facts.lines);
  record["stalls"] = facts.modelled ? stalls_record(*facts.modelled) : Json::object();
  Traffic traffic{.l1_bytes = l1_bytes_of(facts.counters), .l2_bytes = {}, .dram_bytes = {}};
  if (facts.modelled) {
    traffic.l2_bytes = l2_bytes_of(*facts.modelled);
    traffic.dram_bytes = dram_bytes_of(*facts.modelled);
  }
  record["roofline"] = roofline_record(flops_of(facts.counters), traffic, facts.duration_ns, spec);
  return record;
}

}  // namespace hpml::sim::device
