"""make quizzes: every file of every quiz, in build/quizzes."""
import gc
import json
import os
import shutil
import sys
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from multiprocessing import get_context
from pathlib import Path

from . import near
from .emit import html, markdown, platforms
from .errors import BadQuestion, UsageError
from .load import load_bank
from .models import Models
from .paths import OUTPUT, relative
from .quiz import Quiz, QuizSet, draw_more, draw_quiz, find_set, key_json, load_sets
from .validate import check_figure, check_instance, check_template


NO_PDF = "no PDF: the package python3-reportlab is not installed (tools/bootstrap)"
PRAIRIELEARN_VARIANTS = 100   # PrairieLearn picks one of them for each student


@dataclass(frozen=True)
class Job:
    """One sheet with its key: which quiz, drawn for whom, and where its parts go."""
    quiz_set: QuizSet
    label: str          # of the variant or the student
    for_students: Path
    for_staff: Path
    packages: bool      # also for learning platforms
    more: tuple[str, ...] = ()  # labels of the further variants for platforms that choose among several


def checked(quiz: Quiz) -> Quiz:
    """Nothing that the validator refuses is ever written."""
    for instance in quiz.instances:
        for problem in [*check_instance(instance), *check_figure(instance)]:
            raise BadQuestion(problem)
    return quiz


def jobs(sets: list[QuizSet], count: int, students: list[str], output: Path) -> list[Job]:
    result = []
    for quiz_set in sets:
        for problem in (problem for template in quiz_set.questions for problem in check_template(template)):
            raise BadQuestion(problem)
        folder = _draft(output, quiz_set)
        for number in range(1, 2 if quiz_set.published else count + 1):
            place = folder if number == 1 else folder / f"v{number}"
            more = tuple(f"prairielearn{n}" for n in range(2, PRAIRIELEARN_VARIANTS + 1))
            result.append(Job(quiz_set, f"v{number}", place, place, True, more if number == 1 and not quiz_set.published else ()))
        result += [Job(quiz_set, student, folder / "students" / student, folder / "keys" / student, False)
                   for student in students if not quiz_set.published]
    return result


def _draft(output: Path, quiz_set: QuizSet) -> Path:
    """Takes the place of the last run's folder when all is written."""
    return output / f".{quiz_set.id}.draft"


def _write(path: Path, content: str | bytes, staff: bool) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    path.chmod(0o600 if staff else 0o644)


def write(job: Job, models: Models, course_key: str) -> None:
    quiz = checked(draw_quiz(job.quiz_set, models, course_key, job.label))
    try:
        from .emit import pdf
    except ModuleNotFoundError:
        pdf = None  # type: ignore[assignment] - said once, by make()
    for with_key, folder, name in ((False, job.for_students, "quiz"), (True, job.for_staff, "quiz_key")):
        _write(folder / f"{name}.md", markdown.to_markdown(quiz, with_key), with_key)
        _write(folder / f"{name}.html", html.to_html(quiz, with_key), with_key)
        if pdf is not None:
            _write(folder / f"{name}.pdf", pdf.to_pdf(quiz, with_key), with_key)
    for folder in {job.for_students, job.for_staff}:
        for instance in quiz.instances:
            svg = instance.svg
            if svg is not None:
                _write(folder / markdown.figure_name(instance), svg, False)
    _write(job.for_staff / "key.json", key_json(quiz), True)
    if job.packages:
        more = draw_more(job.quiz_set, models, course_key, list(job.more))
        made = platforms.export(quiz, tuple(map(checked, more)))
        if left_out(json.loads(made["export_report.json"]), REPORTED_AS["d2lcsv"]):
            del made[PLATFORM_FILES["d2lcsv"]]  # Brightspace takes the QTI package, which is complete
        for name, content in made.items():
            _write(job.for_staff / name, content, True)


def _sheets(quiz: Quiz, name: str, with_key: bool) -> str | bytes:
    if name == "pdf":
        try:
            from .emit import pdf
        except ModuleNotFoundError:
            raise UsageError(NO_PDF) from None
        return pdf.to_pdf(quiz, with_key)
    return {"md": markdown.to_markdown, "html": html.to_html}[name](quiz, with_key)


