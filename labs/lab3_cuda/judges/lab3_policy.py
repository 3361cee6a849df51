"""How was it done? Judged on the simulator's record of launches, copies, calls and faults, not on the program's word."""
from collections.abc import Callable, Sequence

from hpml_autograder.lab import (WARP, Case, Context, Kernel, Metrics, Outcome, Run, Test, Verdict, accepted, traffic, trouble,
                                 worst_line, wrong)
from lab3_correct import counted_case, wrong_sum
from lab3_data import parse_args
from lab3_measure import at
from lab3_output import time_ms

FLOAT = 4  # bytes
FAULTS = "gpusim__fault_groups.sum"
UM_BLOCK_BYTES = 2 << 20        # unified memory moves at most whole 2 MiB blocks
RELATIVE, ABSOLUTE_US = 0.10, 20.0  # printed against simulated time


def plan(test: Test, context: Context) -> list[Case]:
    return [counted_case(context, test.params["program"], shape) for shape in test.shapes]


def each_run(detail: Callable[[Test, Context, Run, Metrics], str], checked: str, figures: bool = False):
    """A judge that asks `detail` about every run; an empty sentence is a pass. figures: they count, so the result must be
    right, too."""
    def judge(test: Test, context: Context, runs: Sequence[Run]) -> Outcome:
        for run in runs:
            problem = trouble(run, context.spec.limits.wall_s)
            if problem:
                return problem
            if run.metrics is None:
                return Outcome(Verdict.INC, "needs the simulator's counters, which a real GPU does not have", checked)
            mistake = wrong_sum(run, context) if figures and run.case.dump else ""
            sentence = mistake or detail(test, context, run, run.metrics)
            if sentence:
                return wrong(f"`{run.case}`: {sentence}", checked)
        return accepted(checked)
    return judge


def launch(test: Test, context: Context, run: Run, metrics: Metrics) -> str:
    size = parse_args(run.case.args, gpu=True)
    wanted = ((size.grid, 1, 1), (size.block, 1, 1))
    needed = test.params["launches"]
    if len(metrics.kernels) < needed:
        return f"expected at least {needed} kernel launch(es), got {len(metrics.kernels)}"
    for kernel in metrics.kernels:
        if (kernel.grid, kernel.block) != wanted:
            return (f"expected {size.grid} blocks of {size.block} threads, got {_shape(kernel)} in the launch of "
                    f"{kernel.name}")
    return ""


def _shape(kernel: Kernel) -> str:
    grid, block = (" x ".join(str(v) for v in (t if t[1:] != (1, 1) else t[:1])) for t in (kernel.grid, kernel.block))
    return f"{grid} blocks of {block} threads"


def sectors(test: Test, context: Context, run: Run, metrics: Metrics) -> str:
    limit, n = test.params["limit"], parse_args(run.case.args, gpu=True).n
    for kernel in metrics.kernels:
        for what, op, elements in (("loads", "ld", 2 * n), ("stores", "st", n)):
            value = traffic(kernel).sectors(op) * WARP / elements
            if value > limit:
                return (f"{what} of {kernel.name} touch {value:.2f} sectors of 32 bytes per 32 elements, at most {limit} "
                        "are allowed: neighbouring threads must touch neighbouring elements"
                        + at(worst_line(kernel, "global", [op])))
    return _unmoved(metrics.kernels[-1], n)


def _unmoved(kernel: Kernel, n: int) -> str:
    return traffic(kernel).unmoved(2 * FLOAT * n, FLOAT * n)


def _errors(metrics: Metrics) -> str:
    for call in metrics.api:
        if call.failed:
            return f"{call.name} failed with {call.result} and the program went on"
    if metrics.leaks:
        return f"{len(metrics.leaks)} of its GPU allocations are never freed by cudaFree ({sum(metrics.leaks)} bytes)"
    return ""


