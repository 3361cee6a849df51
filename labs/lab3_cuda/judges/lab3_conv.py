"""Part C: the convolutions, on data and shapes on which the usual mistakes give other numbers, and how they were made."""
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy
from hpml_autograder.lab import (SECTOR, WARP, Case, Context, Kernel, Metrics, Outcome, Run, Test, Verdict, accepted, traffic,
                                 trouble, worst_line, wrong)
from lab3_kernels import drawn, environment, factors, numbers_of, scattered
from lab3_measure import at

PROGRAM = "convolution"
COURSE_SHAPE = "3,1024,1024,64,3,3,1"
COURSE_CHECKSUM = 122756344698240  # closed form and brute force: lab specification, section 5
ASYMMETRIC = (1, 0, 1, 0)          # factors of the set "asym" of the handout
LINE = re.compile(r"^(-?\d{1,30})(?:\.0+)?,(\d{1,30}\.\d{3})$")
SHARED = ("launch__shared_mem_per_block_static", "launch__shared_mem_per_block_dynamic")
FORWARD = "cudnnConvolutionForward"
NO_CALL = f"expected a call of {FORWARD}, got none"
RELATIVE, ABSOLUTE_US = 0.10, 20.0  # printed against simulated time
ELEMENT = 8  # bytes of a double


@dataclass(frozen=True)
class Shape:
    C: int
    H: int
    W: int
    K: int
    FH: int
    FW: int
    P: int


def shape_of(run: Case) -> Shape:
    words = run.args.split()
    return Shape(*map(int, (words[words.index("--shape") + 1] if "--shape" in words else COURSE_SHAPE).split(",")))


def plan(test: Test, context: Context) -> list[Case]:
    """The result is asked for where one convolution runs."""
    program, only = test.params.get("program", PROGRAM), _only(test)
    cases = []
    for iteration, shape in enumerate(test.shapes):
        args = f"{only} --shape {shape}".strip()
        asymmetric = test.params.get("data") == "asym"
        numbers = ASYMMETRIC if asymmetric else factors(test, context, iteration, f"{program} {args}")
        cases.append(Case(program, args, environment(numbers), dump=bool(only) or program != PROGRAM))
    if context.full and test.params.get("course_size"):
        cases.append(Case(program, only))
    return cases


def _only(test: Test) -> str:
    return f"--only {test.params['only']}" if "only" in test.params else ""


def plan_counted(test: Test, context: Context) -> list[Case]:
    """Runs whose figures count."""
    return [counted_case(context, f"{_only(test)} --shape {shape}") for shape in test.shapes]


def counted_case(context: Context, args: str, program: str = PROGRAM, gpu: str = "") -> Case:
    return Case(program, args, environment(drawn(context, f"{program} {args}")), dump=True, gpu=gpu)


def inputs(s: Shape, numbers: Sequence[int]) -> tuple[numpy.ndarray, numpy.ndarray]:
    """I[c,y,x] and F[k,c,j,i], as conv_main.cu makes them."""
    c, y, x = numpy.meshgrid(*map(numpy.arange, (s.C, s.H, s.W)), indexing="ij")
    k, fc, j, i = numpy.meshgrid(*map(numpy.arange, (s.K, s.C, s.FH, s.FW)), indexing="ij")
    if not numbers:
        return c * (x + y), (fc + k) * (i + j)
    a, b, f, d = numbers
    image = a * (c + 1) * (3 * x + 5 * y + 1) + b + scattered((c * s.H + y) * s.W + x, b)
    filters = f * (k + 1) * (fc + 2) * (i + 3 * j + 1) + d + scattered(((k * s.C + fc) * s.FH + j) * s.FW + i, d)
    return image % 251, filters % 127 - 63


def image_and_filters(case: Case, numbers: Sequence[int]) -> list[numpy.ndarray]:
    """I0, I and F as the functions get them."""
    s = shape_of(case)
    image, filters = (array.astype(numpy.float64) for array in inputs(s, numbers))
    return [numpy.pad(image, ((0, 0), (s.P, s.P), (s.P, s.P))), image, filters]


def convolve(image: numpy.ndarray, filters: numpy.ndarray, s: Shape, flip: bool = True) -> numpy.ndarray:
    """O[k,y,x], in whole numbers."""
    padded = numpy.pad(image, ((0, 0), (s.P, s.P), (s.P, s.P)))
    out = numpy.zeros((s.K, s.H, s.W), dtype=numpy.int64)
    for j in range(s.FH):
        for i in range(s.FW):
            weights = filters[:, :, s.FH - 1 - j, s.FW - 1 - i] if flip else filters[:, :, j, i]
            out += numpy.tensordot(weights, padded[:, j:j + s.H, i:i + s.W], axes=(1, 0))
    return out


