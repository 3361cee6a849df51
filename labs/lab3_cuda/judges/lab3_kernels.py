"""Parts A and C: are the numbers right? Judged on the result array itself, which starts as NaN, for data the checker
chose: the given data of the exercises cannot tell an element from its neighbour, nor a matrix from its transpose."""
from collections.abc import Callable, Sequence

import numpy
from hpml_autograder.lab import Case, Context, Outcome, Run, Test, accepted, trouble, wrong

THREADS = 60 * 128           # of vecadd.cu
SMALL_VECTOR = 500           # elements per thread up to which a dump is asked for
FOOTPRINT = {"matmult00": 16, "matmult01": 32}
TOLERANCE = 1e-4             # relative, matrix product on the given data
OF_LARGEST = 2e-5            # on drawn data, of the largest element: any order of additions in float; half precision has 3e-4
LAUNCHES = 2                 # of vecadd.cu and matmult.cu: one to warm up, one that counts


def factors(test: Test, context: Context, iteration: int, run: str) -> tuple[int, ...]:
    """Four numbers, the odd ones factors of an index; empty: the given data, which the first shape of a public test has, for
    the student to read by. On all others the figures count, too: they have data that nobody knows before."""
    if test.params.get("data") == "seeded":
        return numbers_from(context.seed(test, iteration))
    return drawn(context, run) if iteration else ()


def drawn(context: Context, run: str) -> tuple[int, ...]:
    """Of a run that is timed, counted or watched."""
    return numbers_from(context.run_seed(run))


def numbers_of(case: Case) -> tuple[int, ...]:
    """The factors that a case was given in its environment."""
    text = dict(case.env).get("HPML_DATA")
    return tuple(map(int, text.split(","))) if text else ()


def numbers_from(seed: int) -> tuple[int, ...]:
    """The second and fourth also hold, above their lowest byte, the seed of scattered()."""
    low = [((seed >> shift) & 0xFF) | 1 for shift in (0, 8, 16, 24)]
    first, second = ((seed * odd >> 32) & 0xFFFFFFFF | 1 for odd in (0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9))
    return low[0], low[1] | first << 8, low[2], low[3] | second << 8


def scattered(index: numpy.ndarray, chosen: int) -> numpy.ndarray:
    """As harness.h: a number for each index that follows no rule; 0 where the number that was chosen is less than 256."""
    low, seed = numpy.uint64(0xFFFFFFFF), chosen >> 8
    if not seed:
        return numpy.zeros_like(index)
    values = index.astype(numpy.uint64) * numpy.uint64(2654435761) + numpy.uint64(seed) & low
    values = (values ^ values >> numpy.uint64(16)) * numpy.uint64(0x85EBCA6B) & low
    values = (values ^ values >> numpy.uint64(13)) * numpy.uint64(0xC2B2AE35) & low
    return (values ^ values >> numpy.uint64(16)).astype(numpy.int64)


def environment(numbers: Sequence[int]) -> tuple[tuple[str, str], ...]:
    return (("HPML_DATA", ",".join(map(str, numbers))),) if numbers else ()


def plan(test: Test, context: Context) -> list[Case]:
    program = test.params["program"]
    return [Case(program, shape, environment(factors(test, context, iteration, f"{program} {shape}")), dump=True)
            for iteration, shape in enumerate(test.shapes)]


def counted_case(context: Context, program: str, args: str, gpu: str = "") -> Case:
    """A run whose figures count; its result is compared as well."""
    return Case(program, args, environment(drawn(context, f"{program} {args}")), dump=True, gpu=gpu)


def vectors_of_a(args: str, numbers: Sequence[int]) -> list[numpy.ndarray]:
    """A and B as vecadd.cu makes them."""
    n = THREADS * int(args)
    index = numpy.arange(n, dtype=numpy.int64)
    if not numbers:
        return [index.astype(numpy.float32), (n - index).astype(numpy.float32)]
    a, b, c, d = numbers
    return [((a * index + b) % 1009).astype(numpy.float32), ((c * index + d) % 2003).astype(numpy.float32)]


def matrices(args: str, program: str, numbers: Sequence[int]) -> list[numpy.ndarray]:
    """A and B as matmult.cu makes them."""
    n = FOOTPRINT[program] * int(args)
    y, x = numpy.meshgrid(numpy.arange(n), numpy.arange(n), indexing="ij")
    if not numbers:
        return [y.astype(numpy.float32), x.astype(numpy.float32)]
    a, b, c, d = numbers
    place = y * n + x
    return [full_floats(a * y + c * x, scattered(place, b)), full_floats(c * y + a * x, scattered(place, d))]


