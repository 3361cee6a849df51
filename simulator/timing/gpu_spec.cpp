// One describe function per group of gpus/*.toml: the only place where a key name is written.
#include "simulator/timing/gpu_spec.hpp"

#include <algorithm>
#include <filesystem>
#include <numeric>

#include "common/config/toml.hpp"

namespace hpml::sim::timing {

using config::at_least;
using config::between;
using config::Table;

namespace {

// In the order of enum Pipe.
constexpr std::array<std::string_view, kPipeCount> kPipeWords{"none", "fma",    "alu", "fp64",   "xu",
                                                              "lsu",  "tensor", "cbu", "barrier"};

void describe(Table& t, Identity& v) {
  t.get("name", v.name);
  t.get("chip", v.chip);
  t.get("architecture", v.architecture);
  t.get("cc_major", v.cc_major, between(3, 12));
  t.get("cc_minor", v.cc_minor, between(0, 9));
}

void describe(Table& t, Topology& v) {
  t.get("sms", v.sms, between(1, 512));
  t.get("sms_per_tpc", v.sms_per_tpc, between(1, 4));
  t.get("sub_partitions", v.sub_partitions, between(1, 8));
  t.get("issue_per_scheduler", v.issue_per_scheduler, between(1, 2));
}

void describe(Table& t, Clocks& v) {
  t.get("core_mhz", v.core_mhz, at_least(1));
  t.get("reported_core_mhz", v.reported_core_mhz, at_least(1));
  t.get("memory_mhz", v.memory_mhz, at_least(1));
}

void describe(Table& t, Limits& v) {
  t.get("max_threads_per_block", v.max_threads_per_block, at_least(32));
  t.get("max_threads_per_sm", v.max_threads_per_sm, at_least(32));
  t.get("max_warps_per_sm", v.max_warps_per_sm, between(1, 64));
  t.get("max_blocks_per_sm", v.max_blocks_per_sm, between(1, 64));
  t.get("registers_per_sm", v.registers_per_sm, at_least(1));
  t.get("registers_per_block", v.registers_per_block, at_least(1));
  t.get("max_registers_per_thread", v.max_registers_per_thread, at_least(1));
  t.get("register_unit_per_warp", v.register_unit_per_warp, at_least(1));
  t.get("shared_per_sm_bytes", v.shared_per_sm_bytes);
  t.get("shared_per_block_bytes", v.shared_per_block_bytes);
  t.get("shared_per_block_optin_bytes", v.shared_per_block_optin_bytes);
  t.get("shared_unit_bytes", v.shared_unit_bytes, at_least(1));
  t.get("shared_reserved_bytes", v.shared_reserved_bytes);
  t.get("const_bytes", v.const_bytes, at_least(1));
  t.require(v.max_warps_per_sm * 32 == v.max_threads_per_sm, "max_threads_per_sm", "must be 32 x max_warps_per_sm");
  t.require(v.shared_per_block_optin_bytes + v.shared_reserved_bytes <= v.shared_per_sm_bytes,
            "shared_per_block_optin_bytes", "plus the reserved bytes must fit shared_per_sm_bytes");
}

void describe(Table& t, LatencyClass& v) {
  size_t pipe = 0;
  t.get_choice("pipe", pipe, {kPipeWords.begin(), kPipeWords.end()});
  v.pipe = static_cast<Pipe>(pipe);
  t.get("latency", v.latency, between(0, 100000));
  t.get("interval", v.interval, between(0, 100000));
}

void describe(Table& t, std::array<LatencyClass, isa::kLatCount>& v) {
  for (int i = 0; i < isa::kLatCount; ++i) {
    t.table(isa::name(static_cast<isa::Lat>(i)), [&](Table& s) { describe(s, v[static_cast<size_t>(i)]); });
  }
}

void describe(Table& t, TensorRates& v) {
  t.get("f16", v.f16, at_least(0));
  t.get("bf16", v.bf16, at_least(0));
  t.get("tf32", v.tf32, at_least(0));
  t.get("f64", v.f64, at_least(0));
  t.get("f8", v.f8, at_least(0));
  t.get("i8", v.i8, at_least(0));
  t.get("i4", v.i4, at_least(0));
  t.get("b1", v.b1, at_least(0));
  t.get("sum_row_bytes", v.sum_row_bytes, between(4, 32));
  t.get("sum_fraction_bits", v.sum_fraction_bits, between(10, 30));
  t.get("warpgroup_f8_fraction_bits", v.warpgroup_f8_fraction_bits, between(10, 30));
  t.get("wmma_tf32_columns", v.wmma_tf32_columns, between(1, 8));
  t.get("f8_as_f16", v.f8_as_f16);
  t.get("quads_by_fma", v.quads_by_fma);
  t.get("mixed_by_f32", v.mixed_by_f32);
}

void describe(Table& t, Core& v) {
  t.get("scheduler", v.scheduler);
  t.get("fp64_pipe_per_sm", v.fp64_pipe_per_sm);
  t.get("lsu_queue_per_partition", v.lsu_queue_per_partition, between(1, 64));
  t.get("agu_interval_cycles", v.agu_interval_cycles, between(1, 64));
  t.get("branch_cycles", v.branch_cycles, between(1, 100));
  t.get("guard_cycles", v.guard_cycles, between(1, 100));
  t.get("block_place_cycles", v.block_place_cycles);
  t.get("block_start_cycles", v.block_start_cycles, between(0, 10000));
  t.get("lsu_front_cycles", v.lsu_front_cycles, between(1, 100));
}

void describe(Table& t, L1& v) {
  t.get("unified_kib", v.unified_kib, at_least(1));
  t.get("carveouts_kib", v.carveouts_kib);
  t.get("max_l1_kib", v.max_l1_kib, at_least(1));
  t.get("line_bytes", v.line_bytes, between(32, 128));
  t.get("ways", v.ways, at_least(1));
  t.get("caches_global", v.caches_global);
  t.get("allocate_on_write", v.allocate_on_write);
  t.get("local_write_through", v.local_write_through);
  t.get("mshr_entries", v.mshr_entries, at_least(1));
  t.get("mshr_merges", v.mshr_merges, at_least(1));
  t.get("bytes_per_cycle", v.bytes_per_cycle, at_least(1));
  t.get("tags_per_cycle", v.tags_per_cycle, at_least(1));
  t.get("tag_base_cycles", v.tag_base_cycles);
  t.require(!v.carveouts_kib.empty() && std::is_sorted(v.carveouts_kib.begin(), v.carveouts_kib.end()), "carveouts_kib",
            "must be sorted and not empty");
}

void describe(Table& t, Constant& v) {
  t.get("first_kib", v.first_kib, at_least(1));
  t.get("first_ways", v.first_ways, at_least(1));
  t.get("second_kib", v.second_kib, at_least(1));
  t.get("second_line_bytes", v.second_line_bytes, between(64, 1024));
  t.get("second_ways", v.second_ways, at_least(1));
  t.get("second_latency_cycles", v.second_latency_cycles);
  t.get("l2_latency_cycles", v.l2_latency_cycles);
  t.require(v.second_latency_cycles <= v.l2_latency_cycles, "l2_latency_cycles",
            "must not be below the second level's");
}

void describe(Table& t, Shared& v) {
  t.get("way_cycles", v.way_cycles);
  t.get("atomic_way_cycles", v.atomic_way_cycles);
}

void describe(Table& t, L2& v) {
  t.get("size_kib", v.size_kib, at_least(1));
  t.get("slices", v.slices, between(1, 256));
  t.get("ways", v.ways, between(1, 64));
  t.get("partitions", v.partitions, between(1, 2));
  t.get("near_latency_cycles", v.near_latency_cycles, at_least(1));
  t.get("far_latency_cycles", v.far_latency_cycles, at_least(1));
  t.get("slice_bytes_per_cycle", v.slice_bytes_per_cycle, at_least(1));
  t.get("slice_request_cycles", v.slice_request_cycles);
  t.get("slice_partial_cycles", v.slice_partial_cycles);
  t.get("fetch_bytes", v.fetch_bytes, between(32, 128));
  t.get("sm_port_bytes_per_cycle", v.sm_port_bytes_per_cycle, at_least(1));
  t.get("tpc_port_bytes_per_cycle", v.tpc_port_bytes_per_cycle, at_least(1));
  t.get("dirty_share", v.dirty_share, between(0.05, 1));
  t.get("atomic_same_address_cycles", v.atomic_same_address_cycles);
  t.get("atomic_float_cycles", v.atomic_float_cycles);
  t.get("slice_queue", v.slice_queue, at_least(1));
  t.get("sm_queue", v.sm_queue, at_least(1));
  t.require(v.far_latency_cycles >= v.near_latency_cycles, "far_latency_cycles", "must not be below the near latency");
}

void describe(Table& t, Dram& v) {
  t.get("type", v.type);
  t.get("channels", v.channels, between(1, 256));
  t.get("bus_bits", v.bus_bits, at_least(1));
  t.get("size_mib", v.size_mib, at_least(1));
  t.get("peak_gbs", v.peak_gbs, at_least(1));
  t.get("read_efficiency", v.read_efficiency, between(0.05, 1));
  t.get("write_efficiency", v.write_efficiency, between(0.05, 1));
  t.get("mixed_efficiency", v.mixed_efficiency, between(0.05, 1));
  t.get("latency_cycles", v.latency_cycles, at_least(1));
  t.get("backlog_cycles", v.backlog_cycles, at_least(1));
  t.get("turn_cycles", v.turn_cycles);
  t.get("write_burst_ns", v.write_burst_ns);
}

void describe(Table& t, Tlb& v) {
  t.get("l1_reach_mib", v.l1_reach_mib);
  t.get("l1_page_kib", v.l1_page_kib, at_least(4));
  t.get("l2_reach_mib", v.l2_reach_mib, at_least(1));
  t.get("l2_page_kib", v.l2_page_kib, at_least(4));
  t.get("l2_hit_cycles", v.l2_hit_cycles);
  t.get("walk_cycles", v.walk_cycles);
  t.require(v.l2_hit_cycles <= v.walk_cycles, "walk_cycles", "must not be below l2_hit_cycles");
  t.require(uint64_t{v.l2_reach_mib} * 1024 >= v.l2_page_kib, "l2_page_kib", "must not be above l2_reach_mib");
}

void describe(Table& t, ClusterSpec& v) {
  t.get("max_blocks", v.max_blocks, between(0, 16));
  t.get("portable_blocks", v.portable_blocks, between(0, 8));
  t.get("gpc_sms", v.gpc_sms);
  t.get("barrier_cycles", v.barrier_cycles);
  t.get("remote_latency_cycles", v.remote_latency_cycles, at_least(1));
  t.get("remote_bytes_per_cycle", v.remote_bytes_per_cycle, at_least(1));
  t.require(v.portable_blocks <= v.max_blocks, "portable_blocks", "must not be above max_blocks");
}

void describe(Table& t, HostLink& v) {
  t.get("pinned_fixed_us", v.pinned_fixed_us);
  t.get("pinned_h2d_gbs", v.pinned_h2d_gbs, at_least(0.1));
  t.get("pinned_d2h_gbs", v.pinned_d2h_gbs, at_least(0.1));
  t.get("pageable_fixed_us", v.pageable_fixed_us);
  t.get("pageable_small_mb", v.pageable_small_mb);
  t.get("pageable_small_h2d_gbs", v.pageable_small_h2d_gbs, at_least(0.1));
  t.get("pageable_small_d2h_gbs", v.pageable_small_d2h_gbs, at_least(0.1));
  t.get("pageable_h2d_gbs", v.pageable_h2d_gbs, at_least(0.1));
  t.get("pageable_d2h_gbs", v.pageable_d2h_gbs, at_least(0.1));
  t.get("copy_engines", v.copy_engines, between(1, 16));
  t.get("access_us", v.access_us, at_least(0.01));
  t.get("reads_in_flight", v.reads_in_flight, between(1, 65536));
  t.get("write_backlog_cycles", v.write_backlog_cycles, at_least(1));
}

void describe(Table& t, ApiCost& v) {
  t.get("base_us", v.base_us);
  t.get("per_mb_us", v.per_mb_us);
}

void describe(Table& t, ApiCosts& v) {
  const std::pair<const char*, ApiCost*> costs[] = {
      {"context_create", &v.context_create}, {"malloc_device", &v.malloc_device},
      {"malloc_managed", &v.malloc_managed}, {"malloc_host", &v.malloc_host},
      {"free_device", &v.free_device},       {"free_managed", &v.free_managed},
      {"free_host", &v.free_host},           {"launch", &v.launch},
      {"synchronize", &v.synchronize},       {"event_record", &v.event_record},
      {"memcpy_call", &v.memcpy_call},       {"memset_call", &v.memset_call},
      {"stream_create", &v.stream_create},   {"query", &v.query}};
  for (const auto& [key, cost] : costs) {
    t.table(key, [target = cost](Table& s) { describe(s, *target); });
  }
  t.get("launch_to_start_us", v.launch_to_start_us);
  t.get("kernel_fixed_us", v.kernel_fixed_us);
}

void describe(Table& t, UnifiedMemorySpec& v) {
  t.get("demand_paging", v.demand_paging);
  t.get("threshold_percent", v.threshold_percent, between(1, 100));
  t.get("group_us", v.group_us);
  t.get("first_group_us", v.first_group_us);
  t.get("per_extra_fault_us", v.per_extra_fault_us);
  t.get("migration_gbs", v.migration_gbs, at_least(0.1));
  t.get("writeback_gbs", v.writeback_gbs, at_least(0.1));
  t.get("cpu_fault_us", v.cpu_fault_us);
}

void describe(Table& t, GpuSpec& v) {
  t.table("identity", [&](Table& s) { describe(s, v.identity); });
  t.table("topology", [&](Table& s) { describe(s, v.topology); });
  t.table("clocks", [&](Table& s) { describe(s, v.clocks); });
  t.table("limits", [&](Table& s) { describe(s, v.limits); });
  t.table("core", [&](Table& s) { describe(s, v.core); });
  t.table("cluster", [&](Table& s) { describe(s, v.cluster); });
  t.table("latency", [&](Table& s) { describe(s, v.latency); });
  t.table("tensor", [&](Table& s) { describe(s, v.tensor); });
  t.table("l1", [&](Table& s) { describe(s, v.l1); });
  t.table("constant", [&](Table& s) { describe(s, v.constant); });
  t.table("shared", [&](Table& s) { describe(s, v.shared); });
  t.table("l2", [&](Table& s) { describe(s, v.l2); });
  t.table("dram", [&](Table& s) { describe(s, v.dram); });
  t.table("tlb", [&](Table& s) { describe(s, v.tlb); });
  t.table("host_link", [&](Table& s) { describe(s, v.host_link); });
  t.table("api", [&](Table& s) { describe(s, v.api); });
  t.table("unified_memory", [&](Table& s) { describe(s, v.unified_memory); });
  // Latencies are load-to-use and contain those of the levels above.
  t.require(v.of(isa::Lat::ld_global).latency < v.l2.near_latency_cycles, "l2", "must be slower than an L1 hit");
  t.require(v.core.lsu_front_cycles < v.of(isa::Lat::ld_global).latency, "core",
            "lsu_front_cycles is part of ld_global");
  t.require(v.of(isa::Lat::ld_const).latency <= v.constant.second_latency_cycles, "constant",
            "must not be faster than its first level, ld_const");
  t.require(v.cluster.max_blocks == 0 || v.of(isa::Lat::ld_shared).latency <= v.cluster.remote_latency_cycles,
            "cluster", "must not be faster than the SM's own shared memory, ld_shared");
  t.require(v.cluster.max_blocks == 0 ||
                std::accumulate(v.cluster.gpc_sms.begin(), v.cluster.gpc_sms.end(), 0U) == v.topology.sms,
            "cluster", "gpc_sms must add up to topology.sms");
  t.require(v.l2.near_latency_cycles < v.dram.latency_cycles, "dram", "must be slower than an L2 hit");
}

}  // namespace

std::string_view name(Pipe pipe) { return kPipeWords[static_cast<size_t>(pipe)]; }

size_t ClusterSpec::gpc_of(uint32_t sm) const {
  size_t gpc = 0;
  for (; gpc + 1 < gpc_sms.size() && sm >= gpc_sms[gpc]; ++gpc) {
    sm -= gpc_sms[gpc];
  }
  return gpc;
}

double TensorRates::of(isa::Element type) const {
  switch (type) {
    case isa::Element::f16: return f16;
    case isa::Element::bf16: return bf16;
    case isa::Element::tf32: return tf32;
    case isa::Element::f64: return f64;
    case isa::Element::e4m3:
    case isa::Element::e5m2:
    case isa::Element::e3m2:
    case isa::Element::e2m3:
    case isa::Element::e2m1:
    case isa::Element::e2m1_packed: return f8;
    case isa::Element::s8:
    case isa::Element::u8: return i8;
    case isa::Element::s4:
    case isa::Element::u4: return i4;
    case isa::Element::b1: return b1;
    case isa::Element::none:
    case isa::Element::f32:
    case isa::Element::s32: break;
  }
  return 0;
}

// PTX for a newer GPU may use a type this one has not: then the class's own interval, that of 2,048 multiply-adds,
// scales.
double GpuSpec::tensor_cycles(const isa::MatrixForm& form) const {
  constexpr double kOfTheClass = 2048;
  const double products = double{1} * form.m * form.n * form.columns_a() * (form.quads ? 4 : 1);
  const double rate = tensor.of(form.a) / topology.sub_partitions;
  return rate > 0 ? products / rate : products / kOfTheClass * of(isa::Lat::tensor).interval;
}

Result<GpuSpec> load_gpu(const std::string& path) {
  GpuSpec spec;
  spec.identity.key = std::filesystem::path(path).stem().string();
  HPML_TRY_VOID(config::read_toml_file(path, [&](Table& t) { describe(t, spec); }));
  return spec;
}

Result<std::vector<std::string>> list_gpus(const std::string& directory) {
  std::vector<std::string> keys;
  std::error_code failed;
  for (const auto& entry : std::filesystem::directory_iterator(directory, failed)) {
    if (entry.path().extension() == ".toml") {
      keys.push_back(entry.path().stem().string());
    }
  }
  if (failed || keys.empty()) {
    return error_in(directory, failed ? "cannot be read: " + failed.message() : "has no GPU files (*.toml)");
  }
  std::sort(keys.begin(), keys.end());
  return keys;
}

}  // namespace hpml::sim::timing
