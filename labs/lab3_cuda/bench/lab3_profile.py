"""`make lab3 profile`: the student's kernels beside the given ones, as ten lines of text and a page (lab3_profile_page.py)."""
import os
import re
import subprocess
import sys
import webbrowser
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from hpml_autograder.lab import Case, Kernel, Run, find_gpusim, limiter, trouble
from lab3_answers import SHAPES
from lab3_data import make_case
from lab3_reference import CONVOLUTION

# The student's run | the run beside it.
PAIRS = ((Case("vecadd01", "500"), Case("vecadd00", "500")), (Case("matmult01", "8"), Case("matmult00", "16")),
         (Case("convolution", CONVOLUTION.format(2)), Case("convolution", CONVOLUTION.format(1))),
         (Case("convolution", CONVOLUTION.format(3)), Case("convolution", CONVOLUTION.format(1))),
         (Case("convolution4", CONVOLUTION.partition(" {} ")[2]), Case("convolution", CONVOLUTION.format(2))),
         *((make_case("vecaddgpu01", f"{words} 1"), make_case("vecaddgpu00", f"{words} 1")) for words in SHAPES.values()))
NAMES = {CONVOLUTION.format(part): f"convolution, C{part}" for part in (1, 2, 3)}  # their arguments are the same, but for --only


@dataclass(frozen=True)
class Side:
    case: Case
    kernel: Kernel | None
    problem: str = ""
    metrics_file: Path | None = None
    launch: str = ""  # "cold" or "warm", where a program launches its kernel twice to compare them

    @property
    def title(self) -> str:
        if self.case.program == "convolution4":
            return "convolution4, C4"
        name = NAMES.get(self.case.args, f"{self.case.program} {self.case.args}")
        return f"{name} ({self.launch})" if self.launch else name


def side(case: Case, run: Run | None, limit_s: int) -> Side:
    """Of the last launch: those before it warm up."""
    return sides(case, run, limit_s)[-1]


def sides(case: Case, run: Run | None, limit_s: int) -> list[Side]:
    """Of unified memory the first launch as well, which moves the pages. limit_s: what a run may take."""
    if run is None:
        return [Side(case, None, f"{case.program} does not compile")]
    if run.metrics is None or not run.metrics.kernels:
        problem = trouble(run, limit_s)  # why there is none, where the run did not end well
        return [Side(case, None, problem.detail if problem else f"`{case}` launched no kernel")]
    kernels = run.metrics.kernels
    if case.program == "vecaddgpu01" and len(kernels) > 1:
        return [Side(case, kernels[0], "", run.metrics.file, "cold"), Side(case, kernels[-1], "", run.metrics.file, "warm")]
    return [Side(case, kernels[-1], "", run.metrics.file)]


def text_rows(pairs: Sequence[tuple[Side, Side]]) -> list[Sequence[str]]:
    """One row per run: time, limiter, the run beside it, how many times as fast."""
    rows: list[Sequence[str]] = [("kernel", "time, ms", "limited by", "beside", "time, ms", "speedup")]
    for own, beside in pairs:
        if own.kernel is None or beside.kernel is None:
            rows.append((own.title, "-", own.problem or beside.problem, beside.title, "-", "-"))
            continue
        speedup = beside.kernel.duration_us / own.kernel.duration_us if own.kernel.duration_us else 0.0
        rows.append((own.title, f"{own.kernel.duration_us / 1e3:.4g}", limiter(own.kernel), beside.title,
                     f"{beside.kernel.duration_us / 1e3:.4g}", f"{speedup:.2f}"))
    return rows


def write_reports(pairs: Sequence[tuple[Side, Side]], folder: Path) -> dict[str, str]:
    """For each pair the simulator's own report, with roofline and time line; case -> file name beside the page."""
    written: dict[str, str] = {}
    for own, beside in pairs:
        if own.metrics_file is None or beside.metrics_file is None or str(own.case) in written:
            continue
        name = "lab3_profile_" + re.sub(r"\W+", "_", str(own.case)) + ".html"
        folder.mkdir(parents=True, exist_ok=True)
        done = subprocess.run([str(find_gpusim()), "profile", str(own.metrics_file), "--baseline",
                               str(beside.metrics_file), "-o", str(folder / name)],
                              capture_output=True, text=True, check=False)
        if done.returncode == 0:
            written[str(own.case)] = name
        else:
            print(f"no report for `{own.case}`: {done.stderr.strip()}", file=sys.stderr)
    return written


def show(path: Path) -> None:
    """Where somebody sits in front of a screen."""
    if sys.stdout.isatty() and (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
        webbrowser.open(path.as_uri())
