"""Plans the runs of each test, and judges what came of them."""
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from . import crashes, findings, score, sessions
from .bounded import TooMuch, bounded
from .case import Case, Run
from .check import Check, Context
from .errors import InfraError
from .labspec import Test
from .runner import Runner
from .verdict import Outcome, Verdict

MOST_WORDS = 2000  # of a reason: it may quote what a program has printed
MEMORY_MB, CPU_S = 384, 120  # of one judge, beyond what the grader holds; those of the labs take a third at most
_KILLED = re.compile(r"; it said: \w+: killed by signal \d+$")  # of a worker: what its verdict says already
Plans = dict[str, list[Case]]


@dataclass(frozen=True)
class Judge:
    checks: Mapping[str, Check]
    context: Context
    plans: Plans
    runner: Runner
    missing: Mapping[str, str] = field(default_factory=dict)  # files that were not handed in, and what is said of each
    found: dict[str, str] = field(default_factory=dict)  # by program: what the check tools say of its first wrong run

    def outcome(self, test: Test, before: Mapping[str, Outcome]) -> Outcome:
        """Of one test whose runs are done. A measurement that did not reach its bound may be taken again."""
        about = self.context.spec.exercise_of(test).file
        if about in self.missing:
            return Outcome(Verdict.SK, self.missing[about])
        gated = score.gate(test, before)
        if gated:
            return gated
        runs = [self.runner.runs[case] for case in self.plans[test.id] if case in self.runner.runs]
        judge = partial(_judge, self.checks[test.generator], test, self.context)
        if test.kind == "perf":
            return sessions.best(judge, runs, self.runner.take_again)
        return self._explained(test, judge(runs), runs)

    def _explained(self, test: Test, outcome: Outcome, runs: Sequence[Run]) -> Outcome:
        """A wrong result of a CUDA program, with what the simulator's check tools find in that run; a program of the
        processor that a signal ended, or that did not end, with the line where it was."""
        if outcome.verdict in (Verdict.SG, Verdict.TO) and test.visibility == "public":
            return self._located(outcome, next((run for run in runs if crashes.number_of(run)), None))
        wrong = next((run.case for run in runs if f"`{run.case}`" in outcome.detail), None)
        if wrong is None or outcome.verdict is not Verdict.WA or test.visibility != "public" or test.kind != "correct":
            return outcome
        if not self.runner.can_check(wrong):
            return outcome
        if wrong.program not in self.found:
            watched = replace(wrong, dump=False, check=findings.CHECKERS)
            self.found[wrong.program] = findings.cause_in(self.runner.run_all([watched])[self.runner.resolve(watched)].stderr)
        finding = self.found[wrong.program]
        told = not finding or finding in outcome.detail
        return outcome if told else replace(outcome, detail=f"{outcome.detail}; the simulator: {finding}")

    def _located(self, outcome: Outcome, run: Run | None) -> Outcome:
        if run is None:
            return outcome
        name = " ".join((run.case.program, *run.case.others))
        if name not in self.found:
            self.found[name] = crashes.explained(self.runner, self.context.src, run)
        said = _KILLED.sub("", outcome.detail)
        return replace(outcome, detail=f"{said}: {self.found[name]}") if self.found[name] else outcome


def plans_of(tests: Sequence[Test], checks: Mapping[str, Check], context: Context) -> Plans:
    """The cases of each test. One run serves those that ask for its result and those that only ask for its counters."""
    plans = {test.id: [case if case.gpu else replace(case, gpu=context.gpu)
                       for case in checks[test.generator].plan(test, context)] for test in tests}
    dumped = {case for plan in plans.values() for case in plan if case.dump}
    return {name: [twin if (twin := replace(case, dump=True)) in dumped else case for case in plan]
            for name, plan in plans.items()}


def parts_of(tests: Sequence[Test]) -> list[list[Test]]:
    """The tests in the groups in which the grader runs them: first those that require no other test, then those whose
    requirements are all in earlier groups. The grader judges a group before it runs the next one, and leaves out the
    programs of a test whose requirements failed."""
    depth: dict[str, int] = {}
    for test in tests:
        depth[test.id] = max((depth[name] + 1 for name in test.requires), default=0)
    return [[test for test in tests if depth[test.id] == level] for level in sorted(set(depth.values()))]


def _judge(check: Check, test: Test, context: Context, runs: Sequence[Run]) -> Outcome:
    built = context.built.get(str(test.params.get("program", "")))
    if built is not None and built.violations:
        return Outcome(Verdict.PV, built.violations[0])
    try:
        with bounded(MEMORY_MB, CPU_S):
            found = check.judge(test, context, runs)
        here = f"{context.src.parent}/"  # no fact about the hand-in, and another one the next time
        return replace(found, detail=found.detail.replace(here, "")[:MOST_WORDS])
    except InfraError as error:  # our files are not what they should be: pending, never zero
        return Outcome(Verdict.XX, str(error))
    except TooMuch as error:
        return Outcome(Verdict.WA, f"its results cannot be judged: to read them takes {error}")
    except Exception as error:  # not ready for what student code has left: this test has failed, the others go on
        return Outcome(Verdict.WA, f"its results cannot be judged ({error!r}); if you find nothing wrong with them, ask your instructor")
