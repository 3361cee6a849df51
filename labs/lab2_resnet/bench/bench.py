"""`make lab2 bench` and `profile`: tables and charts of your own programs; `reference`: the simulated kernels' times."""
from collections.abc import Callable, Sequence
from dataclasses import replace

from hpml_autograder.lab import (
    Graded, Request, canonical, columns, prepare, results_dir, write_atomically)

Progress = Callable[[str], None]


def bench(request: Request, check: bool, progress: Progress) -> int:
    import lab2_page as page
    import lab2_sections as sections
    from lab2_runs import LONGEST_S, NotYet, measure_roof
    prepared = prepare(request, progress)
    prepared.runner.wall_s = LONGEST_S
    out = results_dir() / "lab2"
    out.mkdir(parents=True, exist_ok=True)
    progress("this core's peak and bandwidth")
    place = sections.Place(prepared.runner, measure_roof(), out, progress)
    done: list[sections.Section] = []
    for make in sections.ALL:
        try:
            done.append(make(place))
        except NotYet as reason:
            print(f"{make.__name__}: left out, {reason}\n")
            continue
        for rows in done[-1].tables:
            print("\n".join([done[-1].title, "", *columns(rows, frozenset(range(1, len(rows[0])))), ""]))
    html = out / "lab2.html"
    write_atomically(html, page.page("Lab 2: ResNet, measured and predicted", place.facts(), [
        page.section(one.title, one.words, [*one.charts, *one.tables]) for one in done]))
    figures = out / "lab2_bench.json"
    write_atomically(figures, canonical({"schema": "hpml.lab2.bench/v1", "facts": place.facts(),
                                         "tables": {one.title: [list(map(list, rows)) for rows in one.tables] for one in done}}))
    for path in (html, figures, *(chart for one in done for chart in one.charts)):
        print(f"Written: {path}")
    return 0


def profile(request: Request, check: bool, progress: Progress) -> int:
    """A few steps of the full-size network: a trace for Perfetto, and one page with the table of its layers."""
    import lab2_page as page
    import lab2_sections as sections
    from lab2_runs import LONGEST_S, NotYet, measure_roof, trace_of
    prepared = prepare(request, progress)
    prepared.runner.wall_s = LONGEST_S
    out = results_dir()
    place = sections.Place(prepared.runner, measure_roof(), out, progress)
    trace = out / "lab2_profile.trace.json"
    try:
        write_atomically(trace, trace_of(prepared.runner))
        found = sections.full_size(place)
    except NotYet as reason:
        print(f"Nothing to profile yet: {reason}")
        return 1
    html = out / "lab2_profile.html"
    write_atomically(html, page.page("Lab 2: profile of ResNet-18", place.facts(), [
        page.section(found.title, found.words, [*found.charts, *found.tables])]))
    print("\n".join([*columns(found.tables[0], frozenset(range(2, len(found.tables[0][0])))), ""]))
    print(f"Open in a browser: {html}\nOpen at https://ui.perfetto.dev: {trace}")
    return 0


def reference(request: Request, check: bool, progress: Progress) -> int:
    """Renews reference/simulated.json; with check: only says whether it would change. An hour of one core."""
    import lab2_gpu as gpu
    from lab2_runs import run
    runner = prepare(replace(request, solution=True), progress).runner
    plans = {batch: run(runner, f"compare plan {gpu.NETWORK} {batch}").stdout for batch in gpu.BATCHES}
    out = results_dir() / "lab2_simulated"
    out.mkdir(parents=True, exist_ok=True)
    program = gpu.build(out, request.cuda)
    found: dict[str, dict[int, gpu.Simulated]] = {}
    for name in gpu.GPUS:
        for batch, plan in plans.items():
            progress(f"{gpu.NETWORK}, batch {batch}, on the simulated {name}")
            found.setdefault(name, {})[batch] = gpu.simulate(program, plan, name, out)
    old = gpu.REFERENCE.read_text(encoding="utf-8") if gpu.REFERENCE.is_file() else ""
    changed = gpu.text(found) != old
    if changed and not check:
        write_atomically(gpu.REFERENCE, gpu.text(found))
    print(("differs" if check else "written") + f": {gpu.REFERENCE.name}" if changed else "unchanged")
    return 1 if check and changed else 0


def timing_rows(graded: Graded) -> list[Sequence[str]]:
    return []
