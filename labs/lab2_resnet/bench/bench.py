"""`make lab2 bench`: the exact tables of P2, PALEO's times of P3, and the curve of workers, from your own programs."""
from collections.abc import Callable, Sequence

from hpml_autograder.lab import (
    Case, Graded, InfraError, Request, Run, Runner, UsageError, canonical, columns, prepare, results_dir, write_atomically)

Progress = Callable[[str], None]


def bench(request: Request, check: bool, progress: Progress) -> int:
    import lab2_tables as tables
    prepared = prepare(request, progress)
    runner = prepared.runner
    out = results_dir()
    progress("counting thirteen networks")
    counts = tables.counts_of(run(runner, f"costs network {' '.join(tables.NETWORKS)}").stdout)
    layers = tables.layers_of(run(runner, "costs table resnet18").stdout)
    predicted = tables.predict(lambda line: run(runner, line).stdout, counts["resnet18"], layers)
    progress("epochs of a slow storage with 0 to 16 workers")
    curve = tables.worker_curve(lambda line: run(runner, line).wall_s)
    page = [("P2: exact counts, one image, forward; 1 MAC = 2 FLOP", tables.count_rows(counts)),
            ("P2: the layers of ResNet-18", tables.layer_rows(layers)),
            ("P3: PALEO, ResNet-18, batch 128, forward, PPP 1", tables.prediction_rows(predicted)),
            ("C3: an epoch of 320 samples of 5 ms, batch 8, without training", tables.curve_rows(curve))]
    for title, rows in page:
        print("\n".join([title, "", *columns(rows, frozenset(range(1, len(rows[0])))), ""]))
    written = out / "lab2_bench.json"
    write_atomically(written, canonical({"schema": "hpml.lab2.bench/v1", "counts": counts, "predicted_ms": predicted,
                                         "workers_s": {str(workers): seconds for workers, seconds in curve.items()}}))
    paths = [written, *tables.draw(layers, curve, out)]
    for path in paths:
        print(f"Written: {path}")
    return 0


def run(runner: Runner, line: str) -> Run:
    program, args = line.split(maxsplit=1)
    case = Case(program, args, alone=program == "loader")
    done = runner.run_all([case])[runner.resolve(case)]
    if (done.state, done.code) != ("exit", 0):
        raise InfraError(f"`{case}` did not end well ({done.state} {done.code}): {done.stderr.strip()[-200:]}")
    return done


def profile(request: Request, check: bool, progress: Progress) -> int:
    raise UsageError("lab2 writes its trace itself: resnet train ... --trace FILE, opened in https://ui.perfetto.dev")


def reference(request: Request, check: bool, progress: Progress) -> int:
    raise UsageError("lab2 has no reference times: nothing in it is graded by a time of another machine")


def timing_rows(graded: Graded) -> list[Sequence[str]]:
    return []
