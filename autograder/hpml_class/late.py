"""Lateness (autograder specification, section 12): pure functions of receipt time, due time, extension and policy.

The receipt time is the server's, never a commit's date. All times are UTC: a day is 86,400 seconds, whatever the clocks of
the students' country do. Grace is explicit: a hand-in is late from the first second after due time plus grace, and its
late days are counted from there, every begun day as one.
"""
import datetime
import math
from collections.abc import Sequence
from dataclasses import dataclass

from .errors import UsageError

DAY = datetime.timedelta(days=1)
USES = {  # what of a policy's settings decides about points; the first must be given
    "none": (),
    "percent_per_day": ("percent", "of", "max_days", "grace_minutes"),
    "points_per_day": ("millipoints", "max_days", "grace_minutes"),
    "budget": ("budget_days", "percent", "of", "max_days", "grace_minutes"),
    "cutoff": ("grace_minutes",),
}
SHARES_OF = ("earned", "maximum")
GRAIN = 10  # millipoints; deductions are rounded down to it, so that centipoints stay exact


@dataclass(frozen=True)
class Policy:
    policy: str = "none"
    grace_minutes: int = 0
    percent: float = 0.0         # percent_per_day
    of: str = "earned"           # percent_per_day: of the points earned, or of the lab's maximum
    millipoints: int = 0         # points_per_day
    max_days: int | None = None  # later than that: nothing is left
    budget_days: int = 0         # budget: late days that cost nothing, over all labs of the term

    def __post_init__(self) -> None:
        if self.policy not in USES:
            raise UsageError(f"late policy '{self.policy}': there are {', '.join(USES)}")
        if self.of not in SHARES_OF:
            raise UsageError(f"late policy: of = '{self.of}': use {' or '.join(SHARES_OF)}")
        for name in ("grace_minutes", "percent", "millipoints", "max_days", "budget_days"):
            if not 0 <= (getattr(self, name) or 0) < math.inf:  # nan is neither
                raise UsageError(f"late policy: {name} = {getattr(self, name)}: it must be a finite number from 0")
        if self.percent > 100:
            raise UsageError(f"late policy: percent = {self.percent:g}: at most 100 percent of the points can be lost in a day")


@dataclass(frozen=True)
class Lateness:
    days: int = 0
    deduction: int = 0  # millipoints
    reason: str = ""


def utc(text: str) -> datetime.datetime:
    """An instant as "2026-11-20T23:59:00Z" or with an offset; without one nobody knows which instant it is."""
    try:
        time = datetime.datetime.fromisoformat(text.strip().replace("Z", "+00:00"))
    except ValueError as error:
        raise UsageError(f"'{text}' is no time; write it as 2026-11-20T23:59:00Z") from error
    return as_utc(time, text)


def as_utc(time: datetime.datetime, text: str) -> datetime.datetime:
    if time.tzinfo is None:
        raise UsageError(f"'{text}' has no time zone; write it as 2026-11-20T23:59:00Z")
    return time.astimezone(datetime.timezone.utc)


def late_days(received: datetime.datetime, due: datetime.datetime, grace_minutes: int = 0) -> int:
    over = received - due - datetime.timedelta(minutes=grace_minutes)
    return max(0, -(-over // DAY))


def deduct(policy: Policy, days: int, earned: int, maximum: int) -> int:
    """Millipoints that so many late days cost; never more than were earned."""
    if days <= 0 or policy.policy == "none":
        return 0
    if policy.policy == "cutoff" or policy.max_days is not None and days > policy.max_days:
        return earned
    if policy.policy == "points_per_day":
        lost = days * policy.millipoints
    else:  # a budget's days beyond the budget cost their percentage
        base = earned if policy.of == "earned" else maximum
        lost = int(base * policy.percent * days / 100 + 1e-9)
    return min(earned, lost // GRAIN * GRAIN)


def lateness(received: datetime.datetime | None, due: datetime.datetime | None, policy: Policy, earned: int,
             maximum: int, extension: datetime.datetime | None = None) -> Lateness:
    if due is None or policy.policy == "none":
        return Lateness()
    if received is None:
        return Lateness(reason="no receipt time: not counted as late")
    until = due if extension is None else max(due, extension)
    days = late_days(received, until, policy.grace_minutes)
    if days == 0:
        return Lateness(reason="on time" if until == due or late_days(received, due, policy.grace_minutes) == 0
                        else "on time by extension")
    if policy.policy == "budget":
        return Lateness(days, 0, f"{days} late days, charged to the budget at the end of term")
    lost = deduct(policy, days, earned, maximum)
    what = "after the cut-off" if policy.policy == "cutoff" else f"{days} late day{'s' if days > 1 else ''}"
    return Lateness(days, lost, f"{what}: received {_text(received)}, due {_text(until)}")


def _text(time: datetime.datetime) -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%SZ")


@dataclass(frozen=True)
class LateLab:
    lab: str
    days: int
    earned: int
    maximum: int


@dataclass(frozen=True)
class Charged:
    lab: str
    free_days: int
    deduction: int


def allocate(labs: Sequence[LateLab], policy: Policy) -> list[Charged]:
    """The term's late days shared out so that the student keeps the most points; of equals, the fewest free days, given
    to the earliest labs."""
    # best[free days left] = (points lost, days used, choice for the labs seen); labs from the last to the first
    best: list[tuple[int, int, tuple[int, ...]]] = [(0, 0, ())] * (policy.budget_days + 1)
    for lab in reversed(labs):
        best = [min(((deduct(policy, lab.days - free, lab.earned, lab.maximum) + best[left - free][0],
                      free + best[left - free][1], (-free, *best[left - free][2]))
                     for free in range(min(left, lab.days) + 1)))
                for left in range(policy.budget_days + 1)]
    chosen = [-free for free in best[policy.budget_days][2]]
    return [Charged(lab.lab, free, deduct(policy, lab.days - free, lab.earned, lab.maximum))
            for lab, free in zip(labs, chosen)]