PLATFORM_FILES = {"qti": "quiz.qti.zip", "moodle": "quiz.moodle.xml", "gift": "quiz.gift", "d2lcsv": "quiz.d2l.csv",
                  "prairielearn": "prairielearn/"}
REPORTED_AS = {"qti": "QTI 1.2 (Canvas)", "moodle": "Moodle XML", "gift": "GIFT", "d2lcsv": "Brightspace CSV",
               "prairielearn": "PrairieLearn"}  # in export_report.json
FORMATS = [*PLATFORM_FILES, "md", "html", "pdf"]


def export(quiz: Quiz, name: str, folder: Path, with_answers: bool, incomplete: bool) -> tuple[list[str], list[str]]:
    """One format of one quiz: what was written, and a sentence where questions were left out, which is refused unless asked
    for. Files of platforms hold the answers, and come with key and report."""
    files: dict[str, str | bytes] = {}
    missing: list[str] = []
    if name in PLATFORM_FILES:
        made = platforms.export(quiz)
        files = {file: content for file, content in made.items()
                 if file.startswith(PLATFORM_FILES[name]) or file == "export_report.json"}
        files["key.json"] = key_json(quiz)
        missing = left_out(json.loads(made["export_report.json"]), REPORTED_AS[name], most_named=None)
        if missing and not incomplete:
            raise UsageError(f"{quiz.id}: {missing[0]}. Nothing is written: export qti or moodle, which carry every question, or add "
                             "--incomplete for a file without these")
    else:
        files[f"quiz.{name}"] = _sheets(quiz, name, False)
        if with_answers:
            files[f"quiz_key.{name}"] = _sheets(quiz, name, True)
        if name == "md":
            files |= {markdown.figure_name(one): one.svg for one in quiz.instances if one.svg is not None}
    for file, content in files.items():
        _write(folder / file, content, name in PLATFORM_FILES or "_key" in file)
    return [relative(folder / file) for file in files], missing


def make(course_key: str, count: int, students: list[str], only: list[str], output: Path = OUTPUT) -> str:
    """Returns what was made, for whom and what was left out, a line each."""
    sets = load_sets(load_bank())
    chosen = [find_set(name, sets) for name in dict.fromkeys(only)] if only else list(sets.values())
    work = jobs(chosen, count, students, output)
    drafts = [_draft(output, quiz_set) for quiz_set in chosen]
    _remove(drafts)
    if not _has_pdf():
        print(f"quizzes: {NO_PDF}", file=sys.stderr)
    try:
        _write_all(work, course_key)
    except BaseException:
        _remove(drafts)
        raise
    for quiz_set in chosen:
        _remove([output / quiz_set.id])
        _draft(output, quiz_set).rename(output / quiz_set.id)
    models = Models()
    lines = [line for quiz_set in chosen for line in _summary(quiz_set, output / quiz_set.id, count, len(students))
             + [f"  note: {pair}" for pair in near.pairs(draw_quiz(quiz_set, models, course_key, "v1"))]]
    models.close()
    total = (f"{len(work)} sheet{'' if len(work) == 1 else 's'} of {len(chosen)} quiz{'' if len(chosen) == 1 else 'zes'}, "
             f"each with its key, in {relative(output)}")
    return "\n".join([*lines, total])


def _remove(folders: list[Path]) -> None:
    for folder in folders:
        shutil.rmtree(folder, ignore_errors=True)


def _summary(quiz_set: QuizSet, folder: Path, count: int, students: int) -> list[str]:
    made = f"{count} variant{'s' if count > 1 else ''}" + (f" and one for each of {students} students" if students else "")
    if quiz_set.published:
        asked = [name for name, used in (("COUNT", count > 1), ("STUDENTS", students)) if used]
        made = "one sheet, as published, the same for everybody" + (f": {' and '.join(asked)} left out" if asked else "")
    report = json.loads((folder / "export_report.json").read_text(encoding="utf-8"))
    lines = [f"{quiz_set.id}: {len(quiz_set.questions)} questions, {made}"]
    brightspace = left_out(report, REPORTED_AS["d2lcsv"])
    others = [line for line in left_out(report) if line not in brightspace]
    return lines + [f"  {line}" for line in others] + [f"  {line}; so it is not written: import quiz.qti.zip in Brightspace"
                                                       for line in brightspace]


