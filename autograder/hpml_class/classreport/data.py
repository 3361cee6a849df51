"""What a class report says, as numbers and sentences: a pure function of records, seen one at a time."""
import statistics
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from ..marks import Record, earned, exercises, is_bonus, net, of_exercise, pending, possible, short
from ..similarity import Group, Pair

SLOWEST = 10
TRUSTED = ("L3", "L4")


@dataclass(frozen=True)
class Row:
    """What is kept of one hand-in: a class of any size is a list of these."""
    id: str
    student: str
    status: str
    total: int
    maximum: int
    late_days: int
    deduction: int
    wall_s: float
    sandbox: str
    submission: str
    points: dict[str, int]      # by exercise
    verdicts: dict[str, str]    # by test
    reasons: tuple[str, ...]    # why somebody should look, most serious first
    tried: frozenset[str] = frozenset()  # bonus exercises


@dataclass
class ClassData:
    lab: str = ""
    title: str = ""
    rows: list[Row] = field(default_factory=list)
    maximum: dict[str, int] = field(default_factory=dict)  # millipoints by exercise
    bonuses: set[str] = field(default_factory=set)         # exercises whose points come on top
    tests: dict[str, str] = field(default_factory=dict)    # test -> exercise
    harness: Counter = field(default_factory=Counter)
    trust: Counter = field(default_factory=Counter)
    pairs: list[Pair] = field(default_factory=list)
    groups: list[Group] = field(default_factory=list)

    @property
    def most(self) -> int:
        """Millipoints of the lab, bonuses aside."""
        return sum(most for name, most in self.maximum.items() if name not in self.bonuses)

    def values(self, exercise: str) -> list[int]:
        """What was earned; in a bonus, by those who tried it."""
        return [row.points.get(exercise, 0) for row in self.graded if exercise not in self.bonuses or exercise in row.tried]

    @property
    def graded(self) -> list[Row]:
        return [row for row in self.rows if row.status != "infra_error"]

    @property
    def slowest(self) -> list[Row]:
        return sorted((row for row in self.rows if row.wall_s), key=lambda row: (-row.wall_s, row.id))[:SLOWEST]

    def group_line(self, group: Group) -> str:
        one, other = group.members[:2]
        return (f"{len(group.members)} of {len(self.rows)} hand-ins are alike in {group.file}: probably given code or a "
                f"shared source; look at two of them, {one} and {other}")

    def look(self) -> list[tuple[Row, list[str]]]:
        """Who needs a look, and why: the reasons of each record, and what only the whole class shows."""
        more: dict[str, list[tuple[float, str]]] = {}
        for pair in self.pairs:
            for one, other in ((pair.first, pair.second), (pair.second, pair.first)):
                more.setdefault(one, []).append((pair.share, other))
        limit = _slow_limit([row.wall_s for row in self.rows if row.wall_s])
        found = []
        for row in self.rows:
            others = more.get(row.id, [])
            reasons = [*row.reasons, *([f"{others[0][0]:.0%} alike with {_some([name for _, name in others])}"] if others else [])]
            if limit and row.wall_s > limit:
                reasons.append(f"slow: {row.wall_s:.0f} s, the median is {limit / 4:.0f} s")
            if reasons:
                found.append((row, reasons))
        return sorted(found, key=lambda pair: (_weight(pair[0].status, pair[1]), pair[0].id))


def collect(title: str, floor: int, records: Iterable[tuple[str, Record]], pairs: Sequence[Pair],
            groups: Sequence[Group] = ()) -> ClassData:
    """records: (student, record)."""
    data = ClassData(title=title, pairs=list(pairs), groups=list(groups))
    for student, record in records:
        data.lab = record["lab"]
        data.harness[record["harness"]["sha"]] += 1
        data.trust[record["metrics_trust"]] += 1
        for test in record["tests"]:
            data.tests.setdefault(test["id"], test["exercise"])
            if is_bonus(test):
                data.bonuses.add(test["exercise"])
        for name in exercises(record):
            data.maximum.setdefault(name, possible(of_exercise(record, name)))
        data.rows.append(_row(student, record, floor))
    return data


