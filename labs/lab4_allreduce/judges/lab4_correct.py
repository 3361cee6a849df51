"""Are the sums right? Judged on the vectors that the ranks hold after the call, on numbers that the checker chose."""
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import lab4_data as data
import numpy as np
from hpml_autograder.lab import Case, Context, Outcome, Run, Test, accepted, wrong
from lab4_cases import PUBLIC_SEED, correct_case, keys_of, seed_of, shared_seed
from lab4_observation import Observation, sent
from lab4_shape import wrong_shape
from lab4_sums import LOOKED_AT, explain
from lab4_table import FLOAT
from lab4_waiting import observe

RANKS = (1, 2, 3, 4, 5, 7, 8, 16)
HIDDEN_RANKS = (6, 9, 11, 12, 13)
BIG, MIDDLE = 65537, 1000
KINDS = ("special", "skew", "split", "reversed", "twice")  # besides the kinds of data, at MIDDLE elements


def sizes(ranks: int) -> list[int]:
    return sorted({0, 1, 2, ranks - 1, ranks, ranks + 1, MIDDLE})


def cells(operation: str, ranks: int) -> list[str]:
    words = [f"{operation}:{n}:int" for n in sizes(ranks)]
    words += [f"{operation}:{n}:mixed" for n in (MIDDLE, BIG)]
    return words + [f"{operation}:{MIDDLE}:{kind}" for kind in KINDS]


def half_cells(ranks: int) -> list[str]:
    return [f"{operation}:{n}:int" for operation in ("reduce_scatter", "allgather") for n in (*sizes(ranks), 1001)]


def plan(test: Test, context: Context) -> list[Case]:
    program, operations = test.params["program"].removesuffix("_mpi"), test.params["operations"]
    if test.params.get("data") == "seeded":
        return list(_hidden(test, context, program, operations))
    if "reduce_scatter" in operations:
        return [correct_case(program, ranks, half_cells(ranks), seed_of(test, context)) for ranks in test.params["ranks"]]
    return [public_case(program, operations, ranks, context) for ranks in RANKS]


def public_case(program: str, operations: Sequence[str], ranks: int, context: Context) -> Case:
    words = [f"hier{g}" for g in (1, 2, 3, ranks)] if "hier" in operations else operations
    return correct_case(program, ranks, [word for one in words for word in cells(one, ranks)], shared_seed(f"{program}_mpi", context))


