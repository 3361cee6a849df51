"""The relay beside SMPI: the same program, cell and network on both, whose times must be the same and equal the model's. And its
counts beside those that PMPI takes in the ranks themselves, on SMPI and on Open MPI."""
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import lab4_time
from hpml_autograder.lab import Case, Network, Runner
from lab4_cases import FAT_TREE, correct_case, measured_case
from lab4_observation import Sent, sent
from lab4_runs import observed, records
from lab4_time import Measured

QUICK_RANKS, MOST_RANKS = 64, 256
ALLOWED = 5e-3  # relative difference of a time
ALGORITHMS = {"ps": "ps", "tree": "tree", "ring": "ring", "rd": "rd", "rabenseifner": "rabenseifner", "hier": "hier8"}
CELLS = (("12", (1024, 262144)), ("64", (1, 16384)), ("64/8", (1 << 20,)), ("256", (16384,)))  # ranks/scale, elements

COUNTED_RANKS = (1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 12, 13, 16)
COUNTED_SIZES = (0, 1, 2, 3, 13, 1000, 1001, 65537)  # besides P - 1, P and P + 1
COUNTED = {"ps": ("ps", "ps_last"), "ring": ("ring", "reduce_scatter", "allgather"), "hier": ("hier2", "hier3", "hier{ranks}")}


@dataclass(frozen=True)
class Pair:
    """One cell on both back ends; None where a run did not end well."""
    program: str
    network: str
    cell: str      # OPERATION:ELEMENTS
    relay: Measured | None
    smpi: Measured | None

    @property
    def apart(self) -> float:
        """Relative difference of the two times; infinite where a run failed or the ranks sent other messages."""
        if self.relay is None or self.smpi is None or self.relay.flows != self.smpi.flows:
            return float("inf")
        return abs(self.relay.seconds / self.smpi.seconds - 1)


def cases(most_ranks: int, programs: Sequence[str]) -> Iterator[tuple[str, str, Case, Case]]:
    """Program, network, and the case behind the relay and on SMPI: every cell that is graded by time, and 256 ranks of each
    algorithm. A node of "hier8" has eight ranks, so it is left out where they do not divide P."""
    for program in programs:
        operation = ALGORITHMS[program]
        for shape, sizes in CELLS:
            ranks, _, scale = shape.partition("/")
            factor = int(scale or 1)
            if int(ranks) > most_ranks or (program == "hier" and int(ranks) % 8):
                continue
            yield from _both(program, "crossbar", int(ranks), [f"{operation}:{n // factor}" for n in sizes],
                             Network(bytes_per_s=Network().bytes_per_s / factor))
    for program in (one for one in ("rabenseifner", "hier") if one in programs):
        yield from _both(program, "fat tree", 64, [f"{ALGORITHMS[program]}:{(1 << 20) // 8}"],
                         Network(FAT_TREE.latency_s, FAT_TREE.bytes_per_s / 8, FAT_TREE.topology, FAT_TREE.wiring))


def _both(program: str, network_name: str, ranks: int, cells: Sequence[str], network: Network) -> Iterator[tuple[str, str, Case, Case]]:
    relay, smpi = (measured_case(f"{program}_{backend}", ranks, cells, network) for backend in ("relay", "smpi"))
    yield program, network_name, relay, smpi


def pairs(runner: Runner, most_ranks: int, programs: Sequence[str] = tuple(ALGORITHMS)) -> list[Pair]:
    asked = list(cases(most_ranks, programs))
    found = observed(runner, [case for _, _, *both in asked for case in both])
    result = []
    for (program, network, *both), relay, smpi in zip(asked, found[::2], found[1::2]):
        cells = both[0].args.split()
        measured = [lab4_time.measured(case, one) if one else [None] * len(cells) for case, one in zip(both, (relay, smpi))]
        result += [Pair(program, network, *one) for one in zip(cells, *measured)]
    return result


@dataclass(frozen=True)
class Counts:
    """What one rank sends in one cell, by receiver, as each back end counts it; None where a run did not end well."""
    program: str
    ranks: int
    cell: str
    rank: int
    relay: Mapping[int, Sent] | None
    smpi: Mapping[int, Sent] | None
    open_mpi: Mapping[int, Sent] | None

    @property
    def same(self) -> bool:
        return self.relay is not None and self.relay == self.smpi == self.open_mpi


def counts(runner: Runner, programs: Sequence[str] = tuple(ALGORITHMS), all_ranks: Sequence[int] = COUNTED_RANKS) -> Iterator[Counts]:
    """Of every algorithm, number of ranks and size of the matrix on which the sums are checked, and of every rank."""
    for program in programs:
        for ranks in all_ranks:
            cells = counted_cells(program, ranks)
            asked = [*(measured_case(f"{program}_{backend}", ranks, cells) for backend in ("relay", "smpi")),
                     correct_case(program, ranks, [f"{cell}:int" for cell in cells])]
            found = records(runner, asked)
            for index, cell in enumerate(cells):
                for rank in range(ranks):
                    yield Counts(program, ranks, cell, rank, *(sent(one[index][rank]) if one else None for one in found))


def counted_cells(program: str, ranks: int) -> list[str]:
    operations = dict.fromkeys(one.format(ranks=ranks) for one in COUNTED.get(program, (program,)))
    sizes = sorted({*COUNTED_SIZES, ranks - 1, ranks, ranks + 1})
    return [f"{operation}:{n}" for operation in operations for n in sizes]
