"""All files for learning platforms, and the report of what each of them cannot carry."""
import json
from dataclasses import asdict

from ..quiz import Quiz
from . import gift, moodle, prairielearn, qti

NOT_YET = "not yet imported into a real installation"


def export(quiz: Quiz, more: tuple[Quiz, ...] = ()) -> dict[str, str | bytes]:
    package, qti_notes = qti.export(quiz)
    xml, moodle_notes = moodle.export(quiz)
    text, gift_notes = gift.export(quiz)
    directories, prairielearn_notes = prairielearn.export(quiz, more)
    notes = {"QTI 1.2 (Canvas)": qti_notes, "Moodle XML": moodle_notes, "GIFT": gift_notes,
             "PrairieLearn": prairielearn_notes}
    report = {"quiz": quiz.id, "variant": quiz.variant, "quiz_sha256": quiz.sha256, "formats": {
        name: {"state": NOT_YET, "questions": len(quiz.instances), "notes": [asdict(note) for note in entries]}
        for name, entries in notes.items()}}
    return {"quiz.qti.zip": package, "quiz.moodle.xml": xml, "quiz.gift": text, **directories,
            "export_report.json": json.dumps(report, indent=1) + "\n"}
