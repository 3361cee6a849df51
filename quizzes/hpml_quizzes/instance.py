"""A drawn question: immutable, the one source of every format, key and grade."""
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Any

from . import figures
from .figures.svg import to_svg
from .numbers import Number, auto, decimals, exact, places_for
from .template import Template


@dataclass(frozen=True)
class Option:
    id: str
    text: str                   # markup
    correct: bool
    why: str
    value: Number | None = None
    group: str = ""


@dataclass(frozen=True)
class Part:
    """One thing to fill in: a number with a tolerance, or one of some strings."""
    label: str                  # markup, "" for the only part of a question
    value: Fraction | None = None
    tolerance: Fraction = Fraction(0)
    unit: str = ""
    places: int = 0             # decimals of the printed key
    percent: str = ""           # tolerance in words
    accept: tuple[str, ...] = ()

    @property
    def shown(self) -> str:
        return self.accept[0] if self.value is None else decimals(self.value, self.places)

    @property
    def unit_words(self) -> str:
        return "" if self.unit in ("", "none") else self.unit

    @property
    def wanted(self) -> str:
        """How exact an answer is expected, for the student."""
        if self.value is None:
            return ""
        if self.percent:
            return f"accepted within {self.percent}"
        if self.places == 0:
            return "a whole number"
        return f"rounded to {self.places} decimal{'s' if self.places > 1 else ''}"


@dataclass(frozen=True)
class Instance:
    template: Template
    quiz: str
    variant: str                # "" for a quiz as published
    number: int                 # place in the quiz, from 1
    stem: str                   # markup
    explanation: str            # markup
    options: tuple[Option, ...]
    parts: tuple[Part, ...]
    figure: dict[str, Any] | None
    alt: str
    values: dict[str, Any] = field(repr=False, default_factory=dict)

    @property
    def id(self) -> str:
        return self.template.id

    @property
    def kind(self) -> str:
        return self.template.kind

    @property
    def points_milli(self) -> int:
        return self.template.points_milli

    @property
    def scoring(self) -> str:
        return self.template.scoring if self.kind == "ms" else "share" if self.kind == "blanks" else "whole"

    @cached_property
    def svg(self) -> str | None:
        return None if self.figure is None else to_svg(figures.make(self.figure), self.alt)

    @property
    def key(self) -> list[int]:
        """Places of the right options, from 1."""
        return [place for place, option in enumerate(self.options, start=1) if option.correct]


def number_part(label: str, value: Number, unit: str, tolerance: Fraction | None, places: int | None) -> Part:
    """places: correct to so many decimals (0.6 units of the last one, so that a half rounded either way passes; a whole
    number exactly); else `tolerance` of the value, shown with four significant digits."""
    value = exact(value)
    if places is not None:
        slack = Fraction(1, 2) if places == 0 else Fraction(6, 10) / 10**places
        return Part(label, value, slack, unit, places)
    assert tolerance is not None
    shown = max(0, places_for(value, 4))
    slack = max(abs(value) * tolerance, Fraction(1, 2) / 10**shown)
    return Part(label, value, slack, unit, shown, f"{auto(tolerance * 100)} %")
