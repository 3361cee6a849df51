"""The seam between grader and lab: judges/checks.py of a lab maps each generator of lab.toml to a plan and a judge."""
import importlib.util
import random
import re
import signal
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from types import ModuleType
from typing import Any

from . import seeds
from .answers import read_answers
from .build import Built
from .case import Case, Run
from .data import Data
from .errors import InfraError, UsageError
from .findings import first_finding, is_summary
from .labspec import LabSpec, Test
from .verdict import Outcome, Verdict


# A shell, bubblewrap and gpusim report a child killed by signal s as exit code 128 + s.
PLACE = re.compile(r"\.\w+:\d+\b")  # vecadd.cu:12
CRASHES = (signal.SIGSEGV, signal.SIGABRT, signal.SIGFPE, signal.SIGBUS, signal.SIGILL)


@dataclass(frozen=True)
class Context:
    """What a judge may know besides the runs. It judges only; it starts nothing."""
    spec: LabSpec
    src: Path               # staged files, for reports such as answers.toml
    built: dict[str, Built]
    gpu: str
    cuda: str               # front end in use: nvcc or clang
    target: str
    key: bytes = seeds.PUBLIC_KEY
    full: bool = False
    stage_key: str = ""     # of everything that decides the score; empty: not kept
    scope: str = seeds.COURSE  # of seeded values: in a score of record the SHA-256 of the hand-in

    @property
    def for_record(self) -> bool:
        return self.scope != seeds.COURSE

    def seed(self, test: Test, iteration: int) -> int:
        """Of a test's values, and of shapes whose choice decides no points."""
        return seeds.seed(self.key, self.spec.id, test.id, self.scope, iteration)

    def shapes(self, test: Test, seed_at: int) -> list[str]:
        """A test's shapes. In a score of record, drawn seeds take the place of the given ones, which are word number `seed_at` of each: a
        table of results of the given data would earn its points without any program."""
        if not self.for_record:
            return list(test.shapes)
        shared, drawn = replace(test, id=test.exercise), []  # tests that look at the same runs still do
        for iteration, shape in enumerate(test.shapes):
            words = shape.split()
            words[seed_at] = str(1 + self.seed(shared, iteration) % (1 << 30))
            drawn.append(" ".join(words))
        return drawn

    def also_drawn(self, test: Test, given: Sequence[Any], drawn: Callable[[random.Random], Sequence[Any]]) -> list[Any]:
        """The given inputs of a test. In a score of record also drawn ones of the same sort, for the same reason as in shapes(). Tests of
        one exercise that draw in the same way draw the same, so they look at the same run."""
        if not self.for_record:
            return list(given)
        return [*given, *drawn(random.Random(self.seed(replace(test, id=test.exercise), 0)))]

    def course_seed(self, test: Test) -> int:
        """Of what a test chooses for a whole course: which entries of a table are measured, or a network that decides a rank in a
        leaderboard. Otherwise a student could change a comment and hand in again until the choice is a lucky one."""
        return seeds.seed(self.key, self.spec.id, test.id, seeds.COURSE, 0)

    def run_seed(self, run: str) -> int:
        """Of the data of a run by its words ("matmult01 16"): tests that look at the same run share it. A program without a
        student's file runs once for the whole course (given.py), so its data is the course's."""
        shared = self.scope == seeds.COURSE or not self.spec.find_program(run.split()[0]).sources
        return seeds.seed(self.key, self.spec.id, run, "run" if shared else f"run {self.scope}", 0)


@dataclass(frozen=True)
class Check:
    plan: Callable[[Test, Context], list[Case]]
    judge: Callable[[Test, Context, Sequence[Run]], Outcome]


def load_checks(lab: Path, spec: LabSpec) -> dict[str, Check]:
    module = _import(lab / "judges" / "checks.py", f"{spec.id}_checks")
    checks: dict[str, Check] = {"build": Check(no_runs, judge_build), "staff": Check(no_runs, judge_by_staff), **module.CHECKS}
    for test in spec.test:
        if test.generator not in checks:
            raise UsageError(f"{lab}/lab.toml: test '{test.id}': no generator '{test.generator}'; "
                             f"known: {', '.join(sorted(checks))}")
    return checks


def load_data(lab: Path, spec: LabSpec) -> Data:
    """DATA of judges/checks.py, where the lab says what its CUDA programs compute with."""
    module = _import(lab / "judges" / "checks.py", f"{spec.id}_checks")
    return getattr(module, "DATA", Data())


ACTIONS = ("bench", "profile", "train", "talk", "sweep", "namespaces")  # that a lab may have: functions of its bench/bench.py


@dataclass(frozen=True)
class Hooks:
    """What bench/bench.py of a lab offers; all of it is optional."""
    lab: str
    module: ModuleType | None

    def action(self, name: str) -> Callable[..., int]:
        """bench, profile or reference: (request, check, progress) -> exit code."""
        found = getattr(self.module, name, None)
        if found is None:
            others = [other for other in ACTIONS if hasattr(self.module, other)]
            raise UsageError(f"{self.lab} has no `{name}`; beside test, run, debug and submit-check it has {' and '.join(others) or 'nothing'}")
        return found

    def timing_rows(self, graded: Any) -> list[Sequence[str]]:
        """Rows under the graded table: your times beside the reference's."""
        found = getattr(self.module, "timing_rows", None)
        return found(graded) if found else []


