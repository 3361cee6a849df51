"""make quizzes: every file of every quiz, in build/quizzes."""
import json
import os
import shutil
import sys
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path

from .emit import html, markdown, platforms
from .emit.common import figure_svg
from .errors import BadQuestion
from .load import load_bank
from .models import Models
from .paths import OUTPUT, relative
from .quiz import Quiz, QuizSet, draw_quiz, find_set, key_of, load_sets
from .validate import check_figure, check_instance, check_template


@dataclass(frozen=True)
class Job:
    """A quiz and where its parts go."""
    quiz: Quiz
    for_students: Path
    for_staff: Path
    packages: bool      # also for learning platforms


def checked(quiz_set: QuizSet, quiz: Quiz) -> Quiz:
    """Nothing that the validator refuses is ever written."""
    for template, instance in zip(quiz_set.questions, quiz.instances):
        for problem in [*check_template(template), *check_instance(instance), *check_figure(instance)]:
            raise BadQuestion(problem)
    return quiz


def jobs(sets: list[QuizSet], models: Models, course_key: str, count: int, students: list[str],
         output: Path) -> list[Job]:
    result = []
    for quiz_set in sets:
        folder = _draft(output, quiz_set)
        labels = ["v1"] if quiz_set.published else [f"v{number}" for number in range(1, count + 1)]
        for label in labels:
            place = folder if label == "v1" else folder / label
            quiz = checked(quiz_set, draw_quiz(quiz_set, models, course_key, label))
            result.append(Job(quiz, place, place, True))
        for student in [] if quiz_set.published else students:
            quiz = checked(quiz_set, draw_quiz(quiz_set, models, course_key, student))
            result.append(Job(quiz, folder / "students" / student, folder / "keys" / student, False))
    return result


def _draft(output: Path, quiz_set: QuizSet) -> Path:
    """Takes the place of the last run's folder when all is written."""
    return output / f".{quiz_set.id}.draft"


def _write(path: Path, content: str | bytes, staff: bool) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    path.chmod(0o600 if staff else 0o644)


def write(job: Job) -> None:
    try:
        from .emit import pdf
    except ModuleNotFoundError:
        pdf = None  # type: ignore[assignment] - said once, by make()
    for with_key, folder, name in ((False, job.for_students, "quiz"), (True, job.for_staff, "quiz_key")):
        _write(folder / f"{name}.md", markdown.to_markdown(job.quiz, with_key), with_key)
        _write(folder / f"{name}.html", html.to_html(job.quiz, with_key), with_key)
        if pdf is not None:
            _write(folder / f"{name}.pdf", pdf.to_pdf(job.quiz, with_key), with_key)
    for folder in {job.for_students, job.for_staff}:
        for instance in job.quiz.instances:
            svg = figure_svg(instance)
            if svg is not None:
                _write(folder / markdown.figure_name(instance), svg, False)
    _write(job.for_staff / "key.json", json.dumps(key_of(job.quiz), ensure_ascii=False, indent=1) + "\n", True)
    if job.packages:
        for name, content in platforms.export(job.quiz).items():
            _write(job.for_staff / name, content, True)


def make(course_key: str, count: int, students: list[str], only: list[str], output: Path = OUTPUT) -> str:
    """Returns what was made, in one line."""
    sets = load_sets(load_bank())
    chosen = [find_set(name, sets) for name in only] if only else list(sets.values())
    models = Models()
    work = jobs(chosen, models, course_key, count, students, output)
    models.close()
    for quiz_set in chosen:
        shutil.rmtree(_draft(output, quiz_set), ignore_errors=True)
    if not _has_pdf():
        print("quizzes: no PDF: the package python3-reportlab is not installed (tools/bootstrap)", file=sys.stderr)
    write_all(work)
    for quiz_set in chosen:
        shutil.rmtree(output / quiz_set.id, ignore_errors=True)
        _draft(output, quiz_set).rename(output / quiz_set.id)
    sheets = f"{len(work)} sheets of {len(chosen)} quizzes"
    return f"{sheets}, each with its key, in {relative(output)}"


_jobs: list[Job] = []  # for the children of write_all(), which inherit it: instances hold code, which no pipe carries


def _write_one(place: int) -> None:
    write(_jobs[place])


def write_all(work: list[Job]) -> None:
    _jobs[:] = work
    with ProcessPoolExecutor(len(os.sched_getaffinity(0)), get_context("fork")) as pool:
        for _ in pool.map(_write_one, range(len(work))):
            pass


def _has_pdf() -> bool:
    try:
        import reportlab  # noqa: F401
    except ModuleNotFoundError:
        return False
    return True
