"""B-Q4: the tables, charts and reasons of answers.toml."""
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hpml_autograder.lab import (Case, Context, Outcome, Run, Test, Verdict, accepted, known_gpus, read_table, trouble,
                                 wrong)
from lab3_correct import counted_case
from lab3_data import parse_args

SCHEMA = "hpml.lab3.answers/v1"
KS = (1, 5, 10, 50, 100)
SHAPES = {"1x1": "1 1", "1x256": "1 256", "Nx256": "0 256"}
TOLERANCE = 0.02
LAUNCH_MS = 0.02  # a program measures from before its launch until after it has waited
FOLLOWS = 0.35    # of an entry that is not run again: from the times for less work, which do not grow quite in proportion
OTHER_COMPILER_TOLERANCE = 0.25  # nvcc and clang unroll the loop differently
REASONS = {"one_thread": ("bandwidth", "copies", "divergence", "latency"),  # in the order of the alphabet, which tells nothing
           "managed_cold": ("bank_conflicts", "launch_overhead", "occupancy", "page_faults"),
           "gpu_total": ("clock_rate", "copies", "divergence", "register_spills")}


@dataclass(frozen=True)
class Answers:
    table: dict[str, Any]
    problem: str = ""

    @property
    def gpu(self) -> str:
        return str(self.table.get("gpu", ""))

    def series(self, table: str, shape: str) -> list[float] | None:
        """Five positive numbers, one per K, or None."""
        part = self.table.get(table)
        values = part.get(shape) if isinstance(part, dict) else None
        if not isinstance(values, list) or len(values) != len(KS):
            return None
        good = all(isinstance(v, (int, float)) and not isinstance(v, bool) and 0 < v < 1e9 for v in values)
        return [float(v) for v in values] if good else None


def read(src: Path) -> Answers:
    table = read_table(src, SCHEMA)
    return Answers({}, table) if isinstance(table, str) else Answers(table)


def plan_table(test: Test, context: Context) -> list[Case]:
    """The program runs on the GPU the table was measured on, whatever GPU the rest is graded on."""
    answers = read(context.src)
    if answers.gpu not in known_gpus():
        return []
    return [counted_case(context, test.params["program"], shape, answers.gpu) for shape in _shapes(test, context)]


def _shapes(test: Test, context: Context) -> list[str]:
    """The launch shapes of the test, and one drawn from the course key, which the student cannot prepare for."""
    if context.full:
        return [f"{shape} {k}" for shape in SHAPES.values() for k in KS]
    drawn = test.params["one_of"]
    return [*test.shapes, drawn[context.course_seed(test) % len(drawn)]]


def measured_ms(run: Run) -> float | None:
    """By the simulator, of the launch that the table is about: with managed memory the first one, which moves the data."""
    if run.metrics is None or not run.metrics.kernels:
        return None
    return run.metrics.kernels[0 if run.case.program == "vecaddgpu01" else -1].duration_us / 1000


def states(stated: float, measured: float, tolerance: float) -> bool:
    return (1 - tolerance) * measured <= stated <= (1 + tolerance) * measured + LAUNCH_MS


def out_of_line(stated: Sequence[float], work: Sequence[float], played: Mapping[int, float]) -> int | None:
    """The first entry that cannot come of the program whose times for some of the work were measured."""
    known = max(played, key=lambda index: work[index])
    for index, value in enumerate(stated):
        expected = played[known] * work[index] / work[known]
        if index not in played and not states(value, expected, FOLLOWS):
            return index
    return None


def judge_table(test: Test, context: Context, runs: Sequence[Run]) -> Outcome:
    answers = read(context.src)
    name = test.params["table"]
    checked = f"[{name}] against {len(runs)} runs"
    if answers.problem:
        return wrong(answers.problem, checked)
    if answers.gpu not in known_gpus():
        return wrong(f"answers.toml: gpu = \"{answers.gpu}\" is not one of {', '.join(known_gpus())}", checked)
    if context.target != "sim":
        return Outcome(Verdict.INC, "the table holds simulated times; grade it on the simulator", checked)
    same = answers.table.get("compiler") == context.cuda
    tolerance = TOLERANCE if same else OTHER_COMPILER_TOLERANCE
    for run in runs:
        problem = trouble(run, context.spec.limits.wall_s)
        if problem:
            return problem
        sentence = _entry_problem(answers, name, run, tolerance)
        if sentence:
            return wrong(sentence, checked)
    sentence = next((words for shape in SHAPES if (words := _line_problem(answers, name, shape, runs))), "")
    return wrong(sentence, checked) if sentence else accepted(checked)


