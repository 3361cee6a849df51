"""Quiz -> Brightspace's question import: CSV blocks, one per question."""
import csv
import io
import re

from .. import markup
from ..quiz import Quiz, points_text
from .common import Item, items_of
from .refusal import Refusal

_SCORING = {"each_decision": "RightAnswers", "net_correct": "RightMinusWrong", "all_or_nothing": "AllOrNothing"}
_COLUMNS = 5
Rows = list[list[str]]


def refusals(item: Item) -> list[Refusal]:
    def refused(reason: str, instead: str = "QTI 1.2") -> list[Refusal]:
        return [Refusal(item.instance.id, "refused", reason, instead)]
    if item.instance.figure is not None:
        return refused("the CSV import carries no pictures")
    if item.kind == "num":
        return refused("the CSV import has no numeric questions, and a number compared as text would be graded wrongly")
    if item.kind == "short" and any(re.fullmatch(r"[-+\d.,eE ]+", entry) for entry in item.part.accept):
        return refused("a number compared as text would be graded wrongly")
    if item.kind == "ms" and item.instance.scoring == "net_correct" and not any(one.correct for one in item.options):
        return refused("right minus wrong needs a right option", "PrairieLearn")
    return []


def _answers(item: Item) -> Rows:
    if item.kind == "short":
        assert item.part is not None
        return [["Answer", "100", entry] for entry in item.part.accept]
    feedback = {option.id: "" if option.correct else markup.plain(option.why) for option in item.options}
    if item.kind == "tf":
        return [[option.id.upper(), "100" if option.correct else "0", feedback[option.id]] for option in item.options]
    right = "1" if item.kind == "ms" else "100"
    rows = [["Option", right if option.correct else "0", f"<p>{markup.line_html(option.text)}</p>", "HTML",
             feedback[option.id]] for option in item.options]
    return ([["Scoring", _SCORING[item.instance.scoring]]] if item.kind == "ms" else []) + rows


def _block(item: Item) -> Rows:
    kind = {"mc": "MC", "tf": "TF", "ms": "MS", "short": "SA"}[item.kind]
    return [["NewQuestion", kind], ["ID", item.ident], ["Title", item.name], ["QuestionText", item.stem_html, "HTML"],
            ["Points", points_text(item.points_milli)], *_answers(item),
            ["Feedback", markup.to_html(item.instance.explanation), "HTML"]]


def export(quiz: Quiz) -> tuple[str, list[Refusal]]:
    items = items_of(quiz)
    notes = [note for item in items for note in refusals(item)]
    refused = {note.question for note in notes}
    out = io.StringIO()
    out.write("\ufeff")
    writer = csv.writer(out, lineterminator="\r\n")
    rows: Rows = [[f"// {quiz.title}; quiz {quiz.sha256}"]]
    for item in items:
        if item.instance.id not in refused:
            rows += [[], *_block(item)]
    writer.writerows(row + [""] * (_COLUMNS - len(row)) for row in rows)
    return out.getvalue(), notes