def diagnosis(result: numpy.ndarray, s: Shape, numbers: Sequence[int]) -> str:
    """The name of the mistake that gives this result, or nothing."""
    image, filters = inputs(s, numbers)
    known = {"this is the cross-correlation: the filter is not flipped": lambda: convolve(image, filters, s, False),
             "the filter is flipped along one axis only": lambda: convolve(image, filters[:, :, :, ::-1], s),
             "rows and columns of the filter are exchanged":
                 lambda: convolve(image, filters.transpose(0, 1, 3, 2), s),
             "row 0 and column 0 of I are read as zero": lambda: convolve(_without_first(image, True), filters, s),
             "row 0 of I is read as zero": lambda: convolve(_without_first(image, False), filters, s)}
    if s.H == s.W:
        known["x and y are exchanged in O"] = lambda: convolve(image, filters, s).transpose(0, 2, 1)
        known["x and y are exchanged in I"] = lambda: convolve(image.transpose(0, 2, 1), filters, s)
    if not result.any():
        return "nothing but zeros"
    if numpy.isnan(result).all():
        return "O was never written"
    return next((name for name, make in known.items() if numpy.array_equal(result, make())), "")


def _without_first(image: numpy.ndarray, column: bool) -> numpy.ndarray:
    changed = image.copy()
    changed[:, 0, :] = 0
    if column:
        changed[:, :, 0] = 0
    return changed


def judge(test: Test, context: Context, runs: Sequence[Run]) -> Outcome:
    return judge_output(test, context, runs, no_matter if test.params["only"] == 3 else own_work)


def no_matter(metrics: Metrics, s: Shape) -> str:
    """C3 may come from wherever it wants."""
    return ""


def judge_output(test: Test, context: Context, runs: Sequence[Run], work: Callable[[Metrics, Shape], str]) -> Outcome:
    checked = f"every element of O, {len(runs)} runs"
    for run in runs:
        problem = trouble(run, context.spec.limits.wall_s)
        if problem:
            return problem
        detail = wrong_output(run, work)
        if detail:
            return wrong(f"`{run.case}`: {detail}", checked)
    return accepted(checked)


def wrong_output(run: Run, work: Callable[[Metrics, Shape], str]) -> str:
    """Empty when the run is right, else one sentence."""
    numbers = numbers_of(run.case)
    printed = [LINE.match(line) for line in run.stdout.splitlines()]
    if len(printed) != 1 or printed[0] is None:
        if re.match(r"-?nan,", run.stdout) and run.dump is not None:
            return unwritten(numpy.fromfile(run.dump, dtype=numpy.float64))
        return f"expected one line `checksum,ms`, got {run.stdout[:80]!r}"
    got = int(printed[0].group(1))
    s = shape_of(run.case)
    if not run.case.dump:  # the course's size: its checksum is known
        made = work(run.metrics, s) if run.metrics is not None else ""
        return made if got == COURSE_CHECKSUM else f"expected the checksum {COURSE_CHECKSUM}, got {got}"
    if run.dump is None:
        return "it ended without a result"
    expected = convolve(*inputs(s, numbers), s)
    result = numpy.fromfile(run.dump, dtype=numpy.float64)
    if result.size != expected.size:
        return f"the result has {result.size} elements, expected {expected.size}"
    result = result.reshape(expected.shape)
    if numpy.array_equal(result, expected):
        detail = run.unheld(result.tobytes()) or left_over(run) or (work(run.metrics, s) if run.metrics is not None else "")
        if detail:
            return detail
        return "" if got == int(expected.sum()) else f"expected the checksum {int(expected.sum())}, it prints {got}"
    differing = result != expected
    k, y, x = (int(v) for v in numpy.argwhere(differing)[0])
    why = diagnosis(result, s, numbers)
    return (f"{int(differing.sum())} of {expected.size} elements are wrong; first O[k={k}, y={y}, x={x}]: expected "
            f"{int(expected[k, y, x])}, got {result[k, y, x]:g}" + (f": {why}" if why else ""))


def left_over(run: Run) -> str:
    return ("" if not run.left_over else "the launches that are timed do not make O: they need what the launches before them left "
            "in memory; what warms up and what is timed does the whole work, each by itself")


def unwritten(result: numpy.ndarray) -> str:
    """Why the sum of O is no number."""
    missing = int(numpy.isnan(result).sum())
    share = "no element of O was" if missing == result.size else f"{missing} of {result.size} elements of O were not"
    return f"{share} written: O starts as NaN, and the sum that it prints is NaN"


