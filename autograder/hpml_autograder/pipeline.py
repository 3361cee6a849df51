"""Grades one hand-in: open → collect → stage → plan → build (and gate) → run → judge → score. Each step is a module with
one type in and one out; none goes back to an earlier one."""
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from . import disk, first_wrong, sandbox, score, seeds, trust
from .assignment import Assignment, Request, grading_folder, open_assignment
from .check import Check, Context, load_checks, load_data
from .given import Given
from .graded import Graded
from .handin import HandIn, collect_hand_in
from .judging import Judge, Plans, parts_of, plans_of
from .known import Known
from .labspec import Test
from .ledger import Ledger, key_of
from .programs import Progress, build_programs
from .runner import Runner
from .staged import stage_hand_in
from .verdict import Outcome, Verdict

NOTHING = Outcome(Verdict.SK, "nothing was handed in: none of the lab's files is there")


@dataclass(frozen=True)
class Prepared:
    """A hand-in that is built, and what is to be run of it: what `test`, `bench` and `profile` share."""
    assignment: Assignment
    hand_in: HandIn
    context: Context
    checks: dict[str, Check]
    plans: Plans
    runner: Runner


def prepare(request: Request, progress: Progress, scratch: Path | None = None, known: Known | None = None) -> Prepared:
    """Opens, collects, stages, plans and builds. known: as grade()'s."""
    known = known or Known()
    assignment = open_assignment(request)
    spec, backends, setup = assignment.spec, assignment.backends, assignment.backends.setup
    if assignment.for_record:
        sandbox.require(spec.sandbox.min_level, f"a score of record of {spec.id}")
    hand_in = collect_hand_in(assignment)
    scratch = scratch or grading_folder(spec)
    disk.require_room(scratch)
    staged = stage_hand_in(assignment, hand_in, scratch)
    given = Given(backends, assignment.dirs)
    context = Context(spec, staged.place.src, {}, setup.gpu, setup.cuda, setup.target, request.key, request.full,
                      staged.key, hand_in.sha256 if request.trusted else seeds.COURSE)
    checks = load_checks(assignment.dirs.lab, spec)
    plans = plans_of(assignment.tests, checks, context)
    built = build_programs(assignment, plans, staged, hand_in.refused, given, known, progress)
    runner = Runner(backends, built, staged.place.work, request.jobs, request.wall_s, staged.ledger, staged.key, given,
                    keeps_all=request.trusted, known=known.runs, progress=progress)
    return Prepared(assignment, hand_in, replace(context, built=built), checks, plans, runner)


def grade(request: Request, progress: Progress = lambda text: None, scratch: Path | None = None,
          known: Known | None = None) -> Graded:
    """known: for grading many submissions that differ in one file."""
    prepared = prepare(request, progress, scratch, known)
    assignment, context, runner = prepared.assignment, prepared.context, prepared.runner
    spec, tests, plans = assignment.spec, assignment.tests, prepared.plans
    assignment.backends.take_data(load_data(assignment.dirs.lab, spec), request.key, context.scope)
    runner.name_exercises(tests, plans)
    outcomes: dict[str, Outcome] = {}
    judge = Judge(prepared.checks, context, plans, runner, prepared.hand_in.missing)
    for part in () if prepared.hand_in.is_empty else parts_of(tests):  # the starter's points need a hand-in
        _run(part, plans, outcomes, runner, progress)
        for test in part:
            outcomes[test.id] = judge.outcome(test, outcomes)
    outcomes = {test.id: outcomes.get(test.id, NOTHING) for test in tests}
    graded = Graded(spec, assignment.dirs, context, prepared.hand_in.files, score.pass_over_bonuses(spec, outcomes), runner,
                    trust.standing(assignment.for_record, tests, plans, assignment.backends),
                    trust.metrics_trust(assignment.backends))
    _put_results(runner.ledger, graded)
    return replace(graded, wrong=first_wrong.of(graded))


def _run(part: Sequence[Test], plans: Plans, outcomes: dict[str, Outcome], runner: Runner, progress: Progress) -> None:
    """The runs of those tests whose requirements are met."""
    wanted = [test for test in part if score.gate(test, outcomes) is None]
    cases = list(dict.fromkeys(case for test in wanted for case in plans[test.id]))
    todo = [case for case in cases if not runner.is_known(case)]
    if cases:
        unchanged = f", {len(cases) - len(todo)} are unchanged" if len(todo) < len(cases) else ""
        progress(f"running {len(todo)} case{'s' * (len(todo) != 1)}{unchanged}")
    runner.run_all(cases)


def make_given(request: Request, progress: Progress, scratch: Path) -> None:
    """Compiles and runs what is given in a lab, before the first student asks for it."""
    prepared = prepare(replace(request, given=True), progress, scratch)
    runner = prepared.runner
    cases = list(dict.fromkeys(case for plan in prepared.plans.values() for case in plan if runner.is_given(case)))
    progress(f"running {len(cases)} cases of given programs where there is something new")
    runner.run_all(cases)


def _put_results(ledger: Ledger, graded: Graded) -> None:
    key = key_of(graded.context.stage_key, *(test.id for test in graded.tests))
    ledger.put("check", key, {"tests": {
        test.id: {"verdict": outcome.verdict.value, "detail": outcome.detail, "fraction": outcome.fraction}
        for test in graded.tests for outcome in [graded.outcomes[test.id]]}})
    ledger.put("score", key, {"tests": {test.id: graded.millipoints(test) for test in graded.tests},
                              "total_millipoints": graded.total})
