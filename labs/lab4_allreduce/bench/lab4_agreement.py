"""The relay beside SMPI: the same program, cell and network on both, whose times must be the same and equal the model's."""
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import lab4_time
from hpml_autograder.lab import Case, Network, Runner
from lab4_cases import FAT_TREE, measured_case
from lab4_runs import observed
from lab4_time import Measured

QUICK_RANKS, MOST_RANKS = 64, 256
ALLOWED = 5e-3  # relative difference of a time
ALGORITHMS = {"ps": "ps", "tree": "tree", "ring": "ring", "rd": "rd", "rabenseifner": "rabenseifner", "hier": "hier8"}
CELLS = (("12", (1024, 262144)), ("64", (1, 16384)), ("64/8", (1 << 20,)), ("256", (16384,)))  # ranks/scale, elements


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
