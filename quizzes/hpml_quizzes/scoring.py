"""Points for one response, in thousandths; the rules of the course's quizzes."""
import re
from collections.abc import Sequence
from fractions import Fraction

_LETTER = "abcdefghijklmnopqrstuvwxyz"
UNDECIDED = "?"     # stands where a person has to look at the sheet
_NUMBER = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d{1,3})?")   # a longer exponent would take hours as a fraction
NO_UNIT = ("", "none")
_SCALES = ("%", "percent", "k", "m", "g", "thousand", "million", "billion")
_SYMBOLS = {"byte": "B", "bytes": "B", "second": "s", "seconds": "s", "percent": "%", "dollars": "$"}


class BadResponse(ValueError):
    """The cell is not an answer to this kind of question."""


def share(points: int, right: int, count: int) -> int:
    """right/count of the points, rounded to the nearest thousandth (a half up)."""
    return (2 * points * right + count) // (2 * count)


def options_score(points: int, scoring: str, key: set[int], chosen: set[int], count: int) -> int:
    if scoring == "each_decision":
        return share(points, sum((place in key) == (place in chosen) for place in range(1, count + 1)), count)
    if scoring == "net_correct":
        net = len(key & chosen) - len(chosen - key)
        return share(points, max(0, net), len(key)) if key else points * (not chosen)
    return points if chosen == key else 0


def parse_options(text: str, options: Sequence[str], kind: str) -> set[int]:
    """Places from 1: "1,3", "[1, 3]", "1;3", "A C", "true"; or the options' own words, several separated by ; or |. Empty,
    [] and none: nothing checked."""
    text = text.strip().lower()
    if kind == "tf" and text in ("true", "false", "t", "f"):
        return {1 if text[0] == "t" else 2}
    if text in ("", "none", "[]"):
        return set()
    try:
        return {_place(word, len(options)) for word in re.split(r"[\s,;+|]+", text.strip("[]{}").strip()) if word}
    except BadResponse:
        places = {normal(option): place for place, option in enumerate(options, start=1)}
        for words in ([text], re.split(r"[;|]", text)):
            if all(normal(word) in places for word in words):
                return {places[normal(word)] for word in words}
        raise


def _place(word: str, count: int) -> int:
    name = word.strip("()\"'")
    if name.isdecimal():
        place = int(name)
    elif len(name) == 1 and name in _LETTER:
        place = _LETTER.index(name) + 1
    else:
        raise BadResponse(f"'{word}' is no option; write places such as 1,3")
    if not 1 <= place <= count:
        raise BadResponse(f"there is no option {word}; there are {count}")
    return place


def parse_number(text: str, unit: str) -> Fraction | None:
    """The number in a response, alone or with its unit; thousands separators do not count. None: no number, or another unit."""
    number, rest = _number_and_unit(text)
    return number if rest is not None and _fits(rest, unit) else None


def _fits(rest: str, unit: str) -> bool:
    """Whether what stands behind a number may stand there. Without a unit that is what was counted, but nothing that scales."""
    if unit in NO_UNIT:
        return rest.lower() not in _SCALES
    return not rest or _same_unit(rest, unit)


def _same_unit(one: str, other: str) -> bool:
    """But for blanks, signs of multiplication and division, the first letter's case, a last s, and a symbol for its word:
    GFLOPS for GFLOP/s, 5 B for bytes; not kB for MB."""
    plain = [re.sub(r"[\s·*./]", "", _SYMBOLS.get(word.lower(), word)) for word in (one, other)]
    plain = [(word[0].lower() + word[1:]) for word in plain if word]
    plain = [word[:-1] if len(word) > 1 and word[-1] in "sS" and len(word) != 2 else word for word in plain]
    return len(plain) == 2 and (plain[0] == plain[1] or min(map(len, plain)) > 3 and plain[0].lower() == plain[1].lower())


def _number_and_unit(text: str) -> tuple[Fraction | None, str | None]:
    """The second is None where what follows the number is no unit."""
    text = text.strip().replace("−", "-").replace("\u00a0", " ")
    text = re.sub(r"(?<=\d)[,' ](?=\d{3}(\D|$))", "", text)
    match = _NUMBER.match(text)
    if match is None:
        return None, None
    rest = text[match.end():].strip()
    return Fraction(match[0]), rest if re.fullmatch(r"[A-Za-zµ²³/·*. %$]*", rest) else None


def notes_on(entry: dict, response: str) -> list[str]:
    """Of a question with blanks: answers that earn nothing because they are in another unit, or no number."""
    notes = []
    for part, cell in zip(entry.get("parts", ()), _cells(entry, response)):
        if "accept" in part or not cell.strip():
            continue
        number, rest = _number_and_unit(cell)
        unit = part.get("unit", "")
        if number is None or rest is None:
            notes.append(f"'{cell.strip()}' is no number and earned nothing")
        elif not _fits(rest, unit):
            notes.append(f"'{cell.strip()}' " + ("scales the number, which the question does not ask for; it" if unit in NO_UNIT else f"is not in {unit} and")
                         + " earned nothing")
    return notes


def _cells(entry: dict, response: str) -> list[str]:
    """One answer for each blank, separated by | or ;. An empty response answers none."""
    count = len(entry.get("parts", ()))
    if count < 2:
        return [response]
    if not response.strip():
        return [""] * count
    cells = re.split(r"[|;]", response)
    if len(cells) != count:
        raise BadResponse(f"{len(cells)} answer{'' if len(cells) == 1 else 's'} for {count} blanks; separate them by |, and leave out "
                          "what is not answered: a||c")
    return cells


def normal(text: str) -> str:
    """For comparing words: case, white space and the sign of multiplication do not count."""
    return re.sub(r"\s+", "", text.lower().replace("*", "x").replace("×", "x"))


def part_right(part: dict, text: str) -> bool:
    if "accept" in part:
        return normal(text) in {normal(entry) for entry in part["accept"]}
    value = parse_number(text, part["unit"])
    return value is not None and abs(value - Fraction(part["exact"])) <= Fraction(part["tolerance"])


def entry_score(entry: dict, response: str, scoring: str | None = None) -> int:
    """entry: of a key file. scoring: the rule for questions with several answers instead of the key's own."""
    points = entry["points_milli"]
    if UNDECIDED in map(str.strip, re.split(r"[|;]", response)):
        raise BadResponse(f"'{UNDECIDED}' is not decided yet: look at the sheet and write what the student answered")
    if "parts" in entry:
        cells = _cells(entry, response)
        right = sum(part_right(part, cell) for part, cell in zip(entry["parts"], cells))
        return share(points, right, len(entry["parts"]))
    key = set(entry["published_order"])
    chosen = parse_options(response, entry["options"], entry["kind"])
    if entry["kind"] in ("mc", "tf"):
        return points if chosen == key else 0
    return options_score(points, scoring or entry["scoring"], key, chosen, len(entry["options"]))
