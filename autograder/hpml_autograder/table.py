"""The graded table and the reason of every lost point: pure text from a Graded."""
from collections.abc import Sequence

from .collect import TAKEN
from .findings import advice_in
from .labspec import Exercise, Test
from .graded import Graded
from .score import NOT_ATTEMPTED
from .verdict import PENDING, Outcome, Verdict

MOST_NOTICED = 5


def points(millipoints: int) -> str:
    return f"{millipoints / 1000:.2f}".rstrip("0").rstrip(".")


def clean(text: str) -> str:
    """Words of a student's program or compiler, without anything that could steer a terminal."""
    return "".join(letter if letter.isprintable() else "?" for letter in text)


def columns(rows: Sequence[Sequence[str]], right: frozenset[int] = frozenset()) -> list[str]:
    widths = [max(len(row[index]) for row in rows) for index in range(len(rows[0]))]
    return ["  ".join(cell.rjust(width) if index in right else cell.ljust(width)
                      for index, (cell, width) in enumerate(zip(row, widths))).rstrip() for row in rows]


def render(graded: Graded, timing: Sequence[Sequence[str]] = ()) -> str:
    lines = [_headline(graded), ""]
    rows = [("exercise", "test", "points", "verdict", "checked")]
    for exercise in graded.spec.exercise:
        rows += _rows(graded, exercise)
    lines += columns(rows, frozenset({2}))
    if timing:
        clock = "Simulated kernel time" if graded.spec.uses("gpusim") else "Times measured on this machine"
        lines += ["", f"{clock} against the reference solution (milliseconds, not graded by itself):", ""]
        lines += columns(timing, frozenset(range(1, len(timing[0]))))
    lines += _lost(graded)
    lines += _bonuses(graded)
    lines += _noticed(graded)
    lines += _compilers(graded)
    lines += _extensions(graded)
    lines += ["", f"Total: {_total(graded)}" + (" (some tests are pending)" if graded.pending else "")]
    return "\n".join(lines) + "\n"


def _rows(graded: Graded, exercise: Exercise) -> list[Sequence[str]]:
    tests = [test for test in graded.tests if test.exercise == exercise.id]
    title = f"{exercise.id} {exercise.title}" + (" (bonus)" if exercise.bonus else "")
    if tests and all(graded.outcomes[test.id] is NOT_ATTEMPTED for test in tests):
        return [(title, "-", "-", "-", NOT_ATTEMPTED.detail)]
    return [(title if test is tests[0] else "", test.id, _earned(graded, test), graded.outcomes[test.id].verdict.value,
             graded.outcomes[test.id].checked) for test in tests]


def _earned(graded: Graded, test: Test) -> str:
    return f"{points(graded.millipoints(test))}/{points(test.max_millipoints)}" if test.max_millipoints else "-"


def _total(graded: Graded) -> str:
    text = f"{points(graded.earned(graded.required))} of {_possible(graded.required)} points"
    if graded.spec.elsewhere_millipoints and len(graded.tests) < len(graded.spec.test):
        text += " (hidden tests give more, when your instructor grades)"
    elif graded.spec.elsewhere_millipoints:
        text += f" (the other {points(graded.spec.elsewhere_millipoints)} come from hidden tests, when your instructor grades)"
    bonus = graded.earned(graded.bonuses)
    return f"{text}, and {points(bonus)} of {_possible(graded.bonuses)} bonus points" if bonus else text


def _possible(tests: Sequence[Test]) -> str:
    return points(sum(test.max_millipoints for test in tests))


def _noticed(graded: Graded) -> list[str]:
    """Mistakes that the simulator saw in runs that ended well: a right result does not show them."""
    found: dict[str, str] = {}
    for case, run in sorted(graded.runner.runs.items(), key=lambda item: (str(item[0]), item[0].env)):
        advice = advice_in(run.stderr) if run.state == "exit" and run.code == 0 else ""
        if advice and graded.spec.find_program(case.program).sources:
            found.setdefault(f"{case.program} {advice}", f"  `{case}`: {clean(advice)}")
    return ["", "Mistakes that cost no points here:", "", *list(found.values())[:MOST_NOTICED]] if found else []


