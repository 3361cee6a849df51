"""What the simulator's report says of a launch, for the pages of labs."""
import sys

from .metrics import Kernel
from .paths import ROOT

sys.path.append(str(ROOT / "simulator/report"))

from hpml_report import bounds, stalls  # noqa: E402  (the path comes first)
from hpml_report import hints as rules  # noqa: E402


def limiter(kernel: Kernel) -> str:
    """What the time of a launch depends on: `DRAM 82 %`, `page faults 98 %`, `latency (nearest limit: DRAM 31 %)`."""
    fault_us = kernel.known("gpusim__fault_time_us.sum") or 0.0
    share = 100 * fault_us / kernel.duration_us if kernel.duration_us > 0 else 0.0
    return f"page faults {share:.0f} %" if share >= rules.MOST_FAULT_PCT else bounds.verdict(kernel)


def hints(kernel: Kernel) -> list[str]:
    """What to try next, most urgent first."""
    return rules.hints(kernel)


def stall_reasons(kernel: Kernel) -> list[tuple[str, float, str]]:
    """Reason, percent of the resident warps' time, and what it means; the largest share first, at least 1 percent each."""
    return [(reason, share, stalls.MEANING.get(reason, "")) for reason, share in stalls.top(kernel, count=len(kernel.stalls))]
