"""All files for learning platforms, and the report of what each of them cannot carry."""
import json
from dataclasses import asdict

from ..quiz import Quiz
from . import d2l, gift, moodle, prairielearn, qti
from .refusal import Refusal

NOT_YET = "not yet imported into a real installation"


def export(quiz: Quiz, more: tuple[Quiz, ...] = ()) -> dict[str, str | bytes]:
    package, qti_notes = qti.export(quiz)
    xml, moodle_notes = moodle.export(quiz)
    text, gift_notes = gift.export(quiz)
    directories, prairielearn_notes = prairielearn.export(quiz, more)
    csv, d2l_notes = d2l.export(quiz)
    notes = {"QTI 1.2 (Canvas)": qti_notes, "Moodle XML": moodle_notes, "GIFT": gift_notes,
             "PrairieLearn": prairielearn_notes, "Brightspace CSV": d2l_notes}
    report = {"quiz": quiz.id, "variant": quiz.variant, "quiz_sha256": quiz.sha256, "formats": {
        name: _report(quiz, entries) for name, entries in notes.items()}}
    return {"quiz.qti.zip": package, "quiz.moodle.xml": xml, "quiz.gift": text, "quiz.d2l.csv": csv, **directories,
            "export_report.json": json.dumps(report, indent=1) + "\n"}


def _report(quiz: Quiz, notes: list[Refusal]) -> dict:
    """Which questions the format carries as they are, and what it does to the others."""
    touched = {note.question for note in notes}
    return {"state": NOT_YET, "questions": len(quiz.instances),
            "exact": [instance.id for instance in quiz.instances if instance.id not in touched],
            "notes": [asdict(note) for note in notes]}
