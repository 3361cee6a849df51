"""`make lab1 bench`: table, roofline and ladder of this machine, and the measured part of answers.toml."""
from collections.abc import Callable, Sequence

from hpml_autograder.lab import (
    Graded, Request, UsageError, blas_report, canonical, columns, prepare, results_dir, write_atomically)

Progress = Callable[[str], None]


def bench(request: Request, check: bool, progress: Progress) -> int:
    import lab1_charts as charts  # matplotlib takes a second to load; `test` does not need it
    import lab1_more_charts as more_charts
    import lab1_page as page
    import lab1_scaling as scaling
    import lab1_series as series
    prepared = prepare(request, progress)
    context, runner = prepared.context, prepared.runner
    points = series.measure_programs(runner, request.full, progress)
    products = series.measure_products(runner, progress)
    progress("X3 and X4: a program on more threads, a profiler that samples")
    scaled, samples = scaling.measure_scaling(), scaling.measure_samples()
    progress("measuring the machine's roof")
    measured = series.measure_roof(request.full)
    roof, rows, out = series.roof_of(measured), series.table_rows(points), results_dir()
    write_atomically(out / "lab1_bench.json", canonical(
        series.to_json(points, products, measured, context.spec.build)))
    write_atomically(out / "lab1_answers.toml", series.answers_toml(points))
    more = series.product_rows(products)
    says = [*facts(roof, measured), series.ratios(points)]
    drawn = [*more_charts.draw_sums(out), *more_charts.draw_scaling(scaled, out),
             *more_charts.draw_samples(samples, out)]
    written = [out / "lab1_bench.json", *charts.draw_roofline(points, products, roof, out), *charts.draw_ladder(roof, out),
               page.write(out / "lab1.html", (rows, more), (points, products), roof, says,
                        [path for path in drawn if path.suffix == ".svg"]), *drawn]
    for table in (rows, more):
        print("\n".join([*columns(table, frozenset(range(1, len(table[0])))), ""] if table else []))
    print(f"For X3, measured here: fits.py amdahl {scaled.words()}\n")
    print("\n".join(says) + "\n\nFor answers.toml (the fractions are yours to compute):\n\n" + series.answers_toml(points))
    for path in written:
        print(f"Written: {path}")
    return 0


def facts(roof, measured: dict) -> list[str]:
    host, blas = measured["host"], blas_report()
    ghz = next(entry["value"] for entry in measured["calibration"] if entry["name"] == "clock_ghz")
    loose = sum("inconclusive" in case["verdict"] for case in measured["cases"])
    lines = [f"{host['processor']}: {ghz:.2f} GHz measured, {host['processors_usable']:g} processors usable, load "
             f"{host['load_average']}",
             f"one thread: {roof.peak:.4g} GFLOP/s (FP32), {roof.memory:.4g} GB/s from memory, {roof.cache:.4g} GB/s "
             "from the nearest cache",
             f"BLAS: OpenBLAS for {blas['corename'] or 'no core it names'}; {blas['says'] or 'it fits the processor'}; 1 thread"]
    if loose:
        lines.append(f"{loose} of {len(measured['cases'])} series are inconclusive: the machine is busy, run it again")
    return lines


def profile(request: Request, check: bool, progress: Progress) -> int:
    raise UsageError("lab1 runs on the processor: there are no simulated counters; `make lab1 bench` measures")


def reference(request: Request, check: bool, progress: Progress) -> int:
    raise UsageError("lab1 has no reference times: its ratios are measured against the reference in the same run")


def timing_rows(graded: Graded) -> list[Sequence[str]]:
    return []
