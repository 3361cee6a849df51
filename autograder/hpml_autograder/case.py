"""One run of one program, and what came of it."""
import re
from dataclasses import dataclass
from pathlib import Path

from .metrics import Metrics


@dataclass(frozen=True)
class Case:
    program: str
    args: str                             # "0 256 1 --n 1000"; {name} stands for the path of another program
    env: tuple[tuple[str, str], ...] = ()  # data the checker chose
    dump: bool = False                    # ask the harness to hand over the result vector
    gpu: str = ""                         # filled in by the runner when empty
    check: str = ""                       # the simulator's check tools that watch it: "memcheck,racecheck"
    alone: bool = False                   # a measurement: nothing else of ours runs beside it

    @property
    def others(self) -> tuple[str, ...]:
        return tuple(re.findall(r"\{(\w+)\}", self.args))

    def __str__(self) -> str:
        return f"{self.program} {self.args}"


@dataclass(frozen=True)
class Run:
    case: Case
    state: str            # as process.Finished; "infra", "policy", "ended_early": the grader's word, see problem
    code: int = 0
    stdout: str = ""
    stderr: str = ""
    metrics: Metrics | None = None
    dump: Path | None = None
    problem: str = ""     # for "infra", "policy", "ended_early"
    wall_s: float = 0.0
    results: tuple[Path, ...] | None = None  # what the GPU's memory held, from the replay; None: not replayed
