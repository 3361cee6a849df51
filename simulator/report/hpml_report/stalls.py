"""Why warps wait: the stall reasons in the groups of HyFiSS (simulator_timing section 11), and colours. What each
means is in the table of the counters."""

from __future__ import annotations

from dataclasses import dataclass

from hpml_metrics.counters import stall_meanings

from hpml_report.metrics import Launch


@dataclass(frozen=True)
class Group:
    title: str
    colour: str
    reasons: tuple[str, ...]


GROUPS = (
    Group("no stall", "#2e7d32", ("selected",)),
    Group("compute structural", "#ef6c00", ("math_pipe_throttle", "dispatch_stall")),
    Group("compute data", "#f9a825", ("wait",)),
    Group("memory structural", "#1565c0", ("lg_throttle", "mio_throttle", "tex_throttle")),
    Group("memory data", "#64b5f6", ("long_scoreboard", "short_scoreboard", "imc_miss")),
    Group("synchronisation", "#6a1b9a", ("barrier", "membar")),
    Group("control", "#c62828", ("branch_resolving", "no_instruction")),
    Group("idle", "#9e9e9e", ("sleeping", "drain")),
    Group("other", "#cfd8dc", ("not_selected",)),
)

MEANING = stall_meanings()


def total(launch: Launch) -> float:
    return sum(launch.stalls.values())


def shares(launch: Launch) -> dict[str, float]:
    """Percent of the resident warp-cycles per reason; empty where nothing was modelled."""
    whole = total(launch)
    return {reason: 100 * cycles / whole for reason, cycles in launch.stalls.items()} if whole else {}


def grouped(launch: Launch) -> list[tuple[Group, float]]:
    """Percent per group, in the order of GROUPS; a reason that no group names counts as other."""
    of = shares(launch)
    named = {reason for group in GROUPS for reason in group.reasons}
    rest = sum(share for reason, share in of.items() if reason not in named)
    return [(group, sum(of.get(reason, 0.0) for reason in group.reasons) + (rest if group.title == "other" else 0.0))
            for group in GROUPS] if of else []


def top(launch: Launch, count: int = 3) -> list[tuple[str, float]]:
    """The reasons that cost most, issuing aside; those of at least 1 percent."""
    waiting = [(reason, share) for reason, share in shares(launch).items() if reason != "selected" and share >= 1]
    return sorted(waiting, key=lambda item: (-item[1], item[0]))[:count]
