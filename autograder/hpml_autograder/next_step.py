"""The last lines under the table: what to do next, chosen from the first test that is not passed."""
import re

from .check import load_bench
from .errors import UsageError
from .graded import Graded
from .labspec import Exercise, Test
from .verdict import Outcome, Verdict

CASE = re.compile(r"`([^`]+)`")
# What ends a run, and what helps to find out why.
ADVICE = {
    Verdict.CE: "correct the first error that the compiler names",
    Verdict.RE: "find out why the run ends early",
    Verdict.SG: "find out why the run crashes",
    Verdict.TO: "find the loop or the wait that does not end",
    Verdict.ML: "allocate less memory",
    Verdict.OL: "print only the lines that the handout asks for",
    Verdict.PV: "remove what is not allowed",
}


def next_step(graded: Graded) -> list[str]:
    """Empty where nothing is missing, or only what this machine cannot measure."""
    test = _first_failed(graded)
    if test is None:
        return []
    exercise = graded.spec.exercise_of(test)
    outcome = graded.outcomes[test.id]
    place = graded.dirs.src.relative_to(graded.dirs.lab.parent.parent)
    return [f"Next: {exercise.id}, {place}/{exercise.file}: {_advice(graded, exercise, test, outcome)}.",
            *_tool(graded, test, outcome),
            f"Rerun this test alone: make {graded.spec.id} test TEST={test.id}"]


def _first_failed(graded: Graded) -> Test | None:
    """In the order of the table. Of tests that wait for another one, the other one is the first."""
    missing = [test for test in graded.required if (graded.millipoints(test) < test.max_millipoints or _not_built(graded, test))
               and graded.outcomes[test.id].verdict not in (Verdict.INC, Verdict.XX)]
    return next((test for test in missing if graded.outcomes[test.id].verdict is not Verdict.SK), next(iter(missing), None))


def _not_built(graded: Graded, test: Test) -> bool:
    """It has no points of its own, but those of other tests wait for it."""
    return test.kind == "build" and graded.outcomes[test.id].verdict in (Verdict.CE, Verdict.PV)


def _advice(graded: Graded, exercise: Exercise, test: Test, outcome: Outcome) -> str:
    if outcome.verdict in ADVICE:
        return f"{ADVICE[outcome.verdict]}, above"
    found = f"correct what {test.id} found, above"
    return found if _begun(graded, exercise) else f"{exercise.first_step}; if you have done that, {found}"


def _begun(graded: Graded, exercise: Exercise) -> bool:
    """Whether the student has begun the exercise: one of its tests gave points, or only some of them were asked for (TEST=),
    as a student does who corrects one of them."""
    tests = [one for one in graded.spec.test if one.exercise == exercise.id and one.kind != "build" and one.visibility == "public"]
    ran = [one for one in tests if one.id in graded.outcomes]
    return len(ran) < len(tests) or any(graded.millipoints(one) for one in ran)


def _tool(graded: Graded, test: Test, outcome: Outcome) -> list[str]:
    """A command that shows more of a run on the simulated GPU."""
    named = CASE.search(outcome.detail)
    words = named[1] if named else ""
    programs = {program.name for program in graded.spec.program if program.backend == "gpusim" and program.sources}
    if words.partition(" ")[0] not in programs:
        return []
    if test.kind == "correct":
        named = any(wrong.words == words for wrong in graded.wrong)  # by the reason of the lost point
        return [f'See this run, with every access checked: make {graded.spec.id} run PROG="{words}" CHECK=1',
                *([] if named else [f'Step through it, forward and back: make {graded.spec.id} debug PROG="{words}"'])]
    return [f"See your counters, line by line: make {graded.spec.id} profile"] if _can_profile(graded) else []


def _can_profile(graded: Graded) -> bool:
    try:
        return load_bench(graded.dirs.lab).action("profile") is not None
    except UsageError:
        return False
