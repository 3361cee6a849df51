#include "simulator/device/exact_metrics.hpp"

namespace hpml::sim::device {
namespace {

using exec::Counters;
using exec::SharedCounters;
using exec::SpaceCounters;
using isa::Flop;
using Json = nlohmann::ordered_json;

constexpr double kSectorBytes = 32;

double ratio(uint64_t numerator, double denominator) {
  return denominator == 0 ? 0.0 : static_cast<double>(numerator) / denominator;
}
double per(uint64_t numerator, uint64_t denominator) { return ratio(numerator, static_cast<double>(denominator)); }
double sectors_per_request(const SpaceCounters& space) { return per(space.sectors, space.requests); }
double bytes_per_sector_pct(const SpaceCounters& space) {
  return 100.0 * ratio(space.bytes, kSectorBytes * static_cast<double>(space.sectors));
}
uint64_t conflicts(const SharedCounters& shared) { return shared.wavefronts - shared.ideal_wavefronts; }
uint64_t matrix_ops(const Counters& c, isa::Element type) { return c.matrix_operations[static_cast<size_t>(type)]; }
uint64_t ops(const Counters& c, Flop flop) { return c.flops[static_cast<size_t>(flop)]; }

struct Row {
  const char* name;
  Json (*value)(const Counters&);
};

constexpr Row kRows[] = {
    // name, formula
    {"smsp__thread_inst_executed.sum", [](const Counters& c) -> Json { return c.thread_instructions; }},
    {"smsp__thread_inst_executed_pred_on.sum", [](const Counters& c) -> Json { return c.thread_instructions_pred_on; }},
    {"smsp__thread_inst_executed_per_inst_executed.ratio",
     [](const Counters& c) -> Json { return per(c.thread_instructions, c.warp_instructions); }},
    {"smsp__thread_inst_executed_pred_on_per_inst_executed.ratio",
     [](const Counters& c) -> Json { return per(c.thread_instructions_pred_on, c.warp_instructions); }},

    {"l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", [](const Counters& c) -> Json { return c.global_ld.requests; }},
    {"l1tex__t_requests_pipe_lsu_mem_global_op_st.sum", [](const Counters& c) -> Json { return c.global_st.requests; }},
    {"l1tex__t_requests_pipe_lsu_mem_global_op_atom.sum",
     [](const Counters& c) -> Json { return c.global_atom.requests; }},
    {"l1tex__t_requests_pipe_lsu_mem_global_op_red.sum",
     [](const Counters& c) -> Json { return c.global_red.requests; }},
    {"l1tex__t_requests_pipe_lsu_mem_local_op_ld.sum", [](const Counters& c) -> Json { return c.local_ld.requests; }},
    {"l1tex__t_requests_pipe_lsu_mem_local_op_st.sum", [](const Counters& c) -> Json { return c.local_st.requests; }},
    {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", [](const Counters& c) -> Json { return c.global_ld.sectors; }},
    {"l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum", [](const Counters& c) -> Json { return c.global_st.sectors; }},
    {"l1tex__t_sectors_pipe_lsu_mem_global_op_atom.sum",
     [](const Counters& c) -> Json { return c.global_atom.sectors; }},
    {"l1tex__t_sectors_pipe_lsu_mem_global_op_red.sum", [](const Counters& c) -> Json { return c.global_red.sectors; }},
    {"l1tex__t_sectors_pipe_lsu_mem_local_op_ld.sum", [](const Counters& c) -> Json { return c.local_ld.sectors; }},
    {"l1tex__t_sectors_pipe_lsu_mem_local_op_st.sum", [](const Counters& c) -> Json { return c.local_st.sectors; }},
    {"l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_ld.ratio",
     [](const Counters& c) -> Json { return sectors_per_request(c.global_ld); }},
    {"l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_st.ratio",
     [](const Counters& c) -> Json { return sectors_per_request(c.global_st); }},
    {"smsp__sass_average_data_bytes_per_sector_mem_global_op_ld.pct",
     [](const Counters& c) -> Json { return bytes_per_sector_pct(c.global_ld); }},
    {"smsp__sass_average_data_bytes_per_sector_mem_global_op_st.pct",
     [](const Counters& c) -> Json { return bytes_per_sector_pct(c.global_st); }},

    {"smsp__inst_executed_op_shared_ld.sum", [](const Counters& c) -> Json { return c.shared_ld.requests; }},
    {"smsp__inst_executed_op_shared_st.sum", [](const Counters& c) -> Json { return c.shared_st.requests; }},
    {"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum",
     [](const Counters& c) -> Json { return c.shared_ld.wavefronts; }},
    {"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum",
     [](const Counters& c) -> Json { return c.shared_st.wavefronts; }},
    {"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_atom.sum",
     [](const Counters& c) -> Json { return c.shared_atom.wavefronts; }},
    {"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum",
     [](const Counters& c) -> Json { return conflicts(c.shared_ld); }},
    {"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum",
     [](const Counters& c) -> Json { return conflicts(c.shared_st); }},
    {"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_atom.sum",
     [](const Counters& c) -> Json { return conflicts(c.shared_atom); }},
    {"l1tex__data_pipe_lsu_wavefronts_mem_shared.sum", [](const Counters& c) -> Json { return shared_wavefronts(c); }},
    {"l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum",
     [](const Counters& c) -> Json {
       return conflicts(c.shared_ld) + conflicts(c.shared_st) + conflicts(c.shared_atom);
     }},

    {"smsp__sass_thread_inst_executed_op_fadd_pred_on.sum",
     [](const Counters& c) -> Json { return ops(c, Flop::fadd); }},
    {"smsp__sass_thread_inst_executed_op_fmul_pred_on.sum",
     [](const Counters& c) -> Json { return ops(c, Flop::fmul); }},
    {"smsp__sass_thread_inst_executed_op_ffma_pred_on.sum",
     [](const Counters& c) -> Json { return ops(c, Flop::ffma); }},
    {"smsp__sass_thread_inst_executed_op_dadd_pred_on.sum",
     [](const Counters& c) -> Json { return ops(c, Flop::dadd); }},
    {"smsp__sass_thread_inst_executed_op_dmul_pred_on.sum",
     [](const Counters& c) -> Json { return ops(c, Flop::dmul); }},
    {"smsp__sass_thread_inst_executed_op_dfma_pred_on.sum",
     [](const Counters& c) -> Json { return ops(c, Flop::dfma); }},
    {"smsp__sass_thread_inst_executed_op_hadd_pred_on.sum",
     [](const Counters& c) -> Json { return ops(c, Flop::hadd); }},
    {"smsp__sass_thread_inst_executed_op_hmul_pred_on.sum",
     [](const Counters& c) -> Json { return ops(c, Flop::hmul); }},
    {"smsp__sass_thread_inst_executed_op_hfma_pred_on.sum",
     [](const Counters& c) -> Json { return ops(c, Flop::hfma); }},

    {"gpusim__tensor_ops_src_fp16.sum", [](const Counters& c) -> Json { return matrix_ops(c, isa::Element::f16); }},
    {"gpusim__tensor_ops_src_bf16.sum", [](const Counters& c) -> Json { return matrix_ops(c, isa::Element::bf16); }},
    {"gpusim__tensor_ops_src_tf32.sum", [](const Counters& c) -> Json { return matrix_ops(c, isa::Element::tf32); }},
    {"gpusim__tensor_ops_src_fp64.sum", [](const Counters& c) -> Json { return matrix_ops(c, isa::Element::f64); }},
    {"gpusim__tensor_ops_src_fp8.sum",
     [](const Counters& c) -> Json { return matrix_ops(c, isa::Element::e4m3) + matrix_ops(c, isa::Element::e5m2); }},
    {"gpusim__tensor_ops_src_int8.sum",
     [](const Counters& c) -> Json { return matrix_ops(c, isa::Element::s8) + matrix_ops(c, isa::Element::u8); }},

    {"gpusim__branches.sum", [](const Counters& c) -> Json { return c.branches; }},
    {"gpusim__branches_divergent.sum", [](const Counters& c) -> Json { return c.divergent_branches; }},
    {"gpusim__barriers.sum", [](const Counters& c) -> Json { return c.barriers; }},
    {"gpusim__managed_leaf_faults.sum", [](const Counters& c) -> Json { return c.managed_faults; }},
};

}  // namespace

Json exact_metrics(const Counters& counters) {
  Json metrics = Json::object();
  for (const Row& row : kRows) {
    metrics[row.name] = row.value(counters);
  }
  return metrics;
}

uint64_t shared_wavefronts(const Counters& c) {
  return c.shared_ld.wavefronts + c.shared_st.wavefronts + c.shared_atom.wavefronts;
}

Flops flops_of(const Counters& c) {
  Flops flops{.fp16 = ops(c, Flop::hadd) + ops(c, Flop::hmul) + 2 * ops(c, Flop::hfma),
              .fp32 = ops(c, Flop::fadd) + ops(c, Flop::fmul) + 2 * ops(c, Flop::ffma),
              .fp64 = ops(c, Flop::dadd) + ops(c, Flop::dmul) + 2 * ops(c, Flop::dfma)};
  for (const isa::Element type : {isa::Element::f16, isa::Element::bf16, isa::Element::tf32, isa::Element::f64,
                                  isa::Element::e4m3, isa::Element::e5m2}) {
    flops.matrix[static_cast<size_t>(type)] = matrix_ops(c, type);
  }
  return flops;
}

uint64_t l1_bytes_of(const Counters& c) {
  uint64_t sectors = 0;
  for (const auto* space : {&c.global_ld, &c.global_st, &c.global_atom, &c.global_red, &c.local_ld, &c.local_st}) {
    sectors += space->sectors;
  }
  return sectors * static_cast<uint64_t>(kSectorBytes);
}

}  // namespace hpml::sim::device
