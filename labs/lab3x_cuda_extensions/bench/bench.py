"""`make lab3x bench` and `profile`: counters and times of every exercise. There are no reference timings."""
from collections.abc import Callable, Sequence

from hpml_autograder.lab import Graded, Request, UsageError, columns, prepare
from lab3x_judge import QUANTITIES, Case

Progress = Callable[[str], None]


def bench(request: Request, check: bool, progress: Progress) -> int:
    """The target counter of each exercise, and its simulated time."""
    prepared = prepare(request, progress)
    context, runner = prepared.context, prepared.runner
    tests = [test for test in context.spec.test if test.generator == "target"]
    cases = {test.id: Case(test.params["program"], test.shapes[0], dump=True) for test in tests}
    able = {name: case for name, case in cases.items() if runner.can_run(case)}
    runs = runner.run_all(able.values())
    rows: list[Sequence[str]] = [("exercise", "counter", "value", "kernels, us")]
    for test in tests:
        metrics = runs[runner.resolve(able[test.id])].metrics if test.id in able else None
        if metrics is not None and metrics.kernels:
            value, name, _, _ = QUANTITIES[test.params["quantity"]]
            rows.append((test.exercise, name, f"{value(metrics, able[test.id]):.4g}",
                         f"{sum(kernel.duration_us for kernel in metrics.kernels):.1f}"))
    print("\n".join(columns(rows, frozenset({2, 3}))))
    return 0


profile = bench


def reference(request: Request, check: bool, progress: Progress) -> int:
    raise UsageError("lab3x has no reference timings: its targets are counters")


def timing_rows(graded: Graded) -> list[Sequence[str]]:
    return []
