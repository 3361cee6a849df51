"""The extensions' two judges: are the numbers right, and does one counter reach the exercise's target?"""
import itertools
from collections.abc import Callable, Sequence
from dataclasses import replace

import lab3x_traces as traces
import numpy
from hpml_autograder.lab import (CHECKERS, WARP, Case, Context, Expected, Metrics, Outcome, Run, Test, Traffic, Verdict, accepted,
                                 interpolate, traffic, trouble, unclean, worst_line, wrong)
from hpml_autograder.splitmix import mix, mix_one

GIVEN = (7, 3)      # factors of the given data (extension.h)
HEAD, TAPS = 32, 9  # extension.h
FLOAT = 4           # bytes
TOLERANCE = 2e-5    # relative to the largest element: float in any order, and the transforms of Winograd; half has 3e-4


Numbers = tuple[int, int] | None  # that the data of a case are drawn from; None: the given data


def numbers_of(case: Case) -> Numbers:
    """What a case was given in its environment."""
    text = dict(case.env).get("HPML_DATA")
    if not text:
        return None
    a, b = map(int, text.split(","))
    return a, b


def inputs(case: Case) -> list[bytes]:
    """What an honest program of a case uploads to its GPU, for the replay of a score of record."""
    return [array.astype(numpy.float32).tobytes() for array in UPLOADED[case.program](case.args, numbers_of(case))]


def other(case: Case, seed: int) -> Case:
    return _with(case, seed)


def result(case: Case) -> Expected:
    values = EXPECTED[case.program](case.args, numbers_of(case)).reshape(-1)
    return Expected(values.astype(numpy.float32), TOLERANCE)


def plan(test: Test, context: Context) -> list[Case]:
    """Public tests use the given data. The first shape runs once more under the check tools, because a race can give the right
    numbers by chance."""
    program, cases = test.params["program"], []
    for iteration, shape in enumerate(test.shapes):
        seeded = test.params.get("data") == "seeded"
        cases.append(_with(Case(program, shape, dump=True), context.seed(test, iteration)) if seeded else
                     Case(program, shape, dump=True))
    watched = replace(cases[0], dump=False, check=CHECKERS)
    return [*cases, watched] if context.target == "sim" else cases


def plan_counted(test: Test, context: Context) -> list[Case]:
    """The runs whose counters are graded; their input is drawn from the course key."""
    program = test.params["program"]
    return [_with(Case(program, shape, dump=True, check=traces.WATCHED.get(program, "")), context.run_seed(f"{program} {shape}"))
            for shape in test.shapes]


def _with(case: Case, seed: int) -> Case:
    return replace(case, env=(("HPML_DATA", f"{seed & 0xFFFFFFFF},{(seed >> 32) & 0xFFFFFFFF}"),))


