"""What a test can end with (autograder specification, section 3)."""
from dataclasses import dataclass, field
from enum import Enum


class Verdict(str, Enum):
    AC = "AC"    # accepted
    PA = "PA"    # part of the points
    WA = "WA"    # wrong output or wrong evidence
    CE = "CE"    # does not compile
    RE = "RE"    # nonzero exit
    SG = "SG"    # killed by a signal
    TO = "TO"    # time limit
    ML = "ML"    # memory limit
    OL = "OL"    # output limit
    PV = "PV"    # policy violation
    SK = "SK"    # a test it needs has failed
    INC = "INC"  # cannot be measured here: pending
    XX = "XX"    # our fault: pending


MOST_DETAIL = 1500  # characters
PENDING = frozenset({Verdict.INC, Verdict.XX})


@dataclass(frozen=True)
class Outcome:
    verdict: Verdict
    detail: str = ""       # one sentence: expected, got
    checked: str = ""      # what was looked at, for the table
    fraction: float = 0.0  # only read for PA
    metrics: dict[str, float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """A detail quotes what a program printed, which may be megabytes."""
        if len(self.detail) > MOST_DETAIL:
            shown = f"{self.detail[:MOST_DETAIL]}... ({len(self.detail) - MOST_DETAIL} more characters)"
            object.__setattr__(self, "detail", shown)


def accepted(checked: str, **metrics: float) -> Outcome:
    return Outcome(Verdict.AC, "", checked, 1.0, dict(metrics))


def wrong(detail: str, checked: str = "") -> Outcome:
    return Outcome(Verdict.WA, detail, checked)