def products(s: Shape) -> int:
    return s.K * s.H * s.W * s.C * s.FH * s.FW


def library_call(metrics: Metrics) -> str:
    library = next((kernel for kernel in metrics.kernels if kernel.library), None)
    if library is None and not metrics.calls(FORWARD):
        return ""
    return f"it calls cuDNN{f' ({library.name})' if library else ''}: this exercise is about a kernel of your own"


def own_work(metrics: Metrics, s: Shape) -> str:
    """C1 and C2 are kernels of your own, and the launch that counts makes all products."""
    detail = library_call(metrics)
    if detail:
        return detail
    if not metrics.kernels:
        return "no kernel was launched"
    needed = products(s)
    made = metrics.kernels[-1].executed("dfma", "dmul")
    return unmoved(metrics.kernels[-1:], s) if made >= needed else (
        f"the last launch, {metrics.kernels[-1].name}, made {made:.0f} multiplications, {needed} are needed: the launch "
        "that counts is the one that makes O")


def judge_format(test: Test, context: Context, runs: Sequence[Run]) -> Outcome:
    checked = "three lines `checksum,ms`"
    for run in runs:
        problem = trouble(run, context.spec.limits.wall_s)
        if problem:
            return problem
        lines = run.stdout.splitlines()
        bad = next((line for line in lines if not LINE.match(line)), None)
        if len(lines) == 3 and bad is not None and re.match(r"-?nan,", bad):
            return wrong(f"`{run.case}`: line {lines.index(bad) + 1}: the sum of O is no number: an element of O was not written, "
                         "or was computed from memory that nothing was written to", checked)
        if bad is not None or len(lines) != 3:
            return wrong(f"`{run.case}`: expected exactly three lines like 122756344698240,27.488; got {len(lines)}"
                         + (f", among them {bad[:60]!r}" if bad is not None else ""), checked)
    return accepted(checked)


def each_run(detail: Callable[[Test, Run, Metrics, Kernel], str], checked: str, every_launch: bool = False):
    """Of the last launch, which counts, or of every one: then none can be poor behind one that is only looked at."""
    def judge_each(test: Test, context: Context, runs: Sequence[Run]) -> Outcome:
        for run in runs:
            problem = trouble(run, context.spec.limits.wall_s)
            if problem:
                return problem
            if run.metrics is None:
                return Outcome(Verdict.INC, "needs the simulator's counters, which a real GPU does not have", checked)
            mistake = wrong_output(run, no_matter if test.params["only"] == 3 else own_work)
            if mistake or not run.metrics.kernels:
                return wrong(f"`{run.case}`: {mistake or 'no kernel was launched'}", checked)
            for kernel in run.metrics.kernels if every_launch else run.metrics.kernels[-1:]:
                sentence = detail(test, run, run.metrics, kernel)
                if sentence:
                    return wrong(f"`{run.case}`: {sentence}", checked)
        return accepted(checked)
    return judge_each


def no_shared(test: Test, run: Run, metrics: Metrics, kernel: Kernel) -> str:
    size = sum(kernel.metric(name) for name in SHARED)
    return f"{kernel.name} has {size:.0f} bytes of shared memory; this exercise goes without" if size else ""


def tiles(test: Test, run: Run, metrics: Metrics, kernel: Kernel) -> str:
    """Every element of I goes through a tile, and the products take their part from there; 8 filters at a time at most."""
    s = shape_of(run.case)
    if kernel is not metrics.kernels[-1]:
        return ""
    if not sum(kernel.metric(name) for name in SHARED):
        return f"{kernel.name} has no shared memory; this exercise is about tiles in it"
    return traffic(kernel).untiled(s.C * s.H * s.W, s.C * s.H * s.W * s.K / 8, ELEMENT)


def unmoved(kernels: Sequence[Kernel], s: Shape) -> str:
    """Of the launches that count. The filters may come another way: from constant memory."""
    return traffic(*kernels).unmoved(ELEMENT * s.C * s.H * s.W, ELEMENT * s.K * s.H * s.W)


def coalesced(test: Test, run: Run, metrics: Metrics, kernel: Kernel) -> str:
    s, loaded = shape_of(run.case), traffic(kernel).sectors("ld")
    limit = test.params["limit"] * direct_sectors(s)
    return "" if loaded <= limit else (
        f"{kernel.name} loads {loaded:.0f} sectors of 32 bytes, {direct_sectors(s)} are needed when a warp covers 32 "
        f"neighbouring x, and {limit:.0f} are allowed: let threadIdx.x run along x"
        f"{at(worst_line(kernel, 'global', ['ld']))}")


