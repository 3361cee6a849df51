"""Is the schedule as fast as theory allows? Judged on virtual time, against the cost model."""
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import lab4_cost as cost
from hpml_autograder.lab import Case, Context, Network, Outcome, Run, Test, Verdict, accepted, wrong
from lab4_cases import FAT_TREE, keys_of, measured_case, measured_cells, seed_of
from lab4_cost import Machine
from lab4_links import busiest_host, busiest_uplink
from lab4_observation import Observation, Sent, sent
from lab4_shape import wrong_shape
from lab4_sums import wrong_sample
from lab4_table import FLOAT, fold
from lab4_traffic import too_little
from lab4_waiting import observe

FULL, NOTHING = 1.02, 1.5          # times the model's seconds: all of a cell's points, and none
LOCAL_FULL, LOCAL_NOTHING = 1.05, 2.03
TOO_FAST = 0.99                    # of the lower bound: then the data went another way
CROSSBAR = Machine()
HOSTS_PER_SWITCH = 8
INSIDE_ALPHA = CROSSBAR.alpha / 2  # between hosts of one switch of the fat tree: two links instead of four


@dataclass(frozen=True)
class Measured:
    """One cell of a run."""
    operation: str
    n: int          # elements, before they were divided by the case's scale
    simulated: int  # and after it
    seed: int
    ranks: int
    seconds: float
    expected: float
    bound: float
    flows: Mapping[int, Mapping[int, Sent]] = field(default_factory=dict)  # by sender and receiver

    @property
    def ratio(self) -> float:
        return self.seconds / self.expected

    @property
    def scale(self) -> int:
        return self.n // self.simulated if self.simulated else 1

    def __str__(self) -> str:
        return f"{self.operation}, P = {self.ranks}, {self.n * FLOAT} bytes"


