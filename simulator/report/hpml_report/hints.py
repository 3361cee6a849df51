"""What to try next for a kernel: rules over its figures, most urgent first. Each names its evidence."""

from __future__ import annotations

from collections.abc import Callable

from hpml_metrics import banks

from hpml_report import stalls
from hpml_report.bounds import LATENCY_BELOW, LINK, nearest
from hpml_report.metrics import Launch

SECTORS = "l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_{}.ratio"
USED = "smsp__sass_average_data_bytes_per_sector_mem_global_op_{}.pct"
REQUESTS = "l1tex__t_requests_pipe_lsu_mem_global_op_{}.sum"
WAVEFRONTS = "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_{}.sum"
CONFLICTS = "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_{}.sum"
OPERATIONS = {"ld": "loads", "st": "stores"}
VERBS = {"ld": "read", "st": "write", "atom": "update"}

# A figure beyond these is worth a hint: half of each sector unused, a fifth of the passes caused by conflicts, a
# quarter of the lanes inactive, a quarter of the time in page faults, an occupancy limit below one half.
LEAST_USED_PCT, MOST_CONFLICT_PCT, LEAST_LANES, MOST_FAULT_PCT, LEAST_OCCUPANCY_PCT = 50.0, 20.0, 24.0, 25.0, 50.0
MOST_LINK_PCT = 25.0  # of the host link: a DRAM would be tens of times as fast

LIMITS = {"registers": "registers (fewer per thread: __launch_bounds__, -maxrregcount)",
          "shared_mem": "shared memory (a smaller tile)",
          "warps": "warps per multiprocessor", "blocks": "blocks per multiprocessor (larger blocks)"}

NEXT = {
    "long_scoreboard": "give each thread several independent loads, raise occupancy, or keep reused data in shared "
                       "memory",
    "short_scoreboard": "have fewer shared-memory accesses or special functions depend on each other",
    "lg_throttle": "issue fewer, wider accesses (float4), or reuse values in registers and shared memory",
    "mio_throttle": "reuse shared-memory values in registers (several results per thread), or use wider accesses",
    "barrier": "do more work between barriers, or use smaller blocks so that others run meanwhile",
    "wait": "give each thread independent instructions (unrolling, several accumulators) or more warps",
    "math_pipe_throttle": "use cheaper instructions (FP32 for FP64, multiply for divide) or the tensor cores",
    "branch_resolving": "unroll short loops, or replace branches by selection",
    "not_selected": "the schedulers are full: only fewer instructions will help",
    "membar": "use fewer or narrower fences",
    "no_instruction": "make the code smaller, or give the GPU more warps",
    "imc_miss": "let all threads of a warp read the same constant",
    "drain": "spread stores over the kernel instead of ending with them",
}

Rule = Callable[[Launch], "str | None"]


def page_faults(launch: Launch) -> str | None:
    fault_us = launch.known("gpusim__fault_time_us.sum") or 0.0
    share = 100 * fault_us / launch.duration_us if launch.duration_us > 0 else 0.0
    if share < MOST_FAULT_PCT:
        return None
    groups = launch.known("gpusim__fault_groups.sum") or 0
    return (f"{share:.0f} % of the time went into {groups:.0f} groups of page faults on managed memory: "
            "cudaMemPrefetchAsync before the launch")


def over_the_link(launch: Launch) -> str | None:
    link = launch.known(LINK) or 0.0
    if link < MOST_LINK_PCT:
        return None
    return (f"the host link carries {link:.0f} % of its peak, for memory that stays on the host: copy or prefetch data that "
            "the kernel uses more than once, and read whole lines of 128 bytes")


def broadcast(launch: Launch, op: str) -> bool:
    """Whether all lanes share so few addresses that no line touches more sectors than 32 neighbours would."""
    lines = [at for at in launch.lines if at.space == "global" and at.op == op]
    return bool(lines) and all(at.excess <= 0 for at in lines)


