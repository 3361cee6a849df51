"""One run of one program, and what came of it."""
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from .metrics import Metrics

OTHER = r"\{(\w+)\}"  # in a case's arguments: the path of another program


@dataclass(frozen=True)
class Network:
    """A simulated cluster. A message of b bytes takes latency_s + b / bytes_per_s, if it shares no link with others."""
    latency_s: float = 10e-6
    bytes_per_s: float = 1.25e9
    topology: str = ""   # SimGrid's word, FAT_TREE or TORUS; empty: all hosts at one switch
    wiring: str = ""     # its topo_parameters
    placement: tuple[int, ...] = ()  # host of each rank; empty: rank r on host r


@dataclass(frozen=True)
class Case:
    program: str
    args: str                             # "0 256 1 --n 1000"; {name} stands for the path of another program
    env: tuple[tuple[str, str], ...] = ()  # data the checker chose
    dump: bool = False                    # ask the harness to hand over the result vector
    gpu: str = ""                         # filled in by the runner when empty
    check: str = ""                       # the simulator's check tools that watch it: "memcheck,racecheck"
    alone: bool = False                   # a measurement: nothing else of ours runs beside it
    ranks: int = 0                        # of an MPI program
    network: Network = Network()          # that its ranks are connected by, where it is simulated

    @property
    def others(self) -> tuple[str, ...]:
        return tuple(re.findall(OTHER, self.args))

    def __str__(self) -> str:
        words = re.sub(OTHER, r"\1", self.args)
        return f"{self.program} {words}" + (f" on {self.ranks} ranks" if self.ranks else "")


@dataclass(frozen=True)
class Copy:
    """What a program could read of the GPU's memory: a copy to the host, or memory that it shares with the GPU."""
    path: Path
    launches_before: int


@dataclass(frozen=True)
class Run:
    case: Case
    state: str            # as process.Finished; "infra", "policy", "ended_early", "unrepeatable": the grader's word, see problem
    code: int = 0
    stdout: str = ""
    stderr: str = ""
    metrics: Metrics | None = None
    dump: Path | None = None
    problem: str = ""     # of a state that is the grader's word; of a failure, what the back end makes of the launcher's
    wall_s: float = 0.0
    results: tuple[Copy, ...] | None = None  # from the replay; None: not replayed, the dump is all there is
    other_data: bool | None = None  # whether the replay with other data was right (data.py); None: it was not tried
    left_over: bool = False  # ... only with what the warm-up had left in memory
    by_technique: bool | None = None  # whether the technique's instruction made all products (Data.technique); None: not asked
    run_again: bool = False  # ... only where the program itself ran with them: its calls depend on the data

    def unheld(self, expected: bytes, after_last_launch: bool = False) -> str:
        """Why a result that is right is not the GPU's work, as a sentence; empty: it is, or nothing is known."""
        if self.other_data is not None:
            return "" if self.other_data else (
                "its result is right, but with other numbers of the same shape what it asked of the GPU gives a wrong one: "
                "compute on the GPU, from the data that it was given")
        if self.results is None or self._held(self.results, expected, after_last_launch):
            return ""
        when = "did not hold it after the last launch" if after_last_launch else "never held it"
        return f"its result is right, but the GPU's memory {when}"

    def _held(self, results: tuple[Copy, ...], expected: bytes, after_last_launch: bool) -> bool:
        """In one copy to the host, or in some that follow each other."""
        launches = len(self.metrics.kernels) if after_last_launch and self.metrics is not None else 0
        copies = [copy.path for copy in results if copy.launches_before >= launches]
        return any(_begins(copies, first, expected) for first in range(len(copies)))


def _begins(paths: Sequence[Path], first: int, expected: bytes) -> bool:
    """Whether the files from this one on, one after the other, begin with these bytes."""
    at = 0
    while at < len(expected) and first < len(paths):
        with paths[first].open("rb") as file:
            part = file.read(len(expected) - at)
        if part != expected[at:at + len(part)]:
            return False
        at, first = at + len(part), first + 1
    return at == len(expected)