def plan(test: Test, context: Context) -> list[Case]:
    """Shapes: RANKS CELL CELL ..., or RANKS/SCALE CELL CELL ...: data and bandwidth divided by SCALE, since only their
    quotient counts, and large vectors on many ranks take memory."""
    network = FAT_TREE if test.params.get("network") == "fat_tree" else Network()
    cases = []
    for ranks, *words in map(str.split, test.shapes):
        number, _, scale = ranks.partition("/")
        factor = int(scale or 1)
        cells = [(operation, int(n) // factor) for operation, n in (word.split(":") for word in words)]
        cases.append(measured_case(test.params["program"], int(number), [f"{operation}:{n}" for operation, n in cells],
                                   replace(network, bytes_per_s=network.bytes_per_s / factor), seed_of(test, context)))
    return cases


def fat_tree_seconds(operation: str, ranks: int, size: float) -> float:
    """On switches of 8 hosts with one uplink each. First all steps between hosts of one switch, at full speed; then those
    between switches, where the 8 hosts of a switch share its uplink."""
    g, m = HOSTS_PER_SWITCH, ranks // HOSTS_PER_SWITCH
    inside = 2 * (g - 1) / g * size * CROSSBAR.beta
    across = g * 2 * (m - 1) / m * size / g * CROSSBAR.beta
    if operation.startswith("hier"):
        return inside + across + 2 * (g - 1) * INSIDE_ALPHA + 2 * (m - 1) * CROSSBAR.alpha
    steps_inside, steps_across = fold(g)[1], fold(m)[1]
    return inside + across + 2 * steps_inside * INSIDE_ALPHA + 2 * steps_across * CROSSBAR.alpha


def measured(case: Case, observed: Observation) -> list[Measured]:
    cells = []
    for index, (operation, n, seed) in enumerate(measured_cells(case)):
        records = observed.all_json(index)
        seconds = max(one["end"] for one in records.values()) - min(one["begin"] for one in records.values())
        network, ranks = case.network, case.ranks
        scale = round(1 / (CROSSBAR.beta * network.bytes_per_s))
        size = n * FLOAT * scale
        expected = (fat_tree_seconds(operation, ranks, size) if network.topology
                    else cost.predict(operation, ranks, size, CROSSBAR))
        cells.append(Measured(operation, n * scale, n, seed, ranks, seconds, expected, cost.lower_bound(ranks, size, CROSSBAR),
                              {rank: sent(one) for rank, one in records.items()}))
    return cells


def points(cell: Measured, full: float, nothing: float) -> float:
    """Fraction of a cell's points."""
    return min(1.0, max(0.0, (nothing - cell.ratio) / (nothing - full)))


def judge(test: Test, context: Context, runs: Sequence[Run]) -> Outcome:
    local = test.params.get("network") == "fat_tree"
    full, nothing = (LOCAL_FULL, LOCAL_NOTHING) if local else (FULL, NOTHING)
    cells: list[Measured] = []
    for run in runs:
        observed, problem = observe(run, context)
        if problem or observed is None:
            return problem or wrong("no results")
        for index, cell in enumerate(measured(run.case, observed)):
            for rank, record in observed.all_json(index).items():
                if sentence := wrong_sample(record, rank, cell.ranks, cell.simulated, cell.seed, keys_of(run.case)):
                    return wrong(f"{cell}: {sentence}")
            if below := too_little(cell.flows, cell.ranks, cell.simulated):
                return Outcome(Verdict.PV, f"{cell}: {below}")
            if other := wrong_shape(cell.operation, cell.ranks, cell.simulated, cell.flows):
                return wrong(f"{cell}: {other}")
            if cell.seconds < TOO_FAST * cell.bound and not local:
                return Outcome(Verdict.PV, f"{cell}: {_us(cell.seconds)} is less than any all-reduce needs ({_us(cell.bound)}): "
                                           "the numbers came another way")
            cells.append(cell)
    checked = f"{len(cells)} simulated times against the cost model, P = {_list(cell.ranks for cell in cells)}"
    fraction = sum(points(cell, full, nothing) for cell in cells) / len(cells)
    figures = {f"{cell.operation}.P{cell.ranks}.n{cell.n}.us": round(cell.seconds * 1e6, 3) for cell in cells}
    if fraction == 1:
        return accepted(checked, **figures)
    worst = max(cells, key=lambda cell: cell.ratio)
    words = (f"{worst}: {_us(worst.seconds)}, the model says {_us(worst.expected)} ({worst.ratio:.2f} times; full points up to "
             f"{full:g}, none from {nothing:g}). {locality(worst) if local else slow_term(worst, cells)}")
    return Outcome(Verdict.PA if fraction > 0 else Verdict.WA, words, checked, fraction, figures)


def slow_term(worst: Measured, cells: Sequence[Measured]) -> str:
    """Which term of the model is too large: taken from the smallest and the largest vector on the same ranks. If both are, the
    one that costs the worst cell more seconds."""
    same = sorted((cell for cell in cells if (cell.ranks, cell.operation) == (worst.ranks, worst.operation)),
                  key=lambda cell: cell.n)
    small, large = same[0], same[-1]
    if small.n == large.n:  # one vector does not tell the two terms apart: those of the same algorithm on other ranks do
        others = [cell for cell in cells if cell.operation == worst.operation and cell.ranks != worst.ranks]
        other = max(others, key=lambda cell: cell.ratio, default=None)
        return f"On {other.ranks} ranks: {slow_term(other, others)}" if other else ""
    expected = cost.terms(worst.operation, worst.ranks, large.n * FLOAT)
    beta_bytes = (large.seconds - small.seconds) / ((large.n - small.n) * FLOAT) / CROSSBAR.beta
    messages = small.seconds / CROSSBAR.alpha - beta_bytes * small.n * FLOAT * CROSSBAR.beta / CROSSBAR.alpha
    wanted = expected.bytes / (large.n * FLOAT)
    late_s = (messages - expected.messages) * CROSSBAR.alpha
    wide_s = (beta_bytes - wanted) * worst.n * FLOAT * CROSSBAR.beta
    if messages > 1.02 * expected.messages and late_s >= wide_s:
        return (f"The latency term is too large: {messages:.0f} messages one after the other, should be "
                f"{expected.messages:.0f} (alpha = 10 us each). Do transfers that could go on at the same time wait for each other?")
    if beta_bytes > 1.02 * wanted:
        return (f"The bandwidth term is too large: {beta_bytes:.2f} N beta, should be {wanted:.2f} N beta. "
                f"{busiest_host(large.operation, large.ranks, large.simulated, large.flows, large.scale)}")
    return "Both terms of the model are right for the smallest and the largest vector: is another algorithm chosen in between?"


def locality(worst: Measured) -> str:
    found = busiest_uplink(worst.operation, worst.ranks, worst.simulated, worst.flows, HOSTS_PER_SWITCH, worst.scale)
    return (f"{found}. Exchange large parts with near ranks (distance 1 first), so that only small ones cross the links above "
            "the switches")


def _us(seconds: float) -> str:
    return f"{seconds * 1e6:.1f} us"


def _list(values) -> str:
    return ", ".join(map(str, sorted(set(values))))
