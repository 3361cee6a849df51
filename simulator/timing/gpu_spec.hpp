#pragma once
// GpuSpec: everything the timing model knows about one GPU, as read from gpus/<name>.toml. Immutable after loading.
// Units are in the member names; "cycles" are core clock cycles. Every value is required in every file, with its
// source in a comment there: there is no default anywhere in the timing room.
#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "common/base/result.hpp"
#include "simulator/isa/matrix/form.hpp"
#include "simulator/isa/types.hpp"

namespace hpml::sim::timing {

struct Identity {
  std::string key;   // file stem: "t4"
  std::string name;  // as cudaDeviceProp::name: "Tesla T4"
  std::string chip;
  std::string architecture;
  int cc_major = 0, cc_minor = 0;
};

struct Topology {
  uint32_t sms = 0;
  uint32_t sms_per_tpc = 0;          // neighbours that share a link to the L2 slices
  uint32_t sub_partitions = 0;       // warp schedulers per SM; warp w belongs to w mod this
  uint32_t issue_per_scheduler = 0;  // instructions of one warp per cycle
};

struct Clocks {
  double core_mhz = 0;           // simulated: what the card runs at under load
  double reported_core_mhz = 0;  // cudaDeviceProp::clockRate
  double memory_mhz = 0;         // cudaDeviceProp::memoryClockRate
};

struct Limits {
  uint32_t max_threads_per_block = 0, max_threads_per_sm = 0, max_warps_per_sm = 0, max_blocks_per_sm = 0;
  uint32_t registers_per_sm = 0, registers_per_block = 0, max_registers_per_thread = 0;
  uint32_t register_unit_per_warp = 0;  // allocation granularity, registers
  uint32_t shared_per_sm_bytes = 0;     // largest carve-out
  uint32_t shared_per_block_bytes = 0;  // without opt-in
  uint32_t shared_per_block_optin_bytes = 0;
  uint32_t shared_unit_bytes = 0;      // allocation granularity
  uint32_t shared_reserved_bytes = 0;  // taken by the system for each block
  uint32_t const_bytes = 0;
};

// The execution pipes; metric names sm__inst_executed_pipe_* use these words.
enum class Pipe : uint8_t { none, fma, alu, fp64, xu, lsu, tensor, cbu, barrier };
inline constexpr int kPipeCount = 9;
std::string_view name(Pipe pipe);

struct LatencyClass {
  Pipe pipe = Pipe::none;
  uint32_t latency = 0;  // cycles from issue to the issue of a dependent instruction (load-to-use for loads: L1 hit)
  double interval = 0;   // cycles one warp instruction keeps its pipe busy
};

// Multiply-adds per clock and SM of the matrix instructions, by type of the multiplicands; 0: the chip has none of it.
struct TensorRates {
  double f16 = 0, bf16 = 0, tf32 = 0, f64 = 0, f8 = 0, i8 = 0, i4 = 0, b1 = 0;
  // How sums are made: exec/tensor_sums.hpp.
  uint32_t sum_row_bytes = 0, sum_fraction_bits = 0, warpgroup_f8_fraction_bits = 0, wmma_tf32_columns = 0;
  bool f8_as_f16 = false, quads_by_fma = false, mixed_by_f32 = false;
  double of(isa::Element type) const;
};

struct Core {
  std::string scheduler;                 // issue policy by name: impl in core/policies
  bool fp64_pipe_per_sm = false;         // one FP64 pipe for the whole SM (Turing), else one per sub-partition
  uint32_t lsu_queue_per_partition = 0;  // memory instructions a sub-partition may have waiting
  uint32_t agu_interval_cycles = 0;      // address unit: cycles per memory instruction of one sub-partition
  uint32_t branch_cycles = 0;            // issue of a taken or not taken branch to the next issue of that warp
  uint32_t guard_cycles = 0;             // issue of a comparison to that of a branch or instruction it guards
  double block_place_cycles = 0;         // between two block placements of the grid scheduler
  uint32_t block_start_cycles = 0;       // from a block's placement to the first issue of its warps
  // From the issue of a memory instruction to the load/store stage (control, operand read, address unit), when nothing
  // is in the way. Load-to-use latencies contain it: it decides how they are divided between stages, not their sum.
  uint32_t lsu_front_cycles = 0;
};

struct L1 {
  uint32_t unified_kib = 0;             // L1 + shared memory
  std::vector<uint32_t> carveouts_kib;  // shared-memory sizes the driver may choose
  uint32_t max_l1_kib = 0;
  uint32_t line_bytes = 0;
  uint32_t ways = 0;
  bool caches_global = false;  // global loads by default
  bool allocate_on_write = false;
  bool local_write_through = false;  // L1 sends stores to local memory to L2, as those to global memory
  uint32_t mshr_entries = 0;         // pending sectors
  uint32_t mshr_merges = 0;          // requests per pending sector
  uint32_t bytes_per_cycle = 0;      // data stage
  uint32_t tags_per_cycle = 0;
  double tag_base_cycles = 0;  // cycles = max(bank passes, base + lines / tags_per_cycle) for more than one line
};

// The caches of constant memory in front of L2, of each SM; the first level's latency is that of ld_const.
struct Constant {
  uint32_t first_kib = 0, first_ways = 0;
  uint32_t second_kib = 0, second_line_bytes = 0, second_ways = 0;
  uint32_t second_latency_cycles = 0, l2_latency_cycles = 0;  // load-to-use of a hit there
};

struct Shared {
  uint32_t way_cycles = 0;       // added load-to-use cycles per further bank-conflict way
  double atomic_way_cycles = 0;  // added per further lane on the same address
};

struct L2 {
  uint32_t size_kib = 0, slices = 0, ways = 0, partitions = 0;
  uint32_t near_latency_cycles = 0;  // load-to-use of a hit in the SM's own partition
  uint32_t far_latency_cycles = 0;   // in the other one; equal to near where there is one partition
  double slice_bytes_per_cycle = 0;
  double slice_request_cycles = 0;      // a slice takes no more than one request in so many cycles, however small
  double slice_partial_cycles = 0;      // added for each sector written in part: it is read, merged and written
  uint32_t fetch_bytes = 0;             // what a miss brings from DRAM, aligned: 32, 64 or 128
  double sm_port_bytes_per_cycle = 0;   // crossbar, from the slices to an SM
  double tpc_port_bytes_per_cycle = 0;  // crossbar, from the SMs of a TPC to the slices
  double dirty_share = 0;  // of the lines of a set: the oldest beyond it are written back before they are evicted
  double atomic_same_address_cycles = 0;  // per lane on one address: integers, exchange, compare and swap
  double atomic_float_cycles = 0;         // floating-point additions
  uint32_t slice_queue = 0;               // requests: deep enough to cover the data stage, short enough to push back
  uint32_t sm_queue = 0;  // requests of an SM that wait at the crossbar; at least as many as a quantum has cycles
};

struct Dram {
  std::string type;
  uint32_t channels = 0, bus_bits = 0;
  uint64_t size_mib = 0;
  double peak_gbs = 0;
  double read_efficiency = 0, write_efficiency = 0;  // of peak, streaming, one direction alone
  double mixed_efficiency = 0;                       // while reads and writes take turns
  uint32_t latency_cycles = 0;                       // load-to-use of a miss of both caches, near partition
  uint32_t backlog_cycles = 0;  // a channel takes requests as long as what it has is done within so many
  double write_burst_ns = 0;    // a channel that also reads gathers writes for a burst of so long
  uint32_t turn_cycles = 0;     // an access in the other direction so short ago makes traffic mixed
};

struct HostLink {
  double pinned_fixed_us = 0, pinned_h2d_gbs = 0, pinned_d2h_gbs = 0;
  double pageable_fixed_us = 0;
  double pageable_small_mb = 0;  // the first MB of a pageable copy go at the small rate (host caches)
  double pageable_small_h2d_gbs = 0, pageable_small_d2h_gbs = 0, pageable_h2d_gbs = 0, pageable_d2h_gbs = 0;
  uint32_t copy_engines = 0;
  double access_us = 0;               // a kernel's read of the host's memory, there and back
  uint32_t reads_in_flight = 0;       // of such reads
  uint32_t write_backlog_cycles = 0;  // writes are taken as long as those before leave within so many
};

struct ApiCost {
  double base_us = 0, per_mb_us = 0;  // MB = 10^6 bytes
};

// Host time of API calls; launch_* describe the device side of a launch.
struct ApiCosts {
  ApiCost context_create, malloc_device, malloc_managed, malloc_host, free_device, free_managed, free_host, launch,
      synchronize, event_record, memcpy_call, memset_call, stream_create, query;
  double launch_to_start_us = 0;  // end of the API call to the first block, idle device
  double kernel_fixed_us = 0;     // null-kernel duration on the device: grid set-up and drain
};

struct UnifiedMemorySpec {
  bool demand_paging = false;
  uint32_t threshold_percent = 0;  // tree rule
  double group_us = 0;             // service of a fault group without transfer
  double first_group_us = 0;       // further cost of the first group of a process
  double per_extra_fault_us = 0;   // further faults of a group, in other blocks
  double migration_gbs = 0;        // host to device, by faults
  double writeback_gbs = 0;        // device to host, by CPU faults
  double cpu_fault_us = 0;         // service of a CPU fault on a device page, without transfer
};

// Translation of addresses that miss L1: a TLB per SM, one for all of them, the page tables.
struct Tlb {
  uint32_t l1_reach_mib = 0, l1_page_kib = 0;  // all pages of an SM's TLB together, and one of them; reach 0: no time
  uint32_t l2_reach_mib = 0, l2_page_kib = 0;
  uint32_t l2_hit_cycles = 0;  // added to an access whose page the SM's TLB has not, but the shared one
  uint32_t walk_cycles = 0;    // added when neither has
};

// Thread block clusters; max_blocks 0: the chip has none, and the rest means nothing.
struct ClusterSpec {
  uint32_t max_blocks = 0;             // of one cluster
  uint32_t portable_blocks = 0;        // the same, without asking for more
  std::vector<uint32_t> gpc_sms;       // SMs of each GPC, in the order of their numbers; a cluster lies within one
  uint32_t barrier_cycles = 0;         // from the last arrival to the issue after the wait
  uint32_t remote_latency_cycles = 0;  // load-to-use of another SM's shared memory
  double remote_bytes_per_cycle = 0;   // that an SM sends there
  // Which GPC an SM belongs to.
  size_t gpc_of(uint32_t sm) const;
};

struct GpuSpec {
  Identity identity;
  Topology topology;
  Clocks clocks;
  Limits limits;
  Core core;
  ClusterSpec cluster;
  std::array<LatencyClass, isa::kLatCount> latency;
  TensorRates tensor;
  L1 l1;
  Constant constant;
  Shared shared;
  L2 l2;
  Dram dram;
  Tlb tlb;
  HostLink host_link;
  ApiCosts api;
  UnifiedMemorySpec unified_memory;

  // Cycles that a matrix product keeps the tensor pipe of a sub-partition busy.
  double tensor_cycles(const isa::MatrixForm& form) const;
  const LatencyClass& of(isa::Lat lat) const { return latency[static_cast<size_t>(lat)]; }
  double cycles_to_ns(double cycles) const { return cycles * 1000.0 / clocks.core_mhz; }
  double dram_bytes_per_cycle() const { return dram.peak_gbs * 1000.0 / clocks.core_mhz; }
  double link_bytes_per_cycle() const { return host_link.pinned_h2d_gbs * 1000.0 / clocks.core_mhz; }
};

// Error: what is wrong with the file, with its line.
Result<GpuSpec> load_gpu(const std::string& path);
// Keys (file stems) of the GPU files in a directory, sorted. Error: the directory cannot be read or has none.
Result<std::vector<std::string>> list_gpus(const std::string& directory);

}  // namespace hpml::sim::timing