def explicit(test: Test, context: Context, run: Run, metrics: Metrics) -> str:
    if metrics.calls("cudaMallocManaged"):
        return "it calls cudaMallocManaged; this exercise is about cudaMalloc and cudaMemcpy"
    counts = {kind: sum(copy.kind == kind for copy in metrics.copies) for kind in ("HtoD", "DtoH")}
    if not metrics.calls("cudaMalloc"):
        return "expected cudaMalloc, got no call of it"
    if counts["HtoD"] not in (2, 3):
        return f"expected 2 copies to the GPU (x and y; a third, z, is allowed), got {counts['HtoD']}"
    if counts["DtoH"] != 1:
        return f"expected 1 copy back from the GPU (z), got {counts['DtoH']}"
    return _errors(metrics)


def managed(test: Test, context: Context, run: Run, metrics: Metrics) -> str:
    if not metrics.calls("cudaMallocManaged"):
        return "expected cudaMallocManaged, got no call of it"
    if metrics.calls("cudaMalloc"):
        return "it calls cudaMalloc; with unified memory one pointer serves CPU and GPU"
    copies = [call.name for call in metrics.api if call.name.startswith("cudaMemcpy")]
    if copies:
        return (f"expected no cudaMemcpy, got {len(copies)} call(s) of {copies[0]}: unified memory moves the pages "
                "by itself")
    return _errors(metrics)


def faults(test: Test, context: Context, run: Run, metrics: Metrics) -> str:
    size = parse_args(run.case.args, gpu=True)
    if len(metrics.kernels) < 2:
        return f"expected a cold and a warm launch, got {len(metrics.kernels)} launch(es)"
    cold, warm = (kernel.metric(FAULTS) for kernel in (metrics.kernels[0], metrics.kernels[-1]))
    if not metrics.unified["demand_paging"]:  # before Pascal a GPU cannot fault: everything moves at launch
        if cold or warm:
            return f"expected no GPU page faults on {metrics.gpu}, got {cold:.0f} and {warm:.0f}"
    elif cold <= 0:
        return ("expected page faults in the first launch (pages still on the CPU side), got 0: the data was moved "
                "before")
    if warm:
        return f"expected no page faults in the second launch, got {warm:.0f}: something took the pages back"
    moved = metrics.unified["host_to_device_bytes"]
    low, high = 8 * size.n, 12 * size.n + 3 * UM_BLOCK_BYTES
    if not low <= moved <= high:
        return f"expected {low} to {high} bytes moved to the GPU, got {moved}"
    return ""


def time(test: Test, context: Context, run: Run, metrics: Metrics) -> str:
    if not metrics.kernels:
        return "expected a kernel launch, got none"
    if metrics.api and metrics.api[0].name in ("cudaMalloc", "cudaMallocManaged"):
        return (f"the first CUDA call is {metrics.api[0].name}, so its time contains setting up the GPU: call "
                "cudaFree(0) before the first timer")
    pairs = [("Execution Time", metrics.kernels[-1])]
    if run.case.program == "vecaddgpu01":
        pairs = [("Execution Time", metrics.kernels[0]), ("Execution Time (warm)", metrics.kernels[-1])]
    size = parse_args(run.case.args, gpu=True)
    least = min(size.n, size.grid * size.block)  # whether a thread takes all of its elements is for other tests
    for label, kernel in pairs:
        additions = kernel.executed("fadd", "ffma")
        if additions < least:
            return f"the launch that is timed makes {additions:.0f} additions, {least} are needed at least"
        sentence = _unmoved(kernel, least) or _time_lie(run, label, kernel.duration_us)
        if sentence:
            return sentence
    spent = sum(call.duration_us for call in metrics.api if call.name in ("cudaMalloc", "cudaMallocManaged"))
    label = "Unified Memory Allocation Time" if run.case.program == "vecaddgpu01" else "GPU Memory Allocation Time"
    return _time_lie(run, label, spent)


def _time_lie(run: Run, label: str, truth_us: float) -> str:
    printed = time_ms(run.stdout, label)
    if printed is None:
        return f"no line '{label} : 0.123456 millisec' in its output"
    if abs(printed * 1000 - truth_us) <= RELATIVE * truth_us + ABSOLUTE_US:
        return ""
    hint = ""
    if printed * 1000 < truth_us and label.startswith("Execution"):
        hint = ": stop the clock only after cudaDeviceSynchronize, and time the launch the label names"
    return f"it prints {label} {printed:.6f} ms, the simulator measured {truth_us / 1000:.6f} ms{hint}"
