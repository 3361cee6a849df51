"""Quiz -> GIFT, Moodle's plain text: one question per line, no points, no pictures."""
import re

from .. import markup
from ..quiz import Quiz, points_text
from .common import Item, items_of, plain_decimal, tolerance_decimal
from .moodle import weights
from .refusal import Refusal

_DECIMAL = re.compile(r"-?\d+(\.\d+)?")


def escaped(text: str) -> str:
    return re.sub(r"([\\~=#{}:])", r"\\\1", text).replace("\n", "\\n")


def _number(text: str) -> str:
    """GIFT takes anything that is no number for "every response is right"."""
    if not _DECIMAL.fullmatch(text):
        raise ValueError(f"{text} is no plain decimal")
    return text


def refusals(item: Item) -> list[Refusal]:
    found = []
    if item.instance.figure is not None:
        found.append(Refusal(item.instance.id, "refused", "GIFT has no pictures", "Moodle XML"))
    elif item.kind == "ms" and any("100" in weight for weight in weights(item)):
        # Weights have at most two digits before the point; %100% would be read as text.
        found.append(Refusal(item.instance.id, "refused", "GIFT has no weight for a single right or wrong option",
                             "Moodle XML"))
    elif item.kind == "short" and any(entry.strip().upper() in ("T", "F", "TRUE", "FALSE") for entry in item.part.accept):
        found.append(Refusal(item.instance.id, "refused", "this answer would make it a true/false question", "Moodle XML"))
    elif item.kind == "ms":
        found.append(Refusal(item.instance.id, "approximated", "as in Moodle XML", "PrairieLearn"))
    return found


def _answers(item: Item) -> str:
    if item.kind == "tf":
        return "T" if item.options[0].correct else "F"
    if item.kind == "num":
        part = item.part
        assert part is not None and part.value is not None
        return f"#{_number(plain_decimal(part.value))}:{_number(tolerance_decimal(part.tolerance))}"
    if item.kind == "short":
        assert item.part is not None
        return " ".join("=" + escaped(entry.replace("*", "\\*")) for entry in item.part.accept)
    rows = []
    right, wrong = weights(item)
    for option in item.options:
        mark = ("=" if option.correct else "~") if item.kind == "mc" else f"~%{right if option.correct else wrong}%"
        feedback = "#" + escaped(markup.line_html(option.why)) if option.why and not option.correct else ""
        text = re.sub("^%", "&#37;", markup.line_html(option.text))  # not the beginning of a weight
        rows.append(mark + escaped(text) + feedback)
    return " ".join(rows)


def _general(item: Item) -> str:
    """Shown to everybody who has answered: why the key is right."""
    return f" ####{escaped(markup.to_html(item.instance.explanation))}"


def export(quiz: Quiz) -> tuple[str, list[Refusal]]:
    items = items_of(quiz)
    notes = [note for item in items for note in refusals(item)]
    refused = {note.question for note in notes if note.how == "refused"}
    lines = [f"// {quiz.title}: GIFT has no points; set them in Moodle. quiz {quiz.sha256}",
             f"$CATEGORY: $course$/top/HPML/{quiz.title}", ""]
    for item in items:
        if item.instance.id in refused:
            continue
        points = f"// {item.ident}: {points_text(item.points_milli)} points"
        lines += [points, f"::{escaped(item.name)}::[html]{escaped(item.stem_html)} {{{_answers(item)}{_general(item)}}}", ""]
    return "\n".join(lines), notes
