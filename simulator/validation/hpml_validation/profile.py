"""What a profiler says of kernels: Nsight Compute on a card, metrics.json of a simulated GPU, under the same names.

On a card the caches are empty before each kernel (ncu's default) and the clocks are as they are; a simulated kernel runs
alone in its program, so that its caches are empty as well."""
from __future__ import annotations

import csv
import io
import re
import shutil
import subprocess
from pathlib import Path

from hpml_validation.programs import RunError

# Programs whose words are kinds of kernels, one launch each.
KINDS = {
    "sampled": ("triad", "triad_resident", "runs", "gather", "product", "product_naive", "doubles", "functions",
                "divergent", "triangle", "histogram", "scatter", "stencil", "reduce", "phases", "alone"),
    "kernels": tuple(re.findall(r'^    \{"(\w+)",', (Path(__file__).resolve().parent.parent / "programs/kernels.cu")
                                .read_text("utf-8"), re.MULTILINE)),
}
CYCLES = "sm__cycles_elapsed.max"
COUNTERS = (
    CYCLES, "gpu__time_duration.sum", "sm__cycles_active.avg", "sm__warps_active.avg.per_cycle_active",
    "smsp__inst_executed.sum", "smsp__thread_inst_executed.sum", "smsp__issue_active.avg.per_cycle_active",
    "smsp__warps_eligible.avg.per_cycle_active",
    "launch__registers_per_thread", "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum",
    "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum", "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
    "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum", "l1tex__t_sector_hit_rate.pct",
    "l1tex__t_requests_pipe_lsu_mem_local_op_ld.sum", "l1tex__t_sectors_pipe_lsu_mem_local_op_ld.sum",
    "l1tex__t_requests_pipe_lsu_mem_local_op_st.sum", "l1tex__t_sectors_pipe_lsu_mem_local_op_st.sum",
    "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum", "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum",
    "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum", "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum",
    "lts__t_sectors_op_read.sum", "lts__t_sectors_op_write.sum", "lts__t_sectors_op_atom.sum", "lts__t_sectors_op_red.sum",
    "lts__t_sector_hit_rate.pct", "lts__t_bytes.sum", "dram__bytes_read.sum", "dram__bytes_write.sum",
    "sm__inst_executed_pipe_fma.sum", "sm__inst_executed_pipe_alu.sum", "sm__inst_executed_pipe_fp64.sum",
    "sm__inst_executed_pipe_xu.sum", "sm__inst_executed_pipe_lsu.sum", "sm__inst_executed_pipe_tensor.sum",
    *(f"smsp__average_warps_issue_stalled_{why}_per_issue_active.ratio" for why in (
        "barrier", "membar", "no_instruction", "branch_resolving", "short_scoreboard", "long_scoreboard", "wait",
        "math_pipe_throttle", "lg_throttle", "mio_throttle", "not_selected", "drain", "dispatch_stall", "imc_miss")),
)
LIMIT_S = 110

Profiles = dict[str, dict[str, float]]   # "program kind" -> counter -> value


def find_ncu() -> str | None:
    """On PATH, or where the toolkit's installers put it."""
    places = ["/usr/local/cuda/bin", *map(str, sorted(Path("/opt/nvidia/nsight-compute").glob("*"), reverse=True))]
    return shutil.which("ncu") or next((found for place in places if (found := shutil.which("ncu", path=place))), None)


def number(text: str) -> float | None:
    """Numbers come with commas between thousands; "n/a" of a counter that the card lacks."""
    try:
        return float(text.replace(",", ""))
    except ValueError:
        return None


def launches(table: str) -> list[tuple[str, dict[str, float]]]:
    """Kernel and counters of every launch, from the output of `ncu --csv --page raw --print-units base`."""
    lines = [line for line in table.splitlines() if line.startswith('"')]
    rows = list(csv.DictReader(io.StringIO("\n".join(lines))))
    found = []
    for row in rows[1:]:  # behind the heads stand the units
        values = {name: number(row[name]) for name in COUNTERS if name in row}
        found.append((row["Kernel Name"], {name: value for name, value in values.items() if value is not None}))
    return found


def of_card(ncu: str, program: Path, kinds: tuple[str, ...]) -> Profiles:
    """Every kind's launch, in one run of the program."""
    command = [ncu, "--csv", "--page", "raw", "--print-units", "base", "--clock-control", "none", "--metrics",
               ",".join(COUNTERS), str(program), *kinds]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=LIMIT_S)
    except subprocess.TimeoutExpired:
        raise RunError(f"ncu {program.name}: not done after {LIMIT_S} s") from None
    found = launches(done.stdout)
    if done.returncode != 0 or len(found) != len(kinds):
        said = (done.stderr.strip() or done.stdout.strip() or "nothing").splitlines()[-1]
        raise RunError(f"ncu {program.name}: {len(found)} launches of {len(kinds)}, exit status {done.returncode}: {said}")
    return {f"{program.name} {kind}": values for kind, (_, values) in zip(kinds, found)}