def load_bench(lab: Path) -> Hooks:
    path = lab / "bench" / "bench.py"
    return Hooks(lab.name.split("_")[0], _import(path, f"{lab.name}_bench") if path.is_file() else None)


def _import(path: Path, name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, path)
    if not path.is_file() or spec is None or spec.loader is None:
        raise InfraError(f"{path} is missing")
    for folder in (path.parent.parent / "judges", path.parent.parent / "bench"):
        if str(folder) not in sys.path:
            sys.path.insert(0, str(folder))  # a lab's modules carry its name: lab3_data, lab3_policy
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def no_runs(test: Test, context: Context) -> list[Case]:
    return []


def judge_by_staff(test: Test, context: Context, runs: Sequence[Run]) -> Outcome:
    """Written answers in a student release, which holds no keys: whether each is given is all that can be said."""
    table = read_answers(context.src)
    checked = f"answers.toml: {', '.join(test.params['answers'])}"
    if isinstance(table, str):
        return Outcome(Verdict.WA, table, checked)
    empty = [name for name in test.params["answers"] if not _is_given(table.get(name))]
    if empty:
        return Outcome(Verdict.WA, f"answers.toml: no answer yet to {', '.join(empty)}", checked)
    return Outcome(Verdict.INC, "your answer is there; it is graded by staff, whose key is not in this tree", checked)


def _is_given(value: Any) -> bool:
    """0 and "" are what a starter holds."""
    if isinstance(value, (dict, list)):
        return any(map(_is_given, value.values() if isinstance(value, dict) else value))
    return bool(value)


def judge_build(test: Test, context: Context, runs: Sequence[Run]) -> Outcome:
    name = test.params["program"]
    built = context.built[name]
    if built.path is None:
        return Outcome(Verdict.CE, f"{name} does not compile: {built.first_error}", f"{name} compiles")
    return Outcome(Verdict.AC, "", f"{name} compiles")


def trouble(run: Run, limits_s: int) -> Outcome | None:
    """The outcome of a run that did not end well, or None."""
    last = _last_line(run.stderr)
    finding = first_finding(run.stderr)  # the last line says that something went wrong, the first finding says what
    said = f"; the simulator: {finding}" if finding else f"; it said: {last}" if last else ""
    if finding and PLACE.search(last) and not PLACE.search(finding):  # a checked call of the program, which knows its line
        said = f"; it said: {last}{said}"
    if run.state in ("exit", "signal") and run.problem:
        said = f"; {run.problem}"  # the back end knows what of it matters
    if run.state == "infra":
        return Outcome(Verdict.XX, f"`{run.case}`: {run.problem}")
    if run.state == "policy":
        return Outcome(Verdict.PV, f"`{run.case}`: {run.problem}")
    if run.state == "unrepeatable":
        return Outcome(Verdict.INC, f"`{run.case}`: {run.problem}")
    if run.state == "ended_early":
        return Outcome(Verdict.RE, f"`{run.case}`: {run.problem}{said}")
    if run.state == "cannot_start":
        return Outcome(Verdict.SK, run.problem or run.stderr)
    if run.state == "timeout" and run.problem:
        return Outcome(Verdict.TO, f"`{run.case}`: {run.problem}")
    if run.state == "timeout":
        return Outcome(Verdict.TO, f"`{run.case}` did not end within {limits_s} s{said}")
    if run.state == "memory":
        return Outcome(Verdict.ML, f"`{run.case}` needed more memory than its limit and was stopped")
    if run.state == "output":
        return Outcome(Verdict.OL, f"`{run.case}` {run.problem or 'printed more than its limit and was stopped'}")
    if run.state == "signal":
        return Outcome(Verdict.SG, f"`{run.case}` was killed by {_signal_name(run.code)}{said}")
    if run.code - 128 in CRASHES:
        return Outcome(Verdict.SG, f"`{run.case}` was killed by {_signal_name(run.code - 128)}{said}")
    if run.code != 0:
        return Outcome(Verdict.RE, f"`{run.case}` ended with exit code {run.code}, expected 0{said}")
    return None


def unclean(run: Run, limits_s: int) -> Outcome | None:
    """The outcome of a run under the check tools that did not end well; None: nothing was found. A program that succeeds although
    a tool found something ends with exit code 1 and the finding on stderr."""
    problem = trouble(run, limits_s)
    if problem is None or problem.verdict is not Verdict.RE:
        return problem
    return Outcome(Verdict.WA, f"`{run.case}`: {first_finding(run.stderr) or problem.detail}", run.case.check)


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


def _last_line(text: str) -> str:
    """Of what the program itself said, where it has said something; else of the tools around it, but not the simulator's sums."""
    lines = [line.strip() for line in text.splitlines() if line.strip() and not is_summary(line)]
    own = [line for line in lines if re.search(r"\w", line) and not line.startswith("gpusim: ")]
    return (own or lines or [""])[-1][:200]
