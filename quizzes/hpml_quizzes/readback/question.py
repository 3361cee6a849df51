"""A question as a platform would understand it from the file."""
from dataclasses import dataclass, field
from decimal import Decimal, InvalidOperation


@dataclass
class ReadQuestion:
    ident: str
    kind: str                                   # one, several, number, words
    stem: str
    points: Decimal | None                      # None: the format has none
    options: list[tuple[str, str]] = field(default_factory=list)   # (identifier, text)
    credit: dict[str, Decimal] = field(default_factory=dict)       # percent per option
    rule: str = "sum"                           # several: sum (of credits), exact, each, net
    low: Decimal | None = None
    high: Decimal | None = None
    accept: list[str] = field(default_factory=list)

    def percent(self, answer: object) -> Decimal:
        """answer: a set of option identifiers, or what was typed."""
        if self.kind == "number":
            return self._number(str(answer))
        if self.kind == "words":
            return Decimal(100 if str(answer).strip().lower() in [entry.lower() for entry in self.accept] else 0)
        assert isinstance(answer, (set, frozenset))
        right = {name for name, credit in self.credit.items() if credit > 0}
        if self.kind == "one":
            return Decimal(100) if len(answer) == 1 and answer <= right else Decimal(0)
        if self.rule == "exact":
            return Decimal(100 if answer == right else 0)
        if self.rule == "each":
            decided = sum((name in answer) == (name in right) for name, _ in self.options)
            return Decimal(100) * decided / len(self.options)
        if self.rule == "net":
            return max(Decimal(0), Decimal(100) * (len(answer & right) - len(answer - right)) / len(right))
        return min(Decimal(100), max(Decimal(0), sum((self.credit[name] for name in answer), Decimal(0))))

    def _number(self, text: str) -> Decimal:
        assert self.low is not None and self.high is not None
        try:
            value = Decimal(text.strip())
        except InvalidOperation:
            return Decimal(0)
        return Decimal(100 if self.low <= value <= self.high else 0)


class BadFile(ValueError):
    """The file is not what the platform takes."""
