"""A program that does not end is not waited for again and again: a class has to be graded in an evening."""
import time
from pathlib import Path

import pytest
from hpml_autograder import labspec
from hpml_autograder.backends import Backends, Setup
from hpml_autograder.build import Built
from hpml_autograder.case import Case, Run
from hpml_autograder.check import trouble
from hpml_autograder.paths import find_lab, known_labs
from hpml_autograder.runner import Runner
from hpml_autograder.verdict import Verdict

SPEC = labspec.load(find_lab("lab3").lab / "lab.toml")
PROGRAMS = ("vecaddcpu", "convolution")


class Timed(Runner):
    """Its cases end, or do not, as their names say; and each takes a while."""

    def _run(self, case: Case) -> Run:
        with_others = len(self.asked) % 3
        self.asked.append(case.args)
        time.sleep(0.002 * with_others)
        return Run(case, "timeout" if case.args.startswith("endless") else "exit")


def states(cases: list[Case], jobs: int, exercise: dict[Case, str] | None = None) -> tuple[list[str], list[str]]:
    built = {name: Built(name, Path("/bin/true")) for name in ("lab1_worker", *PROGRAMS)}
    runner = Timed(Backends(SPEC, Setup(gpu="t4")), built, Path("/tmp"), jobs=jobs)
    runner.asked, runner.exercise = [], {runner.resolve(case): name for case, name in (exercise or {}).items()}
    runs = runner.run_all(cases)
    return ["spared" if runs[case].problem else runs[case].state for case in map(runner.resolve, cases)], runner.asked


def cases_of(names: str, program: str = "vecaddcpu") -> list[Case]:
    return [Case(program, f"{name}{at}") for at, name in enumerate(names.split())]


@pytest.mark.parametrize("jobs", [1, 2, 5])
def test_after_three_that_do_not_end_the_rest_is_not_asked_whatever_runs_beside(jobs):
    found, asked = states(cases_of("endless fine endless fine endless fine endless fine"), jobs)
    assert found == ["timeout", "exit", "timeout", "exit", "timeout", "spared", "spared", "spared"]
    assert jobs > 1 or len(asked) == 5


def test_other_programs_are_asked():
    found, _ = states([*cases_of("endless endless endless fine"), *cases_of("fine fine", "convolution")], 2)
    assert found == ["timeout", "timeout", "timeout", "spared", "exit", "exit"]


def test_other_exercises_of_the_same_program_are_asked():
    cases = cases_of("endless endless endless fine fine endless")
    found, _ = states(cases, 2, dict(zip(cases, ["C1"] * 4 + ["C2"] * 2)))
    assert found == ["timeout", "timeout", "timeout", "spared", "exit", "timeout"]


def test_of_a_harness_that_is_told_whom_to_ask_each_is_one_of_them():
    one, other = (Case("lab1_worker", f"endless{at} {{{name}}}") for at, name in enumerate(PROGRAMS))
    found, _ = states([one, *(Case("lab1_worker", f"endless{at} {{vecaddcpu}}") for at in (2, 3, 4)), other], 1)
    assert found == ["timeout", "timeout", "timeout", "spared", "timeout"]


def test_it_loses_the_points_and_is_told_why():
    case, = cases_of("fine")
    _, asked = states([case], 1)
    assert asked == ["fine0"]
    from hpml_autograder.runner import _not_asked
    found = trouble(_not_asked(case), 10)
    assert found.verdict is Verdict.TO and "was not run, since 3 other runs of this exercise did not end" in found.detail


@pytest.mark.parametrize("lab", known_labs())
def test_a_hand_in_where_nothing_ends_has_time_to_be_graded(lab):
    from hpml_class.batch.local import longest_s
    from hpml_class.batch.plan import SCHEMA, Plan
    spec = labspec.load(find_lab(lab).lab / "lab.toml")
    own = [program for program in spec.program if program.sources]
    runs = {(test.exercise, program.name) for test in spec.test for program in own if program.name in test.params.values()}
    assert longest_s(Plan(SCHEMA, lab, ())) > len(own) * spec.build.timeout_s + len(runs) * 3 * spec.limits.wall_s