def _extensions(graded: Graded) -> list[str]:
    """Tests without points: the first that fails of each exercise."""
    lines: list[str] = []
    for exercise in graded.spec.exercise:
        failed = [test for test in graded.tests if test.exercise == exercise.id and not test.max_millipoints
                  and graded.outcomes[test.id].verdict is not Verdict.AC and graded.outcomes[test.id] is not NOT_ATTEMPTED]
        if failed:
            lines.append(f"  {failed[0].id}: {clean(graded.outcomes[failed[0].id].detail)}")
    return ["", "Without points, and not right yet:", "", *lines] if lines else []


def _headline(graded: Graded) -> str:
    context = graded.context
    if not graded.spec.uses("gpusim"):
        return f"{graded.spec.title}   [on this machine's processor]"
    where = f"simulated GPU {context.gpu}" if context.target == "sim" else "real GPU"
    return f"{graded.spec.title}   [{where}, compiled by {context.cuda}]"


def _lost(graded: Graded) -> list[str]:
    lines: list[str] = []
    for file in graded.files:
        if file.state != TAKEN:
            lines.append(f"  {file.note}")
    for names, lost, outcome in _reasons(graded):
        sign = "pending " if outcome.verdict in PENDING else "-"
        lines.append(f"  {', '.join(names)}  {sign}{points(lost)}: {clean(outcome.detail)}")
        lines += _debugger(graded, names)
    return ["", "Why points are missing:", "", *lines] if lines else []


def _debugger(graded: Graded, names: Sequence[str]) -> list[str]:
    """The commands that show the first wrong elements of these tests, or where their runs fail."""
    return [f"    {clean(one.offer(graded.spec.id))}" for one in graded.wrong if one.test in names]


def _reasons(graded: Graded) -> list[tuple[list[str], int, Outcome]]:
    """Tests, what they lose together, and why: a test each, but those that wait for one and the same test in one entry."""
    found: dict[str, tuple[list[str], int, Outcome]] = {}
    for test, lost in _missing(graded, graded.required):
        outcome = graded.outcomes[test.id]
        waits = outcome.verdict is Verdict.SK and bool(test.requires)
        names, before, _ = found.get(outcome.detail if waits else test.id, ([], 0, outcome))
        found[outcome.detail if waits else test.id] = ([*names, test.id], before + lost, outcome)
    return list(found.values())


def _compilers(graded: Graded) -> list[str]:
    """The same words about several programs of one file once."""
    about: dict[str, list[str]] = {}
    for built in graded.context.built.values():
        if built.path is None:
            about.setdefault(built.log, []).append(built.program)
    lines: list[str] = []
    for log, programs in about.items():
        lines += ["", f"  What the compiler says about {', '.join(programs)}:", *(f"    {clean(line)}" for line in log.splitlines()[:30])]
    return lines


def _missing(graded: Graded, tests: Sequence[Test]) -> list[tuple[Test, int]]:
    """The tests that did not earn everything, and what is missing."""
    return [(test, lost) for test in tests if (lost := test.max_millipoints - graded.millipoints(test)) > 0]


def _bonuses(graded: Graded) -> list[str]:
    """What an attempt at a bonus has not earned yet: nobody loses it."""
    lines: list[str] = []
    for test, left in _missing(graded, graded.bonuses):
        if graded.outcomes[test.id] is not NOT_ATTEMPTED:
            lines += [f"  {test.id}  {points(left)} more: {clean(graded.outcomes[test.id].detail)}", *_debugger(graded, [test.id])]
    return ["", "Bonus that can still be earned:", "", *lines] if lines else []
