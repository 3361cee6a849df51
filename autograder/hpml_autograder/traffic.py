"""What kernels moved, over all the paths that data can take, for judges that ask how a result was made. A counter that is
small may stand for a technique, or for another path: an atomic that adds nothing reads as well as a load. So bounds are put
on totals, against the data that must move, and a technique is believed by what it leaves behind, not by what is missing."""
import re
from collections.abc import Iterable
from dataclasses import dataclass

from .metrics import Kernel, Metrics

SECTOR, WARP = 32, 32  # bytes, threads
WIDEST = 4             # times 4 bytes: what one thread loads or stores at a time, at most
PATHS = {"ld": ("global_op_ld", "global_op_atom", "local_op_ld"),
         "st": ("global_op_st", "global_op_atom", "global_op_red", "local_op_st")}
ROWS_KEPT = 5          # of Q, O, the derivatives; scores of one tile
UNCOUNTED = re.compile("Symbol|Texture|Surface")  # in names of functions of the runtime
SHARED = "smsp__inst_executed_op_shared_{}.sum"
CONFLICTS = "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_{}.sum"
REGISTERS = "launch__registers_per_thread"
LOCAL = "gpusim__local_bytes_per_thread"
ARGUMENTS = 128  # bytes of local memory that a thread has for the arguments of calls, which clang makes of expf() and the like
SECTORS, REQUESTS = "l1tex__t_sectors_pipe_lsu_mem_{}.sum", "l1tex__t_requests_pipe_lsu_mem_{}.sum"
COUNTERS = (REGISTERS, LOCAL, *(SHARED.format(op) for op in ("ld", "st")), *(CONFLICTS.format(op) for op in ("ld", "st", "atom")),
            *sorted({name.format(path) for name in (SECTORS, REQUESTS) for paths in PATHS.values() for path in paths}))


@dataclass(frozen=True)
class Traffic:
    """Of some launches together."""
    kernels: tuple[Kernel, ...]

    def sectors(self, op: str, spilled: bool = True) -> float:
        """Of 32 bytes, read ("ld") or written ("st") in global memory and, if asked for, in what threads spill there."""
        return self._sum(SECTORS.format(path) for path in PATHS[op]
                         if spilled or not path.startswith("local"))

    def requests(self, op: str) -> float:
        return self._sum(REQUESTS.format(path) for path in PATHS[op])

    def conflicts(self) -> float:
        return self._sum(CONFLICTS.format(op) for op in ("ld", "st", "atom"))

    def shared_loads(self) -> float:
        """As if whole warps loaded 4 bytes each: threads."""
        return WARP * self._sum([SHARED.format("ld")])

    def shared_stores(self) -> float:
        """Also by copies that go there without a register, which are counted by line only."""
        lines = sum(line.requests for kernel in self.kernels for line in kernel.lines
                    if line.space == "shared" and line.op == "st")
        return WARP * max(self._sum([SHARED.format("st")]), lines)

    def threads(self) -> int:
        return sum(_volume(kernel.grid) * _volume(kernel.block) for kernel in self.kernels)

    def kept(self) -> float:
        """Bytes of arrays in local memory, of all threads."""
        return sum(max(0.0, kernel.metric(LOCAL) - ARGUMENTS) * _volume(kernel.grid) * _volume(kernel.block) for kernel in self.kernels)

    def not_in_registers(self, rows: int, length: int, element: int = 4) -> str:
        """Empty, or why a kernel keeps more for each of its rows than a few rows of this length: an n x n matrix in pieces."""
        most = ROWS_KEPT * rows * length * element
        return "" if self.kept() <= most else (
            f"its threads have {self.kept():.0f} bytes of arrays in local memory, {ROWS_KEPT} rows of {length} for each of {rows} take "
            f"{most}: no n x n matrix goes to memory, not in pieces either")

    def _sum(self, names: Iterable[str]) -> float:
        return sum(kernel.metric(name) for name in names for kernel in self.kernels)

    def unmoved(self, read_bytes: int, written_bytes: int) -> str:
        """Empty, or which of the data that must move did not."""
        for what, op, needed in (("loads", "ld", read_bytes), ("stores", "st", written_bytes)):
            if self.sectors(op) * SECTOR < needed:
                return (f"it {what} {self.sectors(op) * SECTOR:.0f} bytes of global memory, at least {needed} must be: "
                        "the launches that count make the whole result from the data")
        return ""

    def untiled(self, stored: float, loaded: float, element: int = 4) -> str:
        """Empty, or why these are no tiles in shared memory. stored: elements that have to be put there, loaded: how often
        threads have to take one from there, when each access is as wide as can be."""
        wide = WIDEST * 4 // element
        for what, made, needed in (("stores to", self.shared_stores(), stored), ("loads from", self.shared_loads(), loaded)):
            if made * wide < needed:
                return (f"its threads make {made:.0f} {what} shared memory, tiles of this size take {needed / wide:.0f} at "
                        "least: each element that is used goes through a tile")
        return ""

    def unblocked(self, results: int, least: int, words: int = 1) -> str:
        """Empty, or why no thread keeps `least` results of `words` registers each."""
        each = results / max(1, self.threads())
        if each < least:
            return f"{self.threads()} threads make {results} results, {each:.3g} each: every thread is to keep {least} or more"
        registers = min(kernel.metric(REGISTERS) for kernel in self.kernels)
        return "" if registers >= each * words else f"its threads have {registers:.0f} registers, for {each:.0f} results each"


def untimed(kernels: Iterable[Kernel]) -> str:
    """Empty, or which launch was given the time of another one. After very many launches the simulator takes those of a kernel
    for alike; so what a program launches before could decide what a later launch takes."""
    taken = next((kernel for kernel in kernels if kernel.sampled and kernel.sampled_fraction <= 0 and not kernel.library), None)
    return "" if taken is None else (
        f"a launch of {taken.name} was not timed, since so much was launched before it: launch the kernels that are timed, and to "
        "warm up, and no others")


def uncounted(metrics: Metrics) -> str:
    """Empty, or which call puts data where no counter sees that kernels load it: in constant memory, or behind a texture. For
    exercises about the ways that are counted."""
    call = next((call for call in metrics.api if UNCOUNTED.search(call.name)), None)
    return "" if call is None else (
        f"it calls {call.name}: loads of constant memory and of textures are not counted here; let the kernels read their data from "
        "global memory")


def traffic(*kernels: Kernel) -> Traffic:
    return Traffic(kernels)


def _volume(shape: tuple[int, int, int]) -> int:
    return shape[0] * shape[1] * shape[2]
