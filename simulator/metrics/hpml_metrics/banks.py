"""Why a request for shared memory takes several passes: two lanes that meet in a bank, and what would keep them apart.

Shared memory has 32 banks of 4 bytes; word w lies in bank w mod 32. Lanes that access different words of one bank wait for
each other; lanes that access the same word do not. Accesses of 8 bytes go in two halves of a warp, those of 16 in four
quarters (simulator/exec/access_counts.hpp counts the same)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from hpml_metrics.document import BankConflict

BANKS = 32
WORD = 4
LANES = 32


@dataclass(frozen=True)
class Meeting:
    """Two lanes that wait for each other. Strides are in elements of `width` words."""
    lanes: tuple[int, int]
    words: tuple[int, int]  # different ones, in one bank
    width: int
    per_row: int            # lanes that access neighbouring elements, or the same one, before the next row begins
    stride: int | None      # from row to row, where it is always the same
    better: int | None      # the next larger stride without conflicts; None: there is none

    @property
    def bank(self) -> int:
        return self.words[0] % BANKS


def meeting(conflict: BankConflict) -> Meeting | None:
    """The first two lanes of the fullest bank. None where no lanes meet."""
    width = max(conflict.bytes // WORD, 1)
    for lanes in _groups(conflict):
        pair = _pair(lanes, conflict.words, width)
        if pair is not None:
            rows = _rows([word // width for lane in lanes if (word := conflict.words[lane]) is not None])
            steps = {later[0] - row[0] for row, later in zip(rows, rows[1:])}
            stride = steps.pop() if len(steps) == 1 else None
            return Meeting(*pair, width, max(map(len, rows)), stride, _better(rows, stride, width) if stride else None)
    return None


def sentence(found: Meeting, verb: str) -> str:
    """`lanes 0 and 16 read words 0 and 32, both in bank 0; ...`. verb: read, write or update."""
    text = (f"lanes {found.lanes[0]} and {found.lanes[1]} {verb} words {found.words[0]} and {found.words[1]}, both in bank "
            f"{found.bank}")
    unit = "words" if found.width == 1 else f"elements of {WORD * found.width} bytes"
    if found.stride is None:
        return f"{text}; let neighbouring lanes access neighbouring {unit}"
    if found.per_row > 1:
        text += f"; the next row begins {abs(found.stride)} {unit} further"
    else:
        text += f"; the stride from lane to lane is {abs(found.stride)} {unit}"
    if found.per_row == 1 and found.stride * found.width % BANKS:
        return f"{text}: with an odd stride, such as 1, all lanes are in different banks"
    if found.better is None:
        return f"{text}, and no padding of the rows helps: let neighbouring lanes access neighbouring {unit}"
    return f"{text}; {abs(found.better)}, which is a padding of {abs(found.better) - abs(found.stride)}, has no conflict"


def _groups(conflict: BankConflict) -> list[range]:
    size = LANES if conflict.bytes <= 4 else LANES // 2 if conflict.bytes == 8 else LANES // 4
    return [range(first, first + size) for first in range(0, LANES, size)]


def _in_banks(starts: Sequence[int], width: int) -> dict[int, set[int]]:
    banks: dict[int, set[int]] = {}
    for word in (start + k for start in starts for k in range(width)):
        banks.setdefault(word % BANKS, set()).add(word)
    return banks


def _pair(lanes: range, words: Sequence[int | None], width: int) -> tuple[tuple[int, int], tuple[int, int]] | None:
    touched = [(word + k, lane) for lane in lanes if (word := words[lane]) is not None for k in range(width)]
    banks = _in_banks([word for word, _ in touched], 1)
    bank = min(banks, key=lambda one: (-len(banks[one]), one), default=None)
    if bank is None or len(banks[bank]) < 2:
        return None
    here = [(word, lane) for word, lane in touched if word % BANKS == bank]
    first_word, first_lane = here[0]
    other_word, other_lane = next((word, lane) for word, lane in here if word != first_word)
    return (first_lane, other_lane), (first_word, other_word)


def _rows(elements: Sequence[int]) -> list[list[int]]:
    """Cuts where an element is neither that of the lane before nor the next one."""
    rows = [[elements[0]]]
    for before, element in zip(elements, elements[1:]):
        if element - before in (0, 1):
            rows[-1].append(element)
        else:
            rows.append([element])
    return rows


def _better(rows: Sequence[Sequence[int]], stride: int, width: int) -> int | None:
    """Tries every padding up to the width of all banks."""
    for padding in range(1, BANKS // width):
        more = padding if stride > 0 else -padding
        starts = [(element + number * more) * width for number, row in enumerate(rows) for element in row]
        if all(len(words) == 1 for words in _in_banks(starts, width).values()):
            return stride + more
    return None
