"""Old against new after a change of the harness: a pure comparison of what two gradings gave."""
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from .classreport.page import STYLE
from .emit.escape import markup
from .emit.gradebook import write
from .marks import Record, decimal, net, short

Brief = dict[str, Any]


@dataclass(frozen=True)
class Change:
    id: str
    old: int          # millipoints that count
    new: int
    status: str       # "" or what the statuses were
    tests: list[str]  # "B2.time: 0.5 AC -> 0 WA"

    @property
    def difference(self) -> int:
        return self.new - self.old


def brief(record: Record) -> Brief:
    """What of a record a comparison needs."""
    return {"total": net(record), "status": record["status"], "harness": record["harness"]["sha"],
            "tests": {test["id"]: [test["millipoints"], test["verdict"]] for test in record["tests"]}}


def compare(old: Mapping[str, Brief], new: Mapping[str, Brief]) -> list[Change]:
    """Hand-ins whose points, verdicts or status differ, the greatest loss first."""
    found = [change for name in sorted({*old, *new}) if (change := _compare(name, old.get(name), new.get(name)))]
    return sorted(found, key=lambda change: (change.difference, change.id))


def _compare(name: str, old: Brief | None, new: Brief | None) -> Change | None:
    if old is None or new is None:
        status = "new" if old is None else "gone"
        return Change(name, old["total"] if old else 0, new["total"] if new else 0, status, [])
    tests = list(_tests(old["tests"], new["tests"]))
    status = f"{old['status']} -> {new['status']}" if old["status"] != new["status"] else ""
    return Change(name, old["total"], new["total"], status, tests) if tests or status or old["total"] != new["total"] else None


def _tests(old: Mapping[str, list], new: Mapping[str, list]) -> Iterator[str]:
    for test in dict.fromkeys([*old, *new]):
        one, other = old.get(test), new.get(test)
        if one != other:
            yield f"{test}: {_said(one)} -> {_said(other)}"


def _said(result: list | None) -> str:
    return "not there" if result is None else f"{short(result[0])} {result[1]}"


def as_csv(changes: list[Change]) -> str:
    rows = [{"id": change.id, "old": decimal(change.old), "new": decimal(change.new), "change": decimal(change.difference),
             "status": change.status, "tests": "; ".join(change.tests)} for change in changes]
    return write(rows) if rows else "id,old,new,change,status,tests\n"


def as_page(changes: list[Change], handins: int, title: str, harness: str) -> str:
    up, down = (sum(sign * change.difference > 0 for change in changes) for sign in (1, -1))
    rows = "".join(f'<tr><td class="who">{markup(change.id)}</td><td class="n">{short(change.old)} → {short(change.new)}'
                   f" ({'+' if change.difference > 0 else ''}{short(change.difference)})</td><td><ul>"
                   + "".join(f"<li>{markup(line)}</li>" for line in ([change.status] if change.status else []) + change.tests)
                   + "</ul></td></tr>" for change in changes)
    table = ('<table class="look"><tr class="head"><th>hand-in</th><th class="n">points</th><th>what changed</th></tr>'
             f"{rows}</table>") if rows else '<p class="note">Nothing changed.</p>'
    return ("<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" "
            "content=\"width=device-width, initial-scale=1\"><meta http-equiv=\"Content-Security-Policy\" "
            f"content=\"default-src 'none'; style-src 'unsafe-inline'\"><title>{markup(title)}: regrade</title>"
            f"<style>{STYLE}</style></head><body><main><h1>{markup(title)}: old and new</h1><p class=\"note\">{handins} "
            f"hand-ins graded again with harness {markup(harness[:12])}: {up} gained, {down} lost, "
            f"{handins - len(changes)} as before.</p>{table}</main></body></html>\n")