def _line_problem(answers: Answers, name: str, shape: str, runs: Sequence[Run]) -> str:
    played = {KS.index(parse_args(run.case.args, gpu=True).k): measured for run in runs
              if run.case.args.startswith(SHAPES[shape] + " ") and (measured := measured_ms(run)) is not None}
    series = answers.series(name, shape) or []
    at = out_of_line(series, KS, played) if played else None
    return "" if at is None else (
        f"answers.toml: [{name}] \"{shape}\" at K = {KS[at]} says {series[at]:g} ms; that does not follow from what your "
        f"program takes for K = {', '.join(str(KS[index]) for index in played)} (allowed: {FOLLOWS:.0%})")


def _entry_problem(answers: Answers, name: str, run: Run, tolerance: float) -> str:
    shape = next(label for label, words in SHAPES.items() if run.case.args.startswith(words + " "))
    k = parse_args(run.case.args, gpu=True).k
    series = answers.series(name, shape)
    if series is None:
        return f"answers.toml: [{name}] \"{shape}\" must hold {len(KS)} times in milliseconds, for K = {KS}"
    measured = measured_ms(run)
    stated = series[KS.index(k)]
    if measured is None or not states(stated, measured, tolerance):
        return (f"answers.toml: [{name}] \"{shape}\" at K = {k} says {stated:g} ms, `{run.case}` on {run.case.gpu} "
                f"takes {measured} ms (allowed: {tolerance:.0%}, and 20 us for the launch)")
    return ""


def judge_table_cpu(test: Test, context: Context, runs: Sequence[Run]) -> Outcome:
    """CPU times are those of the student's machine: complete and growing is all that can be asked."""
    answers = read(context.src)
    series = answers.series("cpu", "1 core")
    checked = "[cpu] complete and growing"
    if answers.problem or series is None:
        return wrong(answers.problem or "answers.toml: [cpu] \"1 core\" must hold five times in milliseconds", checked)
    if series[-1] < 10 * series[0]:
        return wrong(f"answers.toml: [cpu] K = 100 takes {series[-1]:g} ms, less than 10 times K = 1 "
                     f"({series[0]:g} ms)", checked)
    return accepted(checked)


def judge_charts(test: Test, context: Context, runs: Sequence[Run]) -> Outcome:
    """A chart is a function of its table: eight complete series (CPU in both) give the two charts."""
    answers = read(context.src)
    checked = "4 series in each of 2 charts"
    if answers.problem:
        return wrong(answers.problem, checked)
    wanted = [("cpu", "1 core")] + [(table, shape) for table in ("explicit", "managed") for shape in SHAPES]
    for table, shape in wanted:
        series = answers.series(table, shape)
        if series is None:
            return wrong(f"answers.toml: [{table}] \"{shape}\" is not complete, so its line cannot be drawn", checked)
        if table != "cpu" and any(late < early for early, late in zip(series, series[1:])):
            return wrong(f"answers.toml: [{table}] \"{shape}\" falls although K grows: {series}", checked)
    return accepted(checked)


def judge_reasons(test: Test, context: Context, runs: Sequence[Run]) -> Outcome:
    answers = read(context.src)
    checked = f"{len(REASONS)} reasons"
    given = answers.table.get("reasons", {})
    if answers.problem or not isinstance(given, dict):
        return wrong(answers.problem or "answers.toml: [reasons] is missing", checked)
    wrong_ones = [key for key in REASONS if given.get(key) != test.params[key]]
    if not wrong_ones:
        return accepted(checked)
    detail = f"answers.toml: [reasons] not right: {', '.join(f'{key} = {given.get(key)!r}' for key in wrong_ones)}"
    return Outcome(Verdict.PA, detail, checked, fraction=1 - len(wrong_ones) / len(REASONS))