def uncoalesced(launch: Launch) -> str | None:
    for op, title in OPERATIONS.items():
        used, requests = launch.known(USED.format(op)), launch.known(REQUESTS.format(op))
        if requests and used is not None and used < LEAST_USED_PCT and not broadcast(launch, op):
            sectors = launch.known(SECTORS.format(op)) or 0.0
            return (f"global {title} touch {sectors:.1f} sectors per request and use {used:.0f} % of each: let "
                    "neighbouring threads access neighbouring addresses")
    return None


def bank_conflicts(launch: Launch) -> str | None:
    passes = sum(launch.known(WAVEFRONTS.format(op)) or 0 for op in OPERATIONS)
    lost = sum(launch.known(CONFLICTS.format(op)) or 0 for op in OPERATIONS)
    if not passes or 100 * lost / passes < MOST_CONFLICT_PCT:
        return None
    return f"{100 * lost / passes:.0f} % of the shared-memory passes are bank conflicts" + worst_meeting(launch)


def worst_meeting(launch: Launch) -> str:
    """Where most of them are, and why."""
    lines = [at for at in launch.lines if at.conflict is not None]
    worst = max(lines, key=lambda at: (at.excess, -at.line), default=None)
    met = banks.meeting(worst.conflict) if worst is not None and worst.conflict is not None else None
    return f": {worst.file}:{worst.line}: {banks.sentence(met, VERBS[worst.op])}" if worst is not None and met is not None else ""


def few_blocks(launch: Launch) -> str | None:
    waves = launch.known("launch__waves_per_multiprocessor")
    if waves is None or waves >= 0.5:
        return None
    return (f"the grid has {100 * waves:.0f} % of the blocks that the GPU can hold at once: launch more or smaller blocks "
            "to use the whole GPU")


def diverging(launch: Launch) -> str | None:
    lanes = launch.known("smsp__thread_inst_executed_per_inst_executed.ratio")
    if not lanes or lanes >= LEAST_LANES:
        return None
    return (f"on average {lanes:.1f} of 32 lanes are active: let the threads of a warp take the same branch, and make "
            "block sizes multiples of 32")


def few_warps(launch: Launch) -> str | None:
    possible = launch.known("sm__maximum_warps_per_active_cycle_pct")
    near = nearest(launch)
    if possible is None or possible >= LEAST_OCCUPANCY_PCT or near is None or near.percent >= LATENCY_BELOW:
        return None
    limits = {key: launch.known(f"launch__occupancy_limit_{key}") for key in LIMITS}
    known = {key: value for key, value in limits.items() if value is not None}
    if not known:
        return None
    tightest = min(known, key=lambda key: (known[key], key))
    return f"occupancy can be {possible:.0f} % at most, limited by {LIMITS[tightest]}"


def at_the_limit(launch: Launch) -> str | None:
    near = nearest(launch)
    if near is None or near.percent < LATENCY_BELOW:
        return None
    if near.kind == "memory":
        return (f"{near.title} runs at {near.percent:.0f} % of its peak: move fewer bytes (reuse, smaller types, fused "
                "kernels)")
    return f"{near.title} runs at {near.percent:.0f} % of its peak: only fewer or cheaper operations will help"


def main_stall(launch: Launch) -> str | None:
    for reason, share in stalls.top(launch):
        if reason in NEXT:
            return f"{share:.0f} % of the warps' time is {reason} ({stalls.MEANING[reason]}): {NEXT[reason]}"
    return None


RULES: tuple[Rule, ...] = (page_faults, over_the_link, uncoalesced, bank_conflicts, few_blocks, diverging, at_the_limit, few_warps,
                           main_stall)


def hints(launch: Launch, most: int = 3) -> list[str]:
    """At least one for a launch that was timed."""
    said = [text for text in (rule(launch) for rule in RULES) if text is not None]
    return said[:most]
