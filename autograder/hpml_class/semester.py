"""A semester in one page: week by week what is due, from course.toml. Pure text."""
import datetime
import html
import tomllib
from collections.abc import Iterable, Iterator
from pathlib import Path

from .classreport.page import head
from .course import Course
from .errors import UsageError

WEEK = datetime.timedelta(weeks=1)


def _due(course: Course) -> list[tuple[datetime.datetime, str]]:
    return sorted((time, name) for table in (course.due, course.quizzes) for name, time in table.items())


def weeks(course: Course) -> Iterator[tuple[int, datetime.date, list[tuple[datetime.datetime, str]]]]:
    """(number, first day, what is due in it), to the last week in which something is."""
    due = _due(course)
    if course.start is None or not due:
        raise UsageError("course.toml: a semester's page needs start = (first day of week 1), and times in [due] or [quizzes]")
    first, number = course.start, 1
    while first <= due[-1][0].date():
        yield number, first, [one for one in due if first <= one[0].date() < first + WEEK]
        first, number = first + WEEK, number + 1


def quiz_titles(sets: Path, names: Iterable[str]) -> dict[str, str]:
    """Title and topics of the quizzes that are sets of questions (quizzes/sets); another one goes by its name."""
    titles = {}
    for name in names:
        if (file := sets / f"{name}.toml").is_file():
            table = tomllib.loads(file.read_text(encoding="utf-8"))
            titles[name] = f"{table['title']} ({table['about'].rstrip('.')})"
    return titles


def page(course: Course, titles: dict[str, str]) -> str:
    """titles: of labs and quizzes, by id. What a quiz is about stands there too."""
    rows = []
    for number, first, due in weeks(course):
        items = "<br>".join(f"{html.escape(titles.get(name, name))}: {time:%a %d %b, %H:%M %Z}" for time, name in due) or "–"
        rows.append(f"<tr><td class=\"n\">{number}</td><td class=\"days\">{first:%d %b} to {first + WEEK - datetime.timedelta(days=1):%d %b %Y}</td>"
                    f"<td>{items}</td></tr>")
    late = {"none": "Late work is accepted without deduction.", "cutoff": "Late work earns nothing.",
            "percent_per_day": f"Each begun late day costs {course.late.percent:g} % of the points.",
            "points_per_day": f"Each begun late day costs {course.late.millipoints / 1000:g} points.",
            "budget": f"{course.late.budget_days} late days over the semester are free; each other one costs {course.late.percent:g} %."}
    grace = f" {course.late.grace_minutes} minutes of grace." if course.late.grace_minutes else ""
    return head(course.title or "The semester") + "<style>.days{white-space:nowrap}</style>" + (
        f"<p class=\"note\">{late[course.late.policy]}{grace} Of several hand-ins the {course.keep} counts.</p>"
        "<table><tr><th class=\"n\">week</th><th>days</th><th>due</th></tr>" + "".join(rows) + "</table>\n</main></body></html>\n")
