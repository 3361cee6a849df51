"""The graded table, the reason of every lost point, and what to do next: pure text from a Graded."""
from collections.abc import Sequence

from .collect import TAKEN
from .labspec import Test
from .pipeline import Graded
from .verdict import Verdict


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
        tests = [test for test in graded.tests if test.exercise == exercise.id]
        for position, test in enumerate(tests):
            outcome = graded.outcomes[test.id]
            rows.append((f"{exercise.id} {exercise.title}" if position == 0 else "", test.id,
                         _earned(graded, test), outcome.verdict.value,
                         outcome.checked))
    lines += columns(rows, frozenset({2}))
    if timing:
        clock = "Simulated kernel time" if graded.spec.simulated else "Times measured on this machine"
        lines += ["", f"{clock} against the reference solution (milliseconds, not graded by itself):", ""]
        lines += columns(timing, frozenset(range(1, len(timing[0]))))
    lines += _lost(graded)
    lines += _extensions(graded)
    total = f"{points(graded.total)} of {points(sum(test.max_millipoints for test in graded.tests))} points"
    lines += ["", f"Total: {total}" + (" (some tests are pending)" if graded.pending else "")]
    lines += _next_step(graded)
    return "\n".join(lines) + "\n"


def _earned(graded: Graded, test: Test) -> str:
    return f"{points(graded.millipoints(test))}/{points(test.max_millipoints)}" if test.max_millipoints else "-"


def _extensions(graded: Graded) -> list[str]:
    """Tests without points: the first that fails of each exercise."""
    lines: list[str] = []
    for exercise in graded.spec.exercise:
        failed = [test for test in graded.tests if test.exercise == exercise.id and not test.max_millipoints
                  and graded.outcomes[test.id].verdict is not Verdict.AC]
        if failed:
            lines.append(f"  {failed[0].id}: {clean(graded.outcomes[failed[0].id].detail)}")
    return ["", "Without points, and not right yet:", "", *lines] if lines else []


def _headline(graded: Graded) -> str:
    context = graded.context
    if not graded.spec.simulated:
        return f"{graded.spec.title}   [on this machine's processor]"
    where = f"simulated GPU {context.gpu}" if context.target == "sim" else "real GPU"
    return f"{graded.spec.title}   [{where}, compiled by {context.cuda}]"


def _lost(graded: Graded) -> list[str]:
    lines: list[str] = []
    for file in graded.files:
        if file.state != TAKEN:
            lines.append(f"  {file.note}")
    for test in graded.tests:
        outcome = graded.outcomes[test.id]
        lost = test.max_millipoints - graded.millipoints(test)
        if lost > 0:
            sign = "pending " if outcome.verdict in (Verdict.INC, Verdict.XX) else "-"
            lines.append(f"  {test.id}  {sign}{points(lost)}: {clean(outcome.detail)}")
    compile_logs = [built for built in graded.context.built.values() if built.path is None]
    for built in compile_logs:
        lines += ["", f"  What the compiler says about {built.program}:"]
        lines += [f"    {clean(line)}" for line in built.log.splitlines()[:30]]
    return ["", "Why points are missing:", "", *lines] if lines else []


def _next_step(graded: Graded) -> list[str]:
    for exercise in graded.spec.exercise:
        for test in graded.tests:
            lost = test.max_millipoints - graded.millipoints(test)
            if test.exercise == exercise.id and lost > 0 and graded.outcomes[test.id].verdict is not Verdict.INC:
                place = graded.dirs.src.relative_to(graded.dirs.lab.parent.parent)
                return [f"Next: {exercise.id}, {place}/{exercise.file}: {exercise.first_step}.",
                        f"Rerun one test alone: make {graded.spec.id} test TEST={test.id}"]
    return []
