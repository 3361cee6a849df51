"""hpml quiz paper: everybody's sheets and answer forms in one PDF, who has which variant, and the keys."""
import io
import unicodedata

from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas

from ..emit import pdf
from ..emit.pdf_text import fitted, has_letters
from ..quiz import Quiz, QuizSet, key_json, key_of
from .form import Code
from .form_pdf import add_form
from .index import NAME, Entry, to_csv

_ROWS = 50  # students on a page of the index


def written(student: str, name: str) -> str:
    """What paper calls a student: the name, or the id where the fonts have no letters for the name."""
    name = unicodedata.normalize("NFC", name)
    return name if has_letters(name) else student


def _to_front(canvas: Canvas) -> None:
    """What follows begins on the front of a sheet of paper, printed on one side or on both."""
    if canvas.getPageNumber() % 2 == 0:
        canvas.showPage()


def _index_pages(canvas: Canvas, title: str, entries: list[Entry], paper: pdf.Paper) -> None:
    columns = [(0, "student"), (50, "name"), (110, "variant"), (133, "sheet, page"), (154, "form, page")]
    ends = [x for x, _ in columns[1:]] + [175]
    for start in range(0, len(entries), _ROWS):
        y = paper.top
        canvas.setFont("Sans-Bold", 12)
        canvas.drawString(20 * mm, y, f"{title}: who has which variant (for staff)")
        face = "Sans-Bold"
        canvas.setFont(face, 8)
        rows = [[words for _, words in columns], *([one.student, written(one.student, one.name), one.variant or "as published", str(one.sheet_page),
                                                     str(one.form_page)] for one in entries[start:start + _ROWS])]
        for row in rows:
            y -= 4.8 * mm
            for (x, _), end, words in zip(columns, ends, row):
                canvas.drawString((20 + x) * mm, y, fitted(words, face, 8, (end - x - 2) * mm))
            face = "Sans"
            canvas.setFont(face, 8)
        canvas.showPage()


def to_pdf(title: str, quizzes: dict[str, Quiz], names: dict[str, str], paper: str) -> tuple[bytes, list[Entry]]:
    """`quizzes` and `names` by student. The last pages are the index."""
    out = io.BytesIO()
    size = pdf.PAPERS[paper]
    canvas = pdf.new_canvas(out, title, size)
    entries = []
    for student, quiz in quizzes.items():
        _to_front(canvas)
        first = canvas.getPageNumber()
        name = written(student, names[student])
        pdf.add_sheet(canvas, quiz, False, size, name)
        _to_front(canvas)
        entries.append(Entry(student, names[student], quiz.variant, first, canvas.getPageNumber()))
        add_form(canvas, key_of(quiz), Code(quiz.id, quiz.variant, student, paper, 1), title, name)
    _to_front(canvas)
    _index_pages(canvas, title, entries, size)
    canvas.save()
    return out.getvalue(), entries


def files(quiz_set: QuizSet, quizzes: dict[str, Quiz], names: dict[str, str], paper: str) -> dict[str, str | bytes]:
    """What `hpml quiz paper` writes into a quiz's folder, all of it for staff."""
    content, entries = to_pdf(quiz_set.title, quizzes, names, paper)
    return {f"exam_{paper}.pdf": content, NAME: to_csv(entries),
            **{f"keys/{student}/key.json": key_json(quiz) for student, quiz in quizzes.items()}}