def stores(test: Test, run: Run, metrics: Metrics, kernel: Kernel) -> str:
    s = shape_of(run.case)
    value, limit = traffic(kernel).sectors("st") * WARP / (s.K * s.H * s.W), test.params["limit"]
    return "" if value <= limit else (
        f"{value:.2f} sectors are stored by {kernel.name} for each 32 results, 32 neighbouring doubles need {limit}: let "
        f"threadIdx.x run along x{at(worst_line(kernel, 'global', ['st']))}")


def direct_sectors(s: Shape) -> int:
    """Sectors that the direct kernel loads: per warp of 32 neighbouring x, for I0 and for the one filter value."""
    total = 0
    pitch = s.W + 2 * s.P
    for y in range(s.H + 2 * s.P):
        rows = sum(0 <= y - j < s.H for j in range(s.FH))  # output rows that read this one
        for first in range(0, s.W, WARP):
            lanes = min(WARP, s.W - first)
            for i in range(s.FW):
                begin = (y * pitch + first + i) * ELEMENT
                touched = (begin + lanes * ELEMENT - 1) // SECTOR - begin // SECTOR + 1
                total += rows * (touched + 1)
    return total * s.C * s.K


def tiled(test: Test, run: Run, metrics: Metrics, kernel: Kernel) -> str:
    loaded, direct = traffic(kernel).sectors("ld"), direct_sectors(shape_of(run.case))
    limit = test.params["limit"] * direct
    return tiles(test, run, metrics, kernel) or ("" if loaded <= limit else (
        f"{kernel.name} loads {loaded:.0f} sectors from global memory, the kernel without tiles {direct}: with a tile in "
        f"shared memory at most {limit:.0f} are left; each input element is loaded once per block, not once per use"
        + at(worst_line(kernel, "global", ["ld"], most=True))))


def conflicts(test: Test, run: Run, metrics: Metrics, kernel: Kernel) -> str:
    value = traffic(kernel).conflicts()
    return tiles(test, run, metrics, kernel) or ("" if value == 0 else (
        f"{value:.0f} bank conflicts in {kernel.name}, 0 are possible: 32 threads that read 32 neighbouring doubles of "
        f"a tile do not disturb each other{at(worst_line(kernel, 'shared'))}"))


def calls(test: Test, run: Run, metrics: Metrics, kernel: Kernel) -> str:
    forwards = metrics.calls(FORWARD)
    if not forwards:
        return NO_CALL
    failed = next((call for call in metrics.api if call.failed), None)
    if failed is not None:
        return f"{failed.name} failed with {failed.result} and the program went on"
    if len(metrics.kernels) % len(forwards) or len(forwards) < 2:
        return f"expected one {FORWARD} to warm up and one that is timed, got {len(forwards)}"
    return in_vain(metrics, shape_of(run.case))


def in_vain(metrics: Metrics, s: Shape) -> str:
    """Whether kernels of the student's own do so much that the library's result may be thrown away. They may pad or turn."""
    made, needed = sum(one.thread_instructions for one in metrics.kernels if not one.library), products(s)
    return "" if made < needed else (
        f"kernels of your own execute {made} instructions beside cuDNN's, as many as the {needed} products of the convolution: this "
        f"exercise is about {FORWARD}, whose result is O")


def _truth_us(metrics: Metrics, only: int) -> float:
    """Of the launch that counts; a convolution by cuDNN, which must have been called, may be several kernels."""
    last = len(metrics.kernels) // len(metrics.calls(FORWARD)) if only == 3 else 1
    return sum(kernel.duration_us for kernel in metrics.kernels[-last:])


def time(test: Test, run: Run, metrics: Metrics, kernel: Kernel) -> str:
    match = LINE.match(run.stdout.strip())
    if match is None:
        return "no line `checksum,ms` in its output"
    if test.params["only"] == 3 and not metrics.calls(FORWARD):
        return NO_CALL
    if test.params["only"] == 3 and (detail := in_vain(metrics, shape_of(run.case))):
        return detail
    printed, truth = float(match.group(2)) * 1e3, _truth_us(metrics, test.params["only"])
    if abs(printed - truth) <= RELATIVE * truth + ABSOLUTE_US:
        return ""
    hint = ("wait for the kernel before you stop the clock" if printed < truth else
            "only the launch that counts belongs between the timers: no set-up, no search for an algorithm, no copies")
    return f"it prints {printed / 1e3:.3f} ms, the simulator measured {truth / 1e3:.3f} ms: {hint}"