def full_floats(rule: numpy.ndarray, drawn: numpy.ndarray) -> numpy.ndarray:
    """As harness.h: from -8 to 8, of 24 bits. Small whole numbers would fit several into a word, and their products into integers."""
    return ((((drawn + (rule << 8)) & 0xFFFFFFFF) >> 8) - (1 << 23)).astype(numpy.float32) / numpy.float32(1 << 20)


def vector_sum(args: str, program: str, numbers: Sequence[int]) -> numpy.ndarray:
    if not numbers:
        return numpy.full(THREADS * int(args), THREADS * int(args), dtype=numpy.float32)
    a, b = vectors_of_a(args, numbers)
    return a + b  # exact: whole numbers below 2^24


def matrix_product(args: str, program: str, numbers: Sequence[int]) -> numpy.ndarray:
    a, b = (matrix.astype(numpy.float64) for matrix in matrices(args, program, numbers))
    return a @ b


EXPECTED: dict[str, Callable[[str, str, Sequence[int]], numpy.ndarray]] = {
    "vecadd00": vector_sum, "vecadd01": vector_sum, "matmult00": matrix_product, "matmult01": matrix_product}


def judge(test: Test, context: Context, runs: Sequence[Run]) -> Outcome:
    checked = f"every element, {len(runs)} runs"
    for run in runs:
        said_failed = run.state == "exit" and run.code == 1 and run.dump is not None
        problem = None if said_failed else trouble(run, context.spec.limits.wall_s)
        if problem:
            return problem
        detail = wrong_result(run)
        if not detail and said_failed:
            detail = next((line for line in run.stdout.splitlines() if "FAILED" in line), "it ended with exit code 1")
        if detail:
            return wrong(f"`{run.case}`: {detail}", checked)
    return accepted(checked)


def wrong_result(run: Run) -> str:
    """Empty when the run is right, else one sentence."""
    numbers = numbers_of(run.case)
    if run.dump is None:
        return "it ended without a result"
    expected = EXPECTED[run.case.program](run.case.args, run.case.program, numbers)
    result = numpy.fromfile(run.dump, dtype=numpy.float32).reshape(-1)
    if result.size != expected.size:
        return f"the result has {result.size} elements, expected {expected.size}"
    detail = differing(result.reshape(expected.shape), expected, bound(run.case, expected))
    return detail or run.unheld(result.tobytes(), after_last_launch=True) or _work_detail(run)


def work_of(case: Case) -> tuple[int, str, tuple[str, str]]:
    """How many operations a sum of vectors, or a product of matrices, takes; which, and who counts them."""
    if case.program in FOOTPRINT:
        return (FOOTPRINT[case.program] * int(case.args)) ** 3, "multiplications", ("fmul", "ffma")
    return THREADS * int(case.args), "additions", ("fadd", "ffma")


def _work_detail(run: Run) -> str:
    """Counters are read of the launch that counts: it is the one the harness makes, and does all the work."""
    if run.metrics is None or not run.metrics.kernels:
        return ""
    if len(run.metrics.kernels) != LAUNCHES:
        return (f"the GPU executed {len(run.metrics.kernels)} launches, the given program makes {LAUNCHES}: write a "
                "kernel, not a function that launches others")
    needed, what, counters = work_of(run.case)
    made = run.metrics.kernels[-1].executed(*counters)
    return f"the GPU executed {made:.0f} {what}, at least {needed} are needed" if made < needed else ""


def tolerance(case: Case) -> float:
    """Of the largest element, on drawn data. Sums of two whole numbers are exact."""
    return OF_LARGEST if case.program in FOOTPRINT and numbers_of(case) else 0.0


def bound(case: Case, expected: numpy.ndarray) -> "float | numpy.ndarray":
    """How far a result may be from what is expected: for each element, or for all."""
    if not numbers_of(case):
        return TOLERANCE * numpy.abs(expected)
    return tolerance(case) * float(numpy.abs(expected).max())


def differing(result: numpy.ndarray, expected: numpy.ndarray, bound: "float | numpy.ndarray") -> str:
    """Empty, or which element differs first, and from how many others it cannot be told."""
    wrong_ones = ~(numpy.abs(result - expected) <= bound)  # NaN is wrong
    if not wrong_ones.any():
        return ""
    first = tuple(int(i) for i in numpy.argwhere(wrong_ones)[0])
    got = float(result[first])
    hint = ""
    if got != got:
        hint = " (never written)"
    elif result.ndim == 2 and result.shape[0] == result.shape[1] and (numpy.abs(result - expected.T) <= numpy.transpose(bound)).all():
        hint = "; it is the transposed of the right one"
    place = "".join(f"[{i}]" for i in first)
    return (f"{int(wrong_ones.sum())} of {expected.size} elements are wrong; first C{place}: expected "
            f"{float(expected[first]):.9g}, got {got:g}{hint}")