def data(count: int, which: int, numbers: Numbers, whole: bool = False) -> numpy.ndarray:
    """As make_data() of extension.h. Drawn numbers have all bits of a float: whole numbers would let a kernel multiply integers,
    four at a time, where no counter of the exercise sees it."""
    i = numpy.arange(count, dtype=numpy.uint64)
    if numbers is None:
        whole_i = i.astype(numpy.int64)
        return (((GIVEN[0] + which) * whole_i + whole_i // 11 * (GIVEN[1] + which)) % 17 - 8).astype(numpy.float64)
    a, b = numbers
    bits = mix(numpy.uint64(mix_one(mix_one(mix_one(a) + b) + which)) + i)
    if whole:
        return (bits % numpy.uint64(17)).astype(numpy.float64) - 8
    return ((bits >> numpy.uint64(40)).astype(numpy.int64) - (1 << 23)) / float(1 << 20)


def matrices(args: str, numbers: Numbers) -> list[numpy.ndarray]:
    n = int(args)
    return [data(n * n, which, numbers).reshape(n, n) for which in range(2)]


def matrix(args: str, numbers: Numbers) -> numpy.ndarray:
    a, b = matrices(args, numbers)
    return a @ b


def vector(args: str, numbers: Numbers) -> list[numpy.ndarray]:
    return [data(int(args), 0, numbers)]


def summands(args: str, numbers: Numbers) -> list[numpy.ndarray]:
    return [data(int(args), 0, numbers, whole=True)]


def total(args: str, numbers: Numbers) -> numpy.ndarray:
    return summands(args, numbers)[0].sum().reshape(1)


def image_and_filters(args: str, numbers: Numbers) -> list[numpy.ndarray]:
    c, h, w, k = map(int, args.split(","))
    return [data(c * h * w, 0, numbers).reshape(c, h, w), data(k * c * TAPS, 1, numbers).reshape(k, c, 3, 3)]


def convolution(args: str, numbers: Numbers) -> numpy.ndarray:
    image, filters = image_and_filters(args, numbers)
    _, h, w = image.shape
    image = numpy.pad(image, ((0, 0), (1, 1), (1, 1)))
    return sum(numpy.tensordot(filters[:, :, j, i], image[:, j:j + h, i:i + w], axes=1)
               for j in range(3) for i in range(3))


def update(args: str, numbers: Numbers) -> numpy.ndarray:
    return 2 * data(int(args), 0, numbers) + 1


def queries_keys_values(args: str, numbers: Numbers) -> list[numpy.ndarray]:
    n = int(args)
    return [data(n * HEAD, which, numbers).reshape(n, HEAD) / 8 for which in range(3)]


def attention(args: str, numbers: Numbers) -> numpy.ndarray:
    q, k, v = queries_keys_values(args, numbers)
    scores = q @ k.T / numpy.sqrt(HEAD)
    weights = numpy.exp(scores - scores.max(axis=1, keepdims=True))
    return weights @ v / weights.sum(axis=1, keepdims=True)


MATRICES = ("m1", "m2", "m3", "m4", "m5", "m6")
UPLOADED: dict[str, Callable[[str, Numbers], list[numpy.ndarray]]] = {
    **dict.fromkeys(MATRICES, matrices), "reduction": summands, **dict.fromkeys(("prefetch", "streams"), vector),
    **dict.fromkeys(("im2col", "winograd"), image_and_filters), "flash": queries_keys_values}
EXPECTED: dict[str, Callable[[str, Numbers], numpy.ndarray]] = {
    **dict.fromkeys(MATRICES, matrix), "reduction": total, "im2col": convolution,
    "winograd": convolution, "prefetch": update, "streams": update, "flash": attention}


def judge(test: Test, context: Context, runs: Sequence[Run]) -> Outcome:
    checked = f"every element, {len(runs)} runs"
    for run in runs:
        problem = (unclean if run.case.check else trouble)(run, context.spec.limits.wall_s)
        detail = "" if problem or run.case.check else wrong_result(run)
        if problem or detail:
            return problem or wrong(f"`{run.case}`: {detail}", checked)
    return accepted(checked)


def wrong_result(run: Run) -> str:
    """Empty when the run is right, else one sentence."""
    expected = EXPECTED[run.case.program](run.case.args, numbers_of(run.case)).reshape(-1)
    result = numpy.fromfile(run.dump, dtype=numpy.float32) if run.dump else numpy.zeros(0)
    if result.size != expected.size:
        return f"the result has {result.size} elements, expected {expected.size}"
    bad = ~(numpy.abs(result - expected) <= TOLERANCE * max(1.0, float(numpy.abs(expected).max())))
    if bad.any():
        first = int(numpy.argmax(bad))
        got = "nothing (never written)" if numpy.isnan(result[first]) else f"{result[first]:g}"
        return f"{int(bad.sum())} of {expected.size} elements are wrong; first [{first}]: expected {expected[first]:g}, got {got}"
    return run.unheld(result.tobytes())


def warps(metrics: Metrics) -> float:
    return sum(numpy.prod(kernel.grid) * -(-numpy.prod(kernel.block) // 32) for kernel in metrics.kernels)


def copies_overlap(metrics: Metrics) -> float:
    """Time from the first copy's call to the end of the wait for the last one, in units of the time of all copies. By
    the calls, because a replay knows how long copies take, and not when they began."""
    copying = [number for number, call in enumerate(metrics.api) if call.name.startswith("cudaMemcpy")]
    if not copying:
        return 1.0
    first, last = metrics.api[copying[0]], metrics.api[copying[-1]]
    after = metrics.api[copying[-1] + 1:]
    waits = list(itertools.takewhile(lambda call: call.name.endswith("Synchronize"), after))
    if not waits and last.name.endswith("Async"):
        waits = list(after[:1])  # memory is freed or given back, which waits as well
    end = max(call.start_us + call.duration_us for call in (last, *waits))
    return (end - first.start_us) / sum(copy.duration_us for copy in metrics.copies)


def moved(metrics: Metrics) -> Traffic:
    return traffic(*metrics.kernels)


def blocks(metrics: Metrics) -> int:
    return sum(int(numpy.prod(kernel.grid)) for kernel in metrics.kernels)


# quantity -> value of a run, what it is called, space and operations of the line that is to blame. Sectors go any way.
QUANTITIES: dict[str, tuple[Callable[[Metrics, Case], float], str, str, tuple[str, ...]]] = {
    "load_sectors_per_request": (lambda m, case: moved(m).sectors("ld") / max(1.0, moved(m).requests("ld")),
                                 "sectors per load", "global", ("ld",)),
    "load_sectors": (lambda m, case: moved(m).sectors("ld"), "sectors loaded", "global", ("ld",)),
    "row_sectors": (lambda m, case: moved(m).sectors("ld", spilled=False), "sectors loaded", "global", ("ld",)),
    "shared_loads_per_fma": (lambda m, case: moved(m).shared_loads() / int(case.args) ** 3,
                             "shared loads per multiply-add", "shared", ("ld",)),
    "shared_loads_per_block": (lambda m, case: moved(m).shared_loads() / WARP / blocks(m), "shared loads per block",
                               "shared", ("ld",)),
    "conflicts": (lambda m, case: moved(m).conflicts(), "bank conflicts", "shared", ("ld", "st", "atom")),
    "barriers": (lambda m, case: m.total("gpusim__barriers.sum") / warps(m), "barriers per warp", "", ()),
    "multiplications": (lambda m, case: m.executed(*traces.PRODUCTS), "multiplications", "", ()),
    "faults": (lambda m, case: m.total("gpusim__fault_groups.sum"), "groups of page faults in kernels", "", ()),
    "overlap": (lambda m, case: copies_overlap(m), "of the copies' time, from the first to the last", "", ()),
}


def unmoved(run: Run) -> str:
    """The largest input is read at least once, the result is written once; a small input may be a constant."""
    numbers = numbers_of(run.case)
    largest = max(array.size for array in UPLOADED[run.case.program](run.case.args, numbers))
    return moved(run.metrics).unmoved(FLOAT * largest, FLOAT * EXPECTED[run.case.program](run.case.args, numbers).size)


def judge_target(test: Test, context: Context, runs: Sequence[Run]) -> Outcome:
    value_of, name, space, ops = QUANTITIES[test.params["quantity"]]
    missing_in = traces.TRACES[test.params["program"]]
    knots = sorted(tuple(knot) for knot in test.params["knots"])
    for run in runs:
        problem = trouble(run, context.spec.limits.wall_s)
        if problem:
            return problem
        if run.metrics is None:
            return Outcome(Verdict.INC, "needs the simulator's counters, which a real GPU does not have", name)
        detail = wrong_result(run) or ("" if run.metrics.kernels else "no kernel was launched")
        if detail:
            return wrong(f"`{run.case}`: {detail}", name)
        value = value_of(run.metrics, run.case)
        reached = interpolate(knots, value)
        detail = unmoved(run) or missing_in(run.metrics, run.case.args) or traces.not_that_way(run) if reached > 0 else ""
        if detail:
            return wrong(f"`{run.case}`: {detail}", name)
        if reached < 1:
            goal = max(at for at, fraction in knots if fraction == 1)
            line = worst_line(run.metrics.kernels, space, ops, most="loads" in name or name == "sectors loaded")
            detail = (f"`{run.case}`: {value:.4g} {name}, the target is {goal:g}: {test.params['hint']}"
                      + (f" ({line})" if line else ""))
            return Outcome(Verdict.PA if reached > 0 else Verdict.WA, detail, name, fraction=reached)
    return accepted(name)
