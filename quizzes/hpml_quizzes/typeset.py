"""What a typesetter does to a line before it is broken: a formula, or a number and its unit, stays together, and a minus
is a minus. For pages and sheets; learning platforms get the plain text."""
import re
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache

from .markup import Span, Spans

_RELATIONS = frozenset("= ← → < > ≤ ≥ ≈".split())
_OPERATORS = _RELATIONS | frozenset("+ - − × · /".split())
_UNIT = re.compile(r"(s|ms|µs|ns|min|h|%|\$|[kKMGT]?i?(B|b|W|Wh|Hz)(/s)?|[KMGTPE]?FLOPS?(/(s|byte|W))?|GFLOPS/W)[.,;:?!)]*")
_NUMBER = re.compile(r"[(≥≤<>]*-?\d[\d,]*(\.\d+)?")
_LETTER = re.compile(r"\(*[b-zB-HJ-Zα-ω](\)+/\S+|[)'.,;:?!]*)")   # a and I are words
_FUNCTION = re.compile(r"\W*(min|max|ln|log|exp)")
_UNARY = re.compile(r"(?<![\w)\]'-])-(?=\.?\d)")
_BINARY = re.compile(r"(?<![\w-])([A-Za-z])-(?=\d+(?![\w-]))")
LONGEST = 30  # characters that may stay together: more do not fit beside each other on a phone


@dataclass(frozen=True)
class Word:
    spans: Spans

    @cached_property
    def text(self) -> str:
        return "".join(span.text for span in self.spans)


Group = tuple[Word, ...]


def minus(span: Span) -> Span:
    if span.kind == "code" or "-" not in span.text:
        return span
    if span.kind in ("sup", "sub"):
        return replace(span, text=span.text.replace("-", "−"))
    return replace(span, text=_BINARY.sub(r"\1−", _UNARY.sub("−", "−" if span.text == "-" else span.text)))


def words(spans: Spans) -> list[Word]:
    """Cut at the spaces of plain text; what is marked up is never cut."""
    cut: list[list[Span]] = [[]]
    for span in spans:
        pieces = span.text.split(" ") if span.kind == "text" else [span.text]
        for number, piece in enumerate(pieces):
            if number:
                cut.append([])
            if piece:
                cut[-1].append(minus(span if piece == span.text else Span(span.kind, piece)))
    return [Word(tuple(word)) for word in cut if word]


def _joined(left: str, right: str) -> bool:
    if left in _OPERATORS or right.rstrip(".,;:") in _OPERATORS:
        return True
    if _NUMBER.fullmatch(left):
        return _UNIT.fullmatch(right) is not None or _LETTER.fullmatch(right) is not None
    letters = _LETTER.fullmatch(left) is not None and left[-1] not in ").,;:?!" or _FUNCTION.fullmatch(left) is not None
    return letters and _LETTER.fullmatch(right) is not None


def _length(group: list[Word]) -> int:
    return sum(len(word.text) + 1 for word in group) - 1


def _fitting(group: list[Word]) -> list[Group]:
    """A formula that is too long is cut before its first relation signs, and loses its hold if that does not help."""
    if _length(group) <= LONGEST:
        return [tuple(group)]
    cuts = [place for place, word in enumerate(group) if place and word.text in _RELATIONS]
    if not cuts:
        return [(word,) for word in group]
    pieces = [group[begin:end] for begin, end in zip([0, *cuts], [*cuts, len(group)])]
    return [fitting for piece in pieces for fitting in _fitting_piece(piece)]


def _fitting_piece(piece: list[Word]) -> list[Group]:
    return [tuple(piece)] if _length(piece) <= LONGEST else [(word,) for word in piece]


@lru_cache(maxsize=8192)
def groups(spans: Spans) -> tuple[Group, ...]:
    """What must not be broken over two lines, in order; between two groups there is a space."""
    result: list[Group] = []
    group: list[Word] = []
    for word in words(spans):
        if group and not _joined(group[-1].text, word.text):
            result += _fitting(group)
            group = []
        group.append(word)
    return tuple(result + (_fitting(group) if group else []))
