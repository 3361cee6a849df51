"""S1: the files of the table in another shape, for a score of record. Names, texts of comments, the order of the blocks and run_cap are
drawn; what comes of a file follows. A program that knows the table by heart does not know these."""
import random
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

NAME = r"[A-Za-z_][\w.-]*"
FIRST_KEY = re.compile(rf"( *)\"?({NAME})\"?:")
IN_A_LINE = re.compile(rf"parameters\"?: \{{\"?({NAME})\"?:")
BLOCK = re.compile(r"(\w+):")
LETTERS = "bcdfghjkmpqrtvwz"


@dataclass
class Block:
    """Lines of one key of the top level, and what stands before it. first: number of its first line in the table's file."""
    first: int
    lines: list[str]


def parameter_names(lines: list[str]) -> Iterator[tuple[int, int, int]]:
    """Line, begin and end of each name of a parameter or of a group."""
    groups: list[list[int]] = []  # of each `parameters:` around a line: its indentation, that of its names (-1: none yet)
    for number, line in enumerate(lines):
        yield from ((number, *found.span(1)) for found in IN_A_LINE.finditer(line))
        found = FIRST_KEY.match(line)
        if not found:
            continue
        indent = len(found[1])
        while groups and indent <= groups[-1][0]:
            groups.pop()
        if groups and groups[-1][1] in (-1, indent):
            groups[-1][1] = indent
            yield number, *found.span(2)
        if line.strip() == "parameters:":
            groups.append([indent, -1])


def renamed(name: str, ending: str) -> str:
    """Each part of a.b gets the ending, which keeps the order by bytes."""
    return ".".join(part + ending for part in name.split("."))


def rename(lines: list[str], ending: str) -> tuple[list[str], set[str]]:
    """The lines with other names, and the names that were there."""
    found, names = list(lines), set()
    for number, begin, end in reversed(list(parameter_names(lines))):
        name = found[number][begin:end]
        names.add(name)
        found[number] = found[number][:begin] + renamed(name, ending) + found[number][end:]
    return found, names


def blocks_of(lines: list[str]) -> list[Block]:
    found: list[Block] = []
    for number, line in enumerate(lines, 1):
        if not found or (line and not line.startswith((" ", "\t", "-", "#", "}"))):
            found.append(Block(number, []))
        found[-1].lines.append(line)
    return found


def may_move(blocks: list[Block]) -> bool:
    """Whether the order of the blocks means nothing: no key stands twice, and all are `key:`."""
    keys = [found[1] for block in blocks if (found := BLOCK.match(block.lines[0]))]
    return len(keys) == len(blocks) == len(set(keys))


def comments(draw: random.Random, least: int) -> list[str]:
    return [draw.choice(("", "# " + "".join(draw.choices(LETTERS + " :", k=draw.randint(1, 20))))) for _ in range(draw.randint(least, 3))]


def varied(text: str, line: int, expected: dict[str, Any] | None, words: str,
           draw: random.Random) -> tuple[str, int, dict[str, Any] | None, str]:
    """Text, line, expected content and words of one file in another shape. line 0: there is no error, or it is of the whole file, which
    is line 1; the first block then stays where it is, because some errors may be reported for its key as well."""
    ending = "_" + "".join(draw.choices(LETTERS, k=3))
    lines, names = rename(text.split("\n"), ending)
    words = "|".join(renamed(word, ending) if word in names else word for word in words.split("|"))
    if expected is not None:
        expected = {**expected, "parameters": {renamed(name, ending): value for name, value in expected["parameters"].items()}}
        if "run_cap" in expected:
            cap = draw.randint(1, 999)
            lines = [re.sub(r"^run_cap: \d+", f"run_cap: {cap}", one) for one in lines]
            expected["run_cap"] = cap
    blocks = blocks_of(lines[:-1])
    stays = expected is None and line == 0
    if may_move(blocks) and not stays:
        draw.shuffle(blocks)
    written: list[str] = []
    at = line
    for number, block in enumerate(blocks):
        written += comments(draw, 1 if number == 0 else 0) if number > 0 or not stays else []
        if block.first <= line < block.first + len(block.lines):
            at = len(written) + 1 + line - block.first
        written += block.lines
    written += ["# " + "".join(draw.choices(LETTERS, k=5)), *comments(draw, 0)]
    return "\n".join(written) + "\n", at, expected, words
