"""`make lab4 bench`, `profile` and `namespaces`."""
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from hpml_autograder.lab import Request, columns, prepare, results_dir, write_atomically

Progress = Callable[[str], None]
LONGEST_S = 600  # of one run of a series


def shown(rows: Iterable[Sequence[Any]]) -> list[tuple[str, ...]]:
    """Rows for the terminal; the CSV files hold all digits."""
    return [tuple(f"{one:.5g}" if isinstance(one, float) else str(one) for one in row) for row in rows]


def bench(request: Request, check: bool, progress: Progress) -> int:
    """Every series as a CSV file and a chart with the lines that theory predicts."""
    import lab4_charts as charts  # matplotlib takes a second to load; `test` does not need it
    import lab4_series as series
    prepared = prepare(request, progress)
    prepared.runner.wall_s = LONGEST_S
    out = results_dir() / "lab4"
    out.mkdir(parents=True, exist_ok=True)
    written = []
    for one in series.ALL:
        progress(f"{one.name}: {one.title}")
        rows = one.measure(prepared.runner)
        if len(rows) < 2:
            print(f"{one.name}: left out, its programs do not run yet")
            continue
        path = out / f"{one.name}.csv"
        write_atomically(path, "".join(",".join(map(str, row)) + "\n" for row in rows))
        written += [path, *charts.draw(one.name, path, out)]
        if one.printed:
            print("\n".join([one.title, *columns(shown(rows)), ""]))
    for path in written:
        print(f"Written: {path}")
    return 0


def profile(request: Request, check: bool, progress: Progress) -> int:
    """Who sent what to whom, who waited for whom, and the critical path: a page for the browser and a trace for Perfetto."""
    import lab4_profile as profiles
    import lab4_timeline as timelines
    prepared = prepare(request, progress)
    cases = {name: prepared.runner.resolve(case) for name, case in profiles.cases().items()}
    able = {name: case for name, case in cases.items() if prepared.runner.can_run(case)}
    progress(f"running {len(able)} all-reduces of {profiles.RANKS} ranks behind the relay")
    runs = prepared.runner.run_all(able.values())
    found = {name: timelines.timeline(runs[case]) for name, case in able.items()}
    out = results_dir()
    page, trace = out / "lab4_profile.html", out / "lab4_profile.trace.json"
    write_atomically(page, profiles.page(found))
    write_atomically(trace, profiles.perfetto(found))
    print("\n".join(profiles.summary(found)))
    print(f"Open in a browser: {page}\nOpen at https://ui.perfetto.dev: {trace}")
    return 0


def namespaces(request: Request, check: bool, progress: Progress) -> int:
    """Real time over shaped links beside theory; no points. Left out with a sentence where the machine does not allow it."""
    import lab4_charts as charts
    import lab4_namespaces as shaped
    if reason := shaped.why_not():
        print(f"left out: {reason}")
        return 0
    prepared = prepare(request, progress)
    rows = shaped.measure(prepared.runner, prepared.context.src, progress)
    if len(rows) < 2:
        print("left out: no algorithm runs yet; see `make lab4 test`")
        return 0
    out = results_dir() / "lab4"
    out.mkdir(parents=True, exist_ok=True)
    path = out / "namespaces.csv"
    write_atomically(path, "".join(",".join(map(str, row)) + "\n" for row in rows))
    print("\n".join([*columns(shown(rows)), shaped.HOW_TO_READ]))
    for one in (path, *charts.draw("namespaces", path, out)):
        print(f"Written: {one}")
    return 0
