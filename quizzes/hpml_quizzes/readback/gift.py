"""Reads GIFT as Moodle's importer does."""
import re
from decimal import Decimal

from .question import BadFile, ReadQuestion

_WEIGHT = re.compile(r"%(-?\d{1,2}(?:\.\d+)?)%")
_NUMBER = re.compile(r"#(-?\d+(?:\.\d+)?):(\d+(?:\.\d+)?)")


def read(text: str) -> list[ReadQuestion]:
    questions = []
    lines = [line for line in text.splitlines() if not line.strip().startswith("//")]
    for block in re.split(r"\n\s*\n", "\n".join(lines)):
        body = "\n".join(line for line in block.splitlines() if not line.startswith("$CATEGORY"))
        if body.strip():
            questions.append(_question(body.strip()))
    return questions


def _plain(text: str) -> str:
    return re.sub(r"\\(.)", lambda match: "\n" if match[1] == "n" else match[1], text).strip()


def _find(text: str, character: str) -> int:
    """Of the first one that is not escaped."""
    match = re.search(r"(?:^|[^\\])(?:\\\\)*(" + re.escape(character) + ")", text)
    return match.start(1) if match else -1


def _question(text: str) -> ReadQuestion:
    match = re.match(r"::((?:\\.|[^\\:])*)::(?:\[\w+\])?", text)
    if match is None:
        raise BadFile(f"no ::title:: at '{text[:30]}'")
    rest = text[match.end():]
    opening, closing = _find(rest, "{"), _find(rest, "}")
    if opening < 0 or closing < opening:
        raise BadFile("no answer block")
    if rest[closing + 1:].strip():
        raise BadFile("text after the answers makes it a missing-word question")
    question = ReadQuestion(_plain(match[1]), "", _plain(rest[:opening]), None)
    _answers(question, _without_general(rest[opening + 1:closing]).strip())
    return question


def _answers(question: ReadQuestion, block: str) -> None:
    if block in ("T", "F", "TRUE", "FALSE"):
        question.kind, question.options = "one", [("1", "true"), ("2", "false")]
        question.credit = {"1": Decimal(100 if block[0] == "T" else 0), "2": Decimal(0 if block[0] == "T" else 100)}
        return
    if block.startswith("#"):
        number = _NUMBER.fullmatch(block)
        if number is None:
            raise BadFile(f"'{block}' is no number: Moodle would accept every answer")
        question.kind = "number"
        question.low, question.high = Decimal(number[1]) - Decimal(number[2]), Decimal(number[1]) + Decimal(number[2])
        return
    pieces = [piece for piece in re.split(r"(?<!\\)([=~])", block) if piece.strip()]
    marks, texts = pieces[0::2], pieces[1::2]
    if len(marks) != len(texts) or set(marks) - {"=", "~"}:
        raise BadFile(f"answers are not marked by = or ~: {block[:40]}")
    if "~" not in marks:
        question.kind, question.accept = "words", [_plain(_without_feedback(text)).replace("\\*", "*") for text in texts]
        return
    question.kind = "one" if "=" in marks else "several"
    for place, (mark, text) in enumerate(zip(marks, texts), start=1):
        weight = _WEIGHT.match(text.strip())
        credit = Decimal(100 if mark == "=" else 0) if weight is None else Decimal(weight[1])
        if question.kind == "several" and weight is None and text.strip().startswith("%"):
            raise BadFile(f"'{text[:8]}' is no weight")
        text = text.strip()[weight.end():] if weight else text
        question.options.append((str(place), _plain(_without_feedback(text))))
        question.credit[str(place)] = credit


def _without_general(block: str) -> str:
    """Feedback for everybody follows #### and is the last of the block."""
    at = re.search(r"(?<!\\)####", block)
    return block if at is None else block[:at.start()]


def _without_feedback(text: str) -> str:
    end = _find(text, "#")
    return text if end < 0 else text[:end]
