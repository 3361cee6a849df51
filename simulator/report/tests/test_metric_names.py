"""Does the simulator write every metric that profiler users know, and do those that belong together agree?"""

import json
import os
import struct
import subprocess
from pathlib import Path

import pytest
from hpml_report.stalls import MEANING

ROOT = Path(__file__).resolve().parents[3]
GPUSIM = Path(os.environ.get("HPML_BUILD_DIR") or ROOT / "build/release", "bin/gpusim")
THREADS, BLOCKS = 256, 24
# Each thread: a load at a stride of 8 bytes, a store to shared memory, a barrier, a multiply-add, a store.
PTX = """.version 7.5
.target sm_70
.address_size 64
.visible .entry strided(.param .u64 p) {
  .reg .b64 %rd<6>; .reg .b32 %r<6>; .reg .f32 %f<4>;
  .shared .align 4 .b8 tile[1024];
  ld.param.u64 %rd1, [p];
  cvta.to.global.u64 %rd2, %rd1;
  mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x; mov.u32 %r3, %ntid.x;
  mad.lo.u32 %r4, %r2, %r3, %r1;
  mul.wide.u32 %rd3, %r4, 8;
  add.s64 %rd4, %rd2, %rd3;
  ld.global.f32 %f1, [%rd4];
  shl.b32 %r5, %r1, 2;
  st.shared.f32 [%r5], %f1;
  bar.sync 0;
  fma.rn.f32 %f2, %f1, %f1, %f1;
  st.global.f32 [%rd4], %f2;
  ret;
}
"""
BOTH = ("ld", "st")
EXACT = [name.format(op) for op in BOTH for name in (
    "l1tex__t_requests_pipe_lsu_mem_global_op_{}.sum", "l1tex__t_sectors_pipe_lsu_mem_global_op_{}.sum",
    "l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_{}.ratio",
    "smsp__sass_average_data_bytes_per_sector_mem_global_op_{}.pct",
    "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_{}.sum",
    "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_{}.sum")] + [
    "smsp__thread_inst_executed_per_inst_executed.ratio", "smsp__thread_inst_executed_pred_on_per_inst_executed.ratio",
    *(f"smsp__sass_thread_inst_executed_op_{op}_pred_on.sum"
      for op in ("fadd", "fmul", "ffma", "dadd", "dmul", "dfma", "hadd", "hmul", "hfma")),
    *(f"launch__{what}" for what in (
        "grid_size", "block_size", "registers_per_thread", "shared_mem_per_block_static",
        "shared_mem_per_block_dynamic", "waves_per_multiprocessor", "occupancy_limit_registers",
        "occupancy_limit_shared_mem", "occupancy_limit_warps", "occupancy_limit_blocks")),
    "gpusim__local_bytes_per_thread", "sm__maximum_warps_per_active_cycle_pct"]
MODELLED = [
    "gpu__time_duration.sum", "sm__cycles_elapsed.max", "sm__cycles_active.avg",
    "sm__warps_active.avg.pct_of_peak_sustained_active", "smsp__warps_eligible.avg.per_cycle_active",
    "smsp__issue_active.avg.per_cycle_active", "smsp__inst_executed.sum", "sm__inst_executed.avg.per_cycle_active",
    "l1tex__t_sector_hit_rate.pct", *(f"lts__t_sectors_op_{op}.sum" for op in ("read", "write", "atom", "red")),
    "lts__t_sector_hit_rate.pct", "lts__t_bytes.sum", "dram__bytes_read.sum", "dram__bytes_write.sum",
    "dram__throughput.avg.pct_of_peak_sustained_elapsed",
    "gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed",
    "sm__throughput.avg.pct_of_peak_sustained_elapsed",
    *(f"sm__inst_executed_pipe_{pipe}.sum" for pipe in ("fma", "alu", "fp64", "xu", "lsu", "tensor")),
    *(f"smsp__average_warps_issue_stalled_{reason}_per_issue_active.ratio" for reason in MEANING)]


@pytest.fixture(scope="module")
def kernel(tmp_path_factory):
    if not GPUSIM.exists():
        pytest.skip(f"{GPUSIM} is not built")
    folder = tmp_path_factory.mktemp("launch")
    (folder / "k.ptx").write_text(PTX, encoding="utf-8")
    (folder / "x.bin").write_bytes(struct.pack("<f", 1.0) * (2 * THREADS * BLOCKS))
    subprocess.run([GPUSIM, "launch", "k.ptx", "--kernel", "strided", "--grid", str(BLOCKS), "--block", str(THREADS),
                    "--mode", "cycle", "--metrics", "m.json", "inout:x.bin"], cwd=folder, check=True)
    return json.loads((folder / "m.json").read_text(encoding="utf-8"))["kernels"][0]


def test_every_name_of_the_profiler_is_there(kernel):
    assert [name for name in EXACT + MODELLED if name not in kernel["metrics"]] == []


def test_exact_figures_are_those_of_the_addresses(kernel):
    metrics, warps = kernel["metrics"], THREADS * BLOCKS // 32
    for op in BOTH:  # 32 lanes x 8 bytes apart span 256 bytes: 8 sectors, of each 4 x 4 bytes are asked for
        assert metrics[f"l1tex__t_requests_pipe_lsu_mem_global_op_{op}.sum"] == warps
        assert metrics[f"l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_{op}.ratio"] == 8
        assert metrics[f"smsp__sass_average_data_bytes_per_sector_mem_global_op_{op}.pct"] == 50
    assert metrics["l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum"] == warps
    assert metrics["l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum"] == 0
    assert metrics["smsp__sass_thread_inst_executed_op_ffma_pred_on.sum"] == THREADS * BLOCKS
    assert kernel["roofline"]["flops"]["total"] == 2 * THREADS * BLOCKS


def test_the_stall_reasons_sum_up_to_the_resident_warps(kernel):
    metrics, stalls = kernel["metrics"], kernel["stalls"]
    active = metrics["sm__cycles_active.avg"] * 40  # multiprocessors of the T4
    resident = metrics["sm__warps_active.avg.pct_of_peak_sustained_active"] / 100 * active * 32
    assert sum(stalls.values()) == pytest.approx(resident)
    assert stalls["selected"] == metrics["smsp__inst_executed.sum"]
    ratios = sum(metrics[f"smsp__average_warps_issue_stalled_{reason}_per_issue_active.ratio"] for reason in MEANING)
    issues = stalls["selected"] / metrics["smsp__average_warps_issue_stalled_selected_per_issue_active.ratio"]
    assert ratios * issues == pytest.approx(sum(stalls.values()))


def test_bytes_are_sectors_and_rates_are_bytes_over_time(kernel):
    metrics, roofline = kernel["metrics"], kernel["roofline"]
    sectors = sum(metrics[f"lts__t_sectors_op_{op}.sum"] for op in ("read", "write", "atom", "red"))
    assert metrics["lts__t_bytes.sum"] == 32 * sectors == roofline["bytes"]["l2"]
    assert roofline["bytes"]["dram"] == metrics["dram__bytes_read.sum"] + metrics["dram__bytes_write.sum"]
    assert roofline["achieved"]["l2_gbs"] == pytest.approx(metrics["lts__t_bytes.sum"] / (kernel["duration_us"] * 1e3))
    assert metrics["gpu__time_duration.sum"] == pytest.approx(kernel["duration_us"] * 1e3)


def test_no_share_is_beyond_the_whole(kernel):
    beyond = {name: value for name, value in kernel["metrics"].items() if ("pct" in name) and not 0 <= value <= 100}
    assert beyond == {}