def paper(name: str, course_key: str, names: dict[str, str], size: str, output: Path) -> list[str]:
    """An examination on paper: everybody's sheet and answer form in one PDF, the index of variants, the keys."""
    try:
        from .paper import exam
    except ModuleNotFoundError:
        raise UsageError(NO_PDF) from None
    quiz_set = find_set(name, load_sets(load_bank()))
    models = Models()
    if quiz_set.published:
        quizzes = dict.fromkeys(names, checked(draw_quiz(quiz_set, models, course_key, "")))
    else:
        quizzes = dict(zip(names, map(checked, draw_more(quiz_set, models, course_key, list(names)))))
    models.close()
    shutil.rmtree(output / name / "keys", ignore_errors=True)
    made = exam.files(quiz_set, quizzes, names, size)
    for file, content in made.items():
        _write(output / name / file, content, True)
    notes = [f"note: {pair}" for pair in near.pairs(next(iter(quizzes.values())))]
    without = [student for student, called in names.items() if exam.written(student, called) == student != called]
    if without:
        notes.append(f"note: the fonts have no letters for the names of {', '.join(without)}; their sheets and forms show the id instead")
    return [relative(output / name / file) for file in made if "/" not in file] + notes


def practice(name: str, draws: int, output: Path) -> Path:
    """One page of so many draws. Also of a published quiz, whose questions are drawn anew here."""
    from .emit import practice as page
    models = Models()
    quiz_set = replace(find_set(name, load_sets(load_bank())), published=False)
    labels = [f"{page.PRACTICE}{number}" for number in range(1, draws + 1)]
    drawn = [checked(quiz) for quiz in draw_more(quiz_set, models, page.PRACTICE, labels)]
    models.close()
    target = output / name / "practice.html"
    _write(target, page.to_html(drawn), False)
    return target


def left_out(report: dict, only: str = "", most_named: int | None = 4) -> list[str]:
    """A line for each format of an export_report.json that does not carry every question; so many of them are named by reason."""
    lines = []
    for name, entry in report["formats"].items():
        if only not in ("", name):
            continue
        refused = [note for note in entry["notes"] if note["how"] == "refused"]
        if refused:
            by_reason: dict[str, list[str]] = {}
            for note in refused:
                by_reason.setdefault(note["reason"], []).append(note["question"])
            why = "; ".join(f"{', '.join(names[:most_named])}{' and others' if names[:most_named] != names else ''} ({reason})"
                            for reason, names in ((reason, sorted(set(found))) for reason, found in by_reason.items()))
            count = len({note["question"] for note in refused})
            where = "" if most_named is None else "; export_report.json has all"
            lines.append(f"{name} leaves out {count} of {entry['questions']} questions: {why}{where}")
    return lines


class _Child:
    """What a child of write_all() has: the jobs, inherited, because they hold code, which no pipe carries; and models of its own."""
    jobs: list[Job] = []
    models: Models


def _begin() -> None:
    _Child.models = Models()
    gc.set_threshold(200_000)  # a sheet makes many objects and few cycles


def _write_one(place: int, course_key: str) -> None:
    write(_Child.jobs[place], _Child.models, course_key)


def _write_all(work: list[Job], course_key: str) -> None:
    _Child.jobs = sorted(work, key=lambda job: not job.more)   # the long ones first
    terminal = sys.stderr.isatty()
    with ProcessPoolExecutor(len(os.sched_getaffinity(0)), get_context("fork"), _begin) as pool:
        for done, _ in enumerate(pool.map(_write_one, range(len(work)), [course_key] * len(work)), start=1):
            if terminal:
                print(f"\rsheets written: {done} of {len(work)}", end="\n" if done == len(work) else "", file=sys.stderr, flush=True)


def _has_pdf() -> bool:
    try:
        import reportlab  # noqa: F401
    except ModuleNotFoundError:
        return False
    return True