def _row(student: str, record: Record, floor: int) -> Row:
    points = {name: earned(of_exercise(record, name)) for name in exercises(record)}
    return Row(record["submission"]["id"], student, record["status"], net(record), record["max_millipoints"],
               record["late"]["days"], record["late"]["deduction_millipoints"],
               float(record["volatile"].get("wall_s", {}).get("total", 0.0)), record["sandbox"].get("level", "L0"),
               record["submission"].get("sha256", ""), points,
               {test["id"]: test["verdict"] for test in record["tests"]}, tuple(reasons(record, floor)),
               frozenset(test["exercise"] for test in record["tests"] if is_bonus(test) and test["verdict"] != "SK"))


def reasons(record: Record, floor: int) -> list[str]:
    found = []
    staff = next((test["detail_staff"] for test in record["tests"] if test["detail_staff"]), "")
    if record["status"] == "infra_error":
        return [f"could not be graded: {staff or 'see the record'}"]
    if record["status"] == "inconclusive":
        waiting = [test["id"] for test in record["tests"] if pending(test)]
        found.append(f"pending: {_some(waiting)}")
    violations = [test for test in record["tests"] if test["verdict"] == "PV"]
    if violations:
        found.append(f"policy violation in {_some(list(dict.fromkeys(test['exercise'] for test in violations)))}: "
                     f"{violations[0]['detail_staff'] or violations[0]['detail_public']}")
    for name in exercises(record):
        found += _exercise_reasons(name, of_exercise(record, name))
    if record["submission"]["files"] and record["total_millipoints"] == floor and not violations:
        found.append(f"scores what the unmodified starter scores ({short(floor)})")
    for state, words in (("missing", "not handed in"), ("refused", "not taken")):
        if files := [file["path"] for file in record["submission"]["files"] if file.get("state") == state]:
            found.append(f"{words}: {_some(files)}")
    if record["late"]["days"]:
        days = record["late"]["days"]
        found.append(f"late by {days} day{'' if days == 1 else 's'}: -{short(record['late']['deduction_millipoints'])}")
    return found


def _exercise_reasons(name: str, tests: list[Record]) -> list[str]:
    broken = [test for test in tests if test["verdict"] == "CE"]
    if broken:
        return [f"{name} does not compile: {broken[0]['detail_public'].split(': ', 1)[-1]}"]
    correct = [test for test in tests if test["kind"] == "correct"]
    shown = [test for test in correct if test["visibility"] == "public"]
    hidden = [test for test in correct if test["visibility"] == "hidden"]
    if shown and hidden and all(test["verdict"] == "AC" for test in shown) and \
            any(test["verdict"] == "WA" for test in hidden):
        return [f"{name} passes the public tests and fails {_some([t['id'] for t in hidden if t['verdict'] == 'WA'])}"]
    return []


def _some(names: Sequence[str], most: int = 3) -> str:
    return ", ".join(names[:most]) + (f" and {len(names) - most} more" if len(names) > most else "")


def _slow_limit(times: list[float]) -> float:
    """Four times the median, once there are enough to have one."""
    return 4 * statistics.median(times) if len(times) >= 8 else 0.0


def _weight(status: str, found: Sequence[str]) -> int:
    order = ("could not", "policy", "pending", "passes the public", "alike")
    return min((rank for rank, word in enumerate(order) if any(word in reason for reason in found)), default=len(order))


def spread(values: Sequence[int]) -> dict[str, int]:
    """Mean, median, quartiles in millipoints."""
    if not values:
        return {}
    low, middle, high = statistics.quantiles(values, n=4, method="inclusive") if len(values) > 1 else [values[0]] * 3
    return {"mean": round(statistics.fmean(values)), "median": round(middle), "low": round(low), "high": round(high),
            "least": min(values), "most": max(values)}


def summary(data: ClassData) -> Record:
    """summary.json, schema hpml.summary/v1."""
    graded = data.graded
    return {
        "schema": "hpml.summary/v1", "lab": data.lab, "handins": len(data.rows), "graded": len(graded),
        "pending": sum(row.status == "inconclusive" for row in data.rows),
        "infra_error": len(data.rows) - len(graded),
        "total_millipoints": spread([row.total for row in graded]),
        "exercises": {name: spread(data.values(name)) for name in data.maximum},
        "bonuses": {name: len(data.values(name)) for name in sorted(data.bonuses)},
        "tests": {test: dict(sorted(Counter(row.verdicts.get(test, "XX") for row in data.rows).items()))
                  for test in data.tests},
        "look": {row.id: found for row, found in data.look()},
        "alike": [[pair.first, pair.second, round(pair.share, 3)] for pair in data.pairs],
        "alike_groups": [{"file": group.file, "handins": sorted(group.members)} for group in data.groups],
    }
