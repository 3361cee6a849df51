"""Where in the source a kernel loses time: the line behind a counter, and what its threads do there, in words."""
from collections.abc import Iterable

from .metrics import Kernel, LineAccess, banks

VERBS = {"ld": "read", "st": "write", "atom": "update"}
ELEMENTS = {4: "floats", 8: "doubles"}  # or other words of this size; the message names bytes as well


def worst_line(kernels: Kernel | Iterable[Kernel], space: str, ops: Iterable[str] = ("ld", "st", "atom"),
               most: bool = False) -> str:
    """A clause with file and line, or nothing when no line is known: the line with the most that is beyond need.
    With `most`: the one with the most at all, for kernels that ask for too much rather than badly."""
    all_kernels = (kernels,) if isinstance(kernels, Kernel) else tuple(kernels)
    lines = [line for kernel in all_kernels for line in kernel.lines if line.space == space and line.op in tuple(ops)]
    if not lines:
        return ""
    worst = max(lines, key=lambda line: (line.parts if most else line.excess, line.parts, -line.line))
    if worst.excess <= 0 and not most:
        return ""
    return f"{worst.file}, line {worst.line}: {_words(worst)}"


def _words(line: LineAccess) -> str:
    each = line.parts / line.requests
    verb = VERBS[line.op]
    if line.space == "shared":
        need = line.ideal / line.requests
        text = f"{each:.4g} passes per {_noun(line)} where {need:.4g} would do"
    else:
        text = f"{each:.4g} sectors per {_noun(line)} where {max(1.0, line.ideal / line.requests):.4g} would do"
    if line.excess <= 0:
        text = f"{line.requests} requests, {line.parts} {'passes' if line.space == 'shared' else 'sectors'}"
    met = banks.meeting(line.conflict) if line.conflict is not None else None
    if met is not None:
        return f"{text}; {banks.sentence(met, verb)}"
    if line.stride is None:
        return text
    if line.stride == 0:
        return f"{text}; neighbouring threads {verb} the same address"
    return f"{text}; neighbouring threads {verb} addresses {_distance(line)} apart"


def _noun(line: LineAccess) -> str:
    return {"ld": "load", "st": "store", "atom": "atomic"}[line.op]


def _distance(line: LineAccess) -> str:
    distance = abs(line.stride or 0)
    size = line.bytes_per_thread
    if size in ELEMENTS and distance % size == 0 and distance > size:
        return f"{distance // size} {ELEMENTS[size]} ({distance} bytes)"
    return f"{distance} bytes"
