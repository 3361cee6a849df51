"""rubric.html: for each test, the hand-ins that lost points, grouped by verdict and reason. Staff use it to grade or regrade one
test across the class."""
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from ..emit.escape import markup
from ..marks import Record, pending, short
from ..redact import detail
from .page import head

NO_REASON = "no reason is given"


@dataclass
class TestView:
    id: str
    exercise: str
    visibility: str
    most: int
    full: int = 0
    # (verdict, reason) -> hand-ins with the millipoints that each of them has
    lost: dict[tuple[str, str], list[tuple[str, int]]] = field(default_factory=lambda: defaultdict(list))


def collect(records: Iterable[tuple[str, Record]]) -> list[TestView]:
    """(hand-in, record) one at a time, in the order of the lab's tests."""
    views: dict[str, TestView] = {}
    for name, record in records:
        for test in record["tests"]:
            view = views.setdefault(test["id"], TestView(test["id"], test["exercise"], test["visibility"], test["max_millipoints"]))
            if test["millipoints"] >= test["max_millipoints"] and not pending(test):
                view.full += 1
            else:
                view.lost[test["verdict"], detail(test) or NO_REASON].append((name, test["millipoints"]))
    return list(views.values())


def render(title: str, views: Sequence[TestView]) -> str:
    return head(f"{title}: rubric") + (
        '<p class="note">Each test with the hand-ins that did not get all its points, equal reasons together. For staff.</p>'
        + "\n".join(_view(view) for view in views) + "\n</main></body></html>\n")


def _view(view: TestView) -> str:
    losers = sum(map(len, view.lost.values()))
    hidden = "" if view.visibility == "public" else f", {view.visibility.replace('_', ' ')}"
    worth = f"{short(view.most)} point{'' if view.most == 1000 else 's'}{hidden}"
    summary = f"{markup(view.id)} ({worth}): {losers} of {losers + view.full} lost points"
    if not losers:
        return f"<h3>{summary}</h3>"
    rows = []
    for (verdict, reason), who in sorted(view.lost.items(), key=lambda item: (-len(item[1]), item[0])):
        names = "; ".join(f"{name} ({short(points)})" if points else name for name, points in sorted(who))
        rows.append(f'<tr><td class="n">{len(who)}</td><td>{markup(verdict)}</td><td>{markup(reason, 600)}</td>'
                    f'<td class="who">{markup(names, 4000)}</td></tr>')
    return (f"<details><summary>{summary}</summary><div class=\"scroll\"><table><tr><th class=\"n\">how many</th><th>verdict</th>"
            f"<th>reason</th><th>hand-ins (points they got)</th></tr>{''.join(rows)}</table></div></details>")
