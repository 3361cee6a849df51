"""`make lab3 bench`, `profile`, reference timings, and the timing rows under the graded table."""
import json
from collections.abc import Callable, Sequence
from dataclasses import replace

import lab3_reference as reference_file
from hpml_autograder.lab import (Graded, Request, Run, canonical, choose_front_end, columns, known_gpus, prepare,
                                 results_dir, write_atomically)

Progress = Callable[[str], None]


def bench(request: Request, check: bool, progress: Progress) -> int:
    from lab3_charts import draw  # matplotlib takes a second to load; `test` does not need it
    from lab3_series import answers_toml, gpu_cases, measure, table_rows
    prepared = prepare(request, progress)
    context, runner = prepared.context, prepared.runner
    progress(f"running {len(gpu_cases())} cases on the simulated GPU, then the CPU")
    result = measure(runner, context.cuda)
    out = results_dir()
    write_atomically(out / "lab3_partB.json", canonical(result.to_json()))
    write_atomically(out / "lab3_answers.toml", answers_toml(result))
    charts = draw(result, out)
    rows = table_rows(result)
    print("\n".join(columns(rows, frozenset(range(1, len(rows[0]))))))
    print("\nFor answers.toml:\n\n" + answers_toml(result))
    for path in (out / "lab3_partB.json", *charts):
        print(f"Written: {path}")
    return 0


def profile(request: Request, check: bool, progress: Progress) -> int:
    """The student's kernels beside the given ones: times and limiters as text, the rest as a page for the browser."""
    from lab3_profile import PAIRS, show, side, sides, text_rows, write_reports
    from lab3_profile_page import page
    prepared = prepare(request, progress)
    context, runner = prepared.context, prepared.runner
    pairs = [tuple(runner.resolve(case) for case in pair) for pair in PAIRS]
    cases = [case for case in dict.fromkeys(case for pair in pairs for case in pair) if runner.can_run(case)]
    progress(f"running {len(cases)} cases")
    runs = runner.run_all(cases)
    limit = context.spec.limits.wall_s
    compared = [(own, side(beside, runs.get(beside), limit)) for case, beside in pairs for own in sides(case, runs.get(case), limit)]
    path = results_dir() / "lab3_profile.html"
    reports = write_reports(compared, path.parent)
    write_atomically(path, page(context.gpu, compared, reference_file.read(context.gpu, context.cuda), reports, context.src))
    rows = text_rows(compared)
    print("\n".join(columns(rows, frozenset({1, 4, 5}))))
    print(f"Source lines, stalls and counters of each: {path.as_uri()}")
    show(path)
    return 0


def reference(request: Request, check: bool, progress: Progress) -> int:
    """Regenerates reference/*.json for the GPU given, or for all; with check: only says what would change."""
    front_ends = [choose_front_end(request.cuda)] if request.cuda != "auto" else ["nvcc", "clang"]
    gpus = [request.gpu] if request.gpu else known_gpus()
    changed: dict[str, None] = {}
    for front_end in front_ends:
        runner = prepare(replace(request, solution=True, cuda=front_end, gpu=gpus[0]), progress).runner
        for gpu in gpus:
            progress(f"timing the solution on {gpu} with {front_end}")
            cases = [replace(case, gpu=gpu) for case in reference_file.cases()]
            runs = runner.run_all(cases)
            times = {str(case): reference_file.kernel_ms(runs[case]) for case in cases}
            path = reference_file.FOLDER / f"{gpu}.json"
            old = json.loads(path.read_text(encoding="utf-8"))["kernel_ms"] if path.is_file() else {}
            if old.get(front_end) != times:
                changed[path.name] = None
                if not check:  # at once: it took minutes
                    write_atomically(path, reference_file.text(gpu, {**old, front_end: times}))
    print(f"{'differ' if check else 'written'}: {', '.join(changed) or 'none'}")
    return 1 if check and changed else 0


def timing_rows(graded: Graded) -> list[Sequence[str]]:
    """Yours beside the reference for every run of part B at full K that the grader has made; for A and C, see profile."""
    wanted = {case: times for case, times in reference_file.read(graded.context.gpu, graded.context.cuda).items()
              if case.startswith(reference_file.PROGRAMS)}
    rows: list[Sequence[str]] = [("run", "yours", "reference", "ratio")]
    shown: set[str] = set()
    for case, run in sorted(graded.runner.runs.items(), key=lambda item: (str(item[0]), item[0].env)):
        if run.metrics is None or case.check or case.gpu != graded.context.gpu or str(case) not in wanted:
            continue
        if str(case) in shown:  # the same shape with other data, which takes as long
            continue
        shown.add(str(case))
        rows += _rows_of(run, wanted.get(str(case), []))
    return rows if len(rows) > 1 else []


def _rows_of(run: Run, reference_ms: list[float]) -> list[Sequence[str]]:
    kernels = run.metrics.kernels if run.metrics else ()
    if run.case.program != "vecaddgpu01":  # of the others the last launch counts, what came before warms up
        kernels, reference_ms = kernels[-1:], reference_ms[-1:]
    notes = [""] if len(kernels) == 1 else [" cold", " warm"]
    rows = []
    for note, kernel, position in zip(notes, (kernels[0], kernels[-1]) if kernels else (), (0, -1)):
        yours = kernel.duration_us / 1000
        known = reference_ms[position] if reference_ms else None
        rows.append((f"{run.case}{note}", f"{yours:.4f}", f"{known:.4f}" if known else "-",
                     f"{yours / known:.2f}" if known else "-"))
    return rows