def _hidden(test: Test, context: Context, program: str, operations: Sequence[str]) -> Iterator[Case]:
    """Two hidden numbers of ranks and two hidden sizes."""
    seed = context.seed(test, 0)
    first = seed % len(HIDDEN_RANKS)
    second = (first + 1 + seed // 8 % (len(HIDDEN_RANKS) - 1)) % len(HIDDEN_RANKS)
    many = [17 + seed // 64 % 900, 2000 + seed // 65536 % 9000]
    for ranks in (HIDDEN_RANKS[first], HIDDEN_RANKS[second]):
        names = [f"hier{g}" for g in (2, 3)] if "hier" in operations else operations
        words = [f"{one}:{n}:{kind}" for one in names for n in many for kind in ("int", "mixed", "split")]
        yield correct_case(program, ranks, words, seed)


@dataclass(frozen=True)
class Cell:
    """One all-reduce of a run: what was asked, and by whom."""
    index: int
    operation: str
    n: int
    kind: str
    seed: int
    observed: Observation
    ranks: int  # of the whole run
    keys: tuple[int, ...] = ()  # of its numbers, by rank of the whole run; empty: they follow from the seed

    @property
    def values(self) -> str:
        """Kind of the data."""
        return {"mixed": "mixed", "special": "special", "skew": "mixed"}.get(self.kind, "int")

    def groups(self) -> list[list[int]]:
        """World ranks of each communicator that was at work, in the order of their ranks in it."""
        everyone = list(range(self.ranks))
        if self.kind == "split":
            return [group for group in (everyone[::2], everyone[1::2]) if group]
        return [everyone[::-1]] if self.kind == "reversed" else [everyone]

    def keys_of(self, group: Sequence[int]) -> tuple[int, ...]:
        """In the order of a communicator's ranks."""
        return tuple(self.keys[world] for world in group) if self.keys else ()

    def record(self, world: int) -> dict[str, Any]:
        return self.observed.json(self.index, world) or {}


def cells_of(run: Run, observed: Observation) -> Iterator[Cell]:
    seed = int(dict(run.case.env).get("HPML_DATA", PUBLIC_SEED))
    for index, word in enumerate(run.case.args.split()):
        operation, n, kind = word.split(":")
        yield Cell(index, operation, int(n), kind, data.cell_seed(seed, index), observed, run.case.ranks, keys_of(run.case))


def judge(test: Test, context: Context, runs: Sequence[Run]) -> Outcome:
    total = sum(len(run.case.args.split()) for run in runs)
    checked = f"{total} all-reduces on {', '.join(str(run.case.ranks) for run in runs)} ranks"
    for run in runs:
        observed, problem = observe(run, context)
        if problem or observed is None:
            return problem or wrong("no results", checked)
        for cell in cells_of(run, observed):
            sentence = wrong_cell(cell)
            if sentence:
                return wrong(f"{cell.operation}, P = {cell.ranks}, n = {cell.n} ({cell.kind}): {sentence}", checked)
    return accepted(checked)


def wrong_cell(cell: Cell) -> str:
    """Empty when all is as it should be, else one sentence with expected and got."""
    for group in cell.groups():
        records = [cell.record(world) for world in group]
        if not all(records):
            return f"rank {group[records.index({})]} left no result"
        for check in (_overwritten, _wrong_values, _not_identical, _not_repeated, _leftover, _received_too_little, _other_algorithm):
            sentence = check(cell, group, records)
            if sentence:
                return sentence
    return ""


def _overwritten(cell: Cell, group: list[int], records: list[dict[str, Any]]) -> str:
    for world, record in zip(group, records):
        at = record["overwritten"]
        if at is not None:
            side = f"{-at} before its first element" if at < 0 else f"{at - cell.n + 1} behind its last element"
            return f"rank {world} has written outside of x, {side}: look at the size of the last chunk"
    return ""


def _leftover(cell: Cell, group: list[int], records: list[dict[str, Any]]) -> str:
    for world, record in zip(group, records):
        if record["leftover"] is not None:
            source, tag, size = record["leftover"]
            return (f"rank {world} has not received a message of {size} bytes, tag {tag}, from rank {group[source]}: the next "
                    "call on this communicator would take it for one of its own")
        if record.get("other_arrived") is False:
            return f"rank {world} has taken a message of another communicator's: pass on the communicator that you are given"
    return ""


def _received_too_little(cell: Cell, group: list[int], records: list[dict[str, Any]]) -> str:
    """Each element of a sum needs at least one number from another rank."""
    if len(group) == 1 or cell.operation == "reduce_scatter":  # a rank owns one chunk of it
        return ""
    own = -(-cell.n // len(group)) if cell.operation == "allgather" else 0
    received = dict.fromkeys(group, 0)
    for record in records:
        for peer, flow in sent(record).items():
            received[peer] = received.get(peer, 0) + flow.bytes
    for world in group:
        if received[world] < (cell.n - own) * FLOAT:
            return (f"rank {world} has received {received[world]} bytes, but {cell.n - own} floats depend on the other ranks: use "
                    "MPI messages only")
    return ""


def _other_algorithm(cell: Cell, group: list[int], records: list[dict[str, Any]]) -> str:
    if cell.kind not in ("int", "mixed"):
        return ""  # two calls, or a communicator of other ranks
    return wrong_shape(cell.operation, cell.ranks, cell.n, {world: sent(record) for world, record in zip(group, records)})


def _not_identical(cell: Cell, group: list[int], records: list[dict[str, Any]]) -> str:
    if cell.operation == "reduce_scatter" or cell.values == "special":  # NaNs may differ in their bits
        return ""
    for world, record in zip(group, records):
        if record["hash"] != records[0]["hash"]:
            own, first = (cell.observed.floats(cell.index, one) for one in (world, group[0]))
            where = ""
            if own is not None and first is not None and len(np.flatnonzero(own != first)):
                at = int(np.flatnonzero(own != first)[0])
                where = f": element {at} is {first[at]:.9g} there and {own[at]:.9g} here"
            return (f"ranks {group[0]} and {world} hold different bits{where}. Each element must be added up in one order, by "
                    "one rank, or by all in the same order")
    return ""


def _not_repeated(cell: Cell, group: list[int], records: list[dict[str, Any]]) -> str:
    for world, record in zip(group, records):
        if record.get("hash_before", record["hash"]) != record["hash"]:
            return (f"rank {world} has other bits when the ranks arrive in another order: the order of the additions must not "
                    "depend on which message comes first (MPI_ANY_SOURCE)")
    return ""


def _wrong_values(cell: Cell, group: list[int], records: list[dict[str, Any]]) -> str:
    for place, world in enumerate(group):
        got = cell.observed.floats(cell.index, world)
        if got is None:
            continue  # the same bits as the first rank's
        if len(got) != cell.n:
            return f"rank {world} left {len(got)} elements"
        sentence = wrong_vector(cell, got, group, place)
        if sentence:
            return f"rank {world}, {sentence}"
    return ""


def wrong_vector(cell: Cell, got: np.ndarray, group: Sequence[int], place: int) -> str:
    """The first wrong element of what the rank at `place` of a communicator holds. group: its ranks in the world."""
    ranks, keys = len(group), cell.keys_of(group)
    if cell.operation == "allgather":
        expected = np.empty(cell.n, dtype=np.float32)
        for rank in range(ranks):
            own = slice(*(cell.n * ((rank + 1) % ranks + border) // ranks for border in (0, 1)))
            expected[own] = data.vector(cell.values, cell.seed, rank, cell.n, keys)[own]
        return _first_difference(got, expected, got != expected, "each rank owns chunk r + 1 at the beginning")
    total, magnitude = data.exact_sum(cell.values, cell.seed, ranks, cell.n, keys)
    if cell.values == "special":
        with np.errstate(over="ignore", invalid="ignore"):
            different = _classes(got) != _classes(total)
        return _first_difference(got, total, different, "infinities and NaNs must come out as a sum's do")
    bound = ranks * data.EPSILON * magnitude if cell.values == "mixed" else np.zeros(cell.n)
    different = ~(np.abs(got.astype(np.float64) - total) <= bound)
    if cell.operation == "reduce_scatter":
        owned = (place + 1) % ranks
        different[:cell.n * owned // ranks] = False
        different[cell.n * (owned + 1) // ranks:] = False
    return _first_difference(got, total, different, _explained(cell, got, np.flatnonzero(different), ranks, bound, keys))


def _classes(values: np.ndarray) -> np.ndarray:
    """0 finite, 1 NaN, 2 and 3 the infinities."""
    return np.select([np.isnan(values), np.isposinf(values), np.isneginf(values)], [1, 2, 3], 0)


def _first_difference(got: np.ndarray, expected: np.ndarray, different: np.ndarray, why: str) -> str:
    places = np.flatnonzero(different)
    if not len(places):
        return ""
    first = int(places[0])
    return (f"element {first}: expected {float(expected[first]):.9g}, got {float(got[first]):.9g} "
            f"({len(places)} of {len(got)} elements are wrong)" + (f"; {why}" if why else ""))


def _explained(cell: Cell, got: np.ndarray, places: np.ndarray, ranks: int, bound: np.ndarray, keys: tuple[int, ...]) -> str:
    places = places[:LOOKED_AT]
    if not len(places) or ranks == 1:
        return ""
    terms = np.array([data.vector(cell.values, cell.seed, rank, cell.n, keys)[places] for rank in range(ranks)], dtype=np.float64)
    return explain(got[places].astype(np.float64), terms, bound[places])


def plan_chunks(test: Test, context: Context) -> list[Case]:
    """The shapes of the test, and as many hidden ones of similar size."""
    seed = context.seed(test, 0)
    drawn = [f"{int(n) + 1 + seed % 997}:{int(parts) + 1 + seed // 997 % 7}" for n, parts in (shape.split(":") for shape in test.shapes)]
    return [Case("chunk_mpi", " ".join((*test.shapes, *drawn)), dump=True, ranks=1)]


def judge_chunks(test: Test, context: Context, runs: Sequence[Run]) -> Outcome:
    checked = f"every chunk of {', '.join(test.shapes)}, and of as many drawn ones"
    observed, problem = observe(runs[0], context)
    if problem or observed is None:
        return problem or wrong("no results", checked)
    for index, word in enumerate(runs[0].case.args.split()):
        n, parts = map(int, word.split(":"))
        chunks = observed.json(index, 0)
        for i, got in enumerate(chunks or []):
            expected = [n * i // parts, n * (i + 1) // parts - n * i // parts]
            if got != expected:
                wrapped = [n * k % 2**32 // parts for k in (i, i + 1)]  # of products in 32 bits
                hint = ": n times i needs 64 bits" if got == [wrapped[0], (wrapped[1] - wrapped[0]) % 2**64] else ""
                return wrong(f"chunk_of({n}, {parts}, {i}): expected begin {expected[0]}, size {expected[1]}; got begin "
                             f"{got[0]}, size {got[1]}{hint}", checked)
    return accepted(checked)
