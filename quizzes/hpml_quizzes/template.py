"""A question before it is drawn. What a file may hold is written here and nowhere else; docs/add_a_question.md shows it
by example."""
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from typing import Any

from .expr import Expression
from .numbers import parse_shown, show
from .tomlfile import TomlFile

KINDS = ("mc", "tf", "ms", "num", "short", "blanks")
SCORINGS = ("each_decision", "net_correct", "all_or_nothing")


@dataclass(frozen=True)
class Text:
    """Text with {expression} or {expression|style} in it."""
    pieces: tuple[str | tuple[Expression, str], ...]
    line: int

    @property
    def names(self) -> frozenset[str]:
        return frozenset().union(*(piece[0].names for piece in self.pieces if not isinstance(piece, str)))

    @cached_property
    def constant(self) -> bool:
        return all(isinstance(piece, str) for piece in self.pieces)

    def fill(self, values: dict[str, Any]) -> str:
        return "".join(piece if isinstance(piece, str) else show(piece[0](values), piece[1]) for piece in self.pieces)

    def rounded(self, values: dict[str, Any]) -> str | None:
        """The first number that is shown as something else than it is."""
        if self.constant:
            return None
        for piece in self.pieces:
            if not isinstance(piece, str):
                value = piece[0](values)
                if type(value) is int and piece[1] in ("", ","):
                    continue  # what most are, and always shown as it is
                for one in value if isinstance(value, (list, tuple)) else [value]:
                    if not isinstance(one, (str, bool)) and parse_shown(show(one, piece[1])) != Fraction(one):
                        return f"{{{piece[0].source}}} is {one} but is shown as {show(one, piece[1])}"
        return None


@dataclass(frozen=True)
class Parameter:
    name: str
    line: int
    values: tuple[Any, ...]              # the domain
    count: tuple[int, int] | None = None  # of a list parameter: how many entries
    distinct: bool = False


@dataclass(frozen=True)
class Step:
    """One line of [solve]: an expression, or a model with an expression per input."""
    name: str
    line: int
    value: Expression | None
    model: str = ""
    inputs: dict[str, Expression] = field(default_factory=dict)

    @cached_property
    def names(self) -> frozenset[str]:
        """What it reads."""
        entries = [self.value] if self.value is not None else self.inputs.values()
        return frozenset().union(*(entry.names for entry in entries))


@dataclass(frozen=True)
class NumberSpec:
    """A number asked for: its value, a second way to compute it, unit, tolerance."""
    line: int
    value: Expression
    check: Expression | None
    unit: str
    style: str                   # how the value is shown in options
    tolerance: Fraction | None    # of the value
    places: int | None            # else: correct to so many decimals (0: an integer)


@dataclass(frozen=True)
class OptionSpec:
    id: str
    line: int
    text: Text | None            # None: a number, shown like the answer
    value: Expression | None
    true: Expression | None      # None: the fact decides; without one the option is false
    fact: bool | None
    why: Text
    group: str = ""


@dataclass(frozen=True)
class BlankSpec:
    line: int
    label: Text
    number: NumberSpec | None
    accept: tuple[Text, ...]
    check: Text | None = None


@dataclass(frozen=True)
class FigureSpec:
    name: str
    line: int
    alt: Text
    inputs: dict[str, Expression]


@dataclass(frozen=True)
class Published:
    """How a quiz once printed this question: parameters, options and their order. Evidence, not a key."""
    line: int
    quiz: str
    number: int
    parameters: dict[str, Any]
    options: tuple[str, ...]
    printed_key: tuple[str, ...]   # what the published copy marked as correct
    verdict: str                  # why that was right or wrong
    repaired: str                 # what was mended in the statement


@dataclass(frozen=True)
class Official:
    """A number that an official key gave for these parameters. Evidence, not a key."""
    line: int
    parameters: dict[str, Any]
    part: int        # from 1
    key: str
    verdict: str


@dataclass(frozen=True)
class Template:
    id: str
    file: TomlFile
    title: str
    week: int
    kind: str
    points_milli: int
    topic: str
    source: str
    static: bool
    text: Text
    explanation: Text
    parameters: tuple[Parameter, ...]
    where: tuple[tuple[Expression, int], ...]
    must_hold: tuple[tuple[Expression, int], ...]  # second ways to what decides options, true in every draw
    solve: tuple[Step, ...]
    answer: NumberSpec | None
    accept: tuple[Text, ...]
    options: tuple[OptionSpec, ...]
    blanks: tuple[BlankSpec, ...]
    pick: int | None
    scoring: str
    exhaustive: tuple[str, ...]    # groups of which exactly one option is true
    all_true: str                 # reason why every option may be true
    redraw_close: Fraction | None  # numeric options nearer to each other than this are drawn again
    shuffle: bool
    figure: FigureSpec | None
    published: Published | None
    official: tuple[Official, ...]

    @property
    def path(self) -> Path:
        return self.file.path
