"""hpml quiz make | draw | key | export | practice | paper | scan | grade | check | stress | mutate | check-key | audit"""
import argparse
import os
import sys
from pathlib import Path

from . import audit, grade, items, make, mutate, near, recheck, roster
from .emit import record
from .errors import BadQuestion, InfraError, UsageError
from .load import load, load_bank
from .make import FORMATS
from .models import Models
from .paths import OUTPUT, PAPER, relative
from .quiz import Quiz, draw_quiz, find_set, key_json, load_sets
from .template import SCORINGS
from .validate import stress

SCAN_PACKAGES = {"PIL": "python3-pil", "zbar": "python3-zbar", "numpy": "python3-numpy"}
LEAST_SEED = 16  # letters


def _draws(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text} is no number from 1")
    return int(text)


def parser() -> argparse.ArgumentParser:
    top = argparse.ArgumentParser(prog="hpml quiz", description="Quizzes whose answers are computed.")
    actions = top.add_subparsers(dest="action", required=True)
    one = actions.add_parser("make", help="write every quiz and its key (make quizzes)")
    one.add_argument("quiz", nargs="*", default=os.environ.get("QUIZ", "").split(), help="only these (variable QUIZ)")
    one.add_argument("--seed", default=os.environ.get("SEED") or "public", help="course key (variable SEED)")
    one.add_argument("--count", default=os.environ.get("COUNT") or "1", help="variants of each quiz (variable COUNT)")
    one.add_argument("--students", default=os.environ.get("STUDENTS") or None, help="roster.csv (variable STUDENTS)")
    one.add_argument("--out", type=Path, default=OUTPUT, help="folder (default: build/quizzes)")
    for name, what in (("draw", "a drawn quiz with its answers, as JSON (hpml.quiz/v1)"), ("key", "its key, as JSON")):
        one = actions.add_parser(name, help=what)
        one.add_argument("quiz")
        one.add_argument("--seed", default="public", help="course key")
        one.add_argument("--label", default="v1", help="variant (v1, v2, ...) or student")
    one = actions.add_parser("export", help="one format of one quiz")
    one.add_argument("quiz")
    one.add_argument("--format", required=True, choices=FORMATS)
    one.add_argument("--seed", default="public", help="course key")
    one.add_argument("--variants", default="1", help="how many")
    one.add_argument("--out", type=Path, required=True, help="folder")
    one.add_argument("--with-answers", action="store_true", help="md, html, pdf: the answer key as well")
    one.add_argument("--incomplete", action="store_true", help="write the file without the questions that the format cannot carry")
    one = actions.add_parser("practice", help="one offline page per quiz: answer, be corrected, draw anew")
    one.add_argument("quiz", nargs="*", help="only these")
    one.add_argument("--draws", default="20", help="different draws of each question (default: 20)")
    one.add_argument("--out", type=Path, default=OUTPUT, help="folder (default: build/quizzes)")
    one = actions.add_parser("paper", help="an examination: everybody's sheet and answer form in one PDF")
    one.add_argument("quiz")
    one.add_argument("--students", type=Path, required=True, help="roster.csv: student and, if you like, name")
    one.add_argument("--paper", choices=("a4", "letter"), default="a4", help="size (default: a4)")
    one.add_argument("--seed", default="public", help="course key")
    one.add_argument("--out", type=Path, default=PAPER, help="folder (default: build/paper)")
    one = actions.add_parser("scan", help="scanned answer forms: the file of responses that grade takes")
    one.add_argument("scans", nargs="+", type=Path, help="PDF, PNG, JPEG or TIFF")
    one.add_argument("--quiz", required=True, help="which quiz")
    one.add_argument("--keys", type=Path, default=PAPER, help="folder of hpml quiz paper (default: build/paper)")
    one = actions.add_parser("grade", help="points for a file of responses")
    one.add_argument("responses", type=Path, help="CSV: student,1,2,... or student,question,response")
    one.add_argument("--quiz", default="quiz1", help="which quiz (default: quiz1)")
    one.add_argument("--keys", type=Path, default=OUTPUT, help="folder of make quizzes (default: build/quizzes)")
    one.add_argument("--as", dest="platform", choices=grade.GRADEBOOKS, help="the totals as a file that this platform's gradebook imports")
    one.add_argument("--items", type=Path, metavar="FILE", help="CSV to write: difficulty, discrimination and chosen options of each question")
    one.add_argument("--scoring", choices=SCORINGS, help="rule for questions with several answers (default: the key's)")
    one = actions.add_parser("check", help="validate question files, every problem with its line; or read an exported file back")
    one.add_argument("files", nargs="*", type=Path, help="*.toml, or what make quizzes exported; default: the whole bank")
    one.add_argument("--draws", type=_draws, default=1000, help="draws per question")
    one = actions.add_parser("stress", help="draw every question of a quiz many times")
    one.add_argument("quiz")
    one.add_argument("--draws", type=_draws, default=1000, help="draws per question")
    one = actions.add_parser("mutate", help="change one operator at a time in what computes the keys: is each change noticed?")
    one.add_argument("files", nargs="*", type=Path, help="*.toml; default: the whole bank")
    one.add_argument("--draws", type=_draws, default=50, help="draws per change")
    one = actions.add_parser("check-key", help="is this a possible key of a quiz?")
    one.add_argument("key", type=Path, help='JSON: {"2": {"published_order": [1, 2]}, "w02_search": {"parameters": {...}, "parts": ["5"]}, ...}')
    one.add_argument("--quiz", default="quiz1")
    one = actions.add_parser("audit", help="the page on Quiz 1's published key")
    one.add_argument("--out", type=Path, help="file to write (default: standard output)")
    return top


def _count(name: str, text: str) -> int:
    if not text.isdecimal() or not 1 <= int(text) <= 1000:
        raise UsageError(f"{name}={text}: must be a number from 1 to 1000")
    return int(text)


def run_make(options: argparse.Namespace) -> int:
    count = _count("COUNT", options.count)
    students = roster.read(Path(options.students)) if options.students else []
    made = make.make(options.seed, count, students, options.quiz, options.out)
    _say_weak(options.seed)
    print(made)
    return 0


def _say_weak(seed: str) -> None:
    """A student can draw the sheet with every likely seed, and knows by the numbers on it when it was the right one."""
    if len(seed) < LEAST_SEED:
        print(f"note: a seed of {len(seed)} letters can be found out with one sheet of the quiz, and gives all keys; use {LEAST_SEED} "
              "random letters or more: head -c 16 /dev/urandom | base64", file=sys.stderr)


def run_practice(options: argparse.Namespace) -> int:
    count = _count("--draws", options.draws)
    for name in options.quiz or load_sets(load_bank()):
        print(relative(make.practice(name, count, options.out)))
    return 0


def run_paper(options: argparse.Namespace) -> int:
    names = roster.read_named(options.students)
    _say_weak(options.seed)
    print("\n".join(make.paper(options.quiz, options.seed, names, options.paper, options.out)))
    return 0


def run_scan(options: argparse.Namespace) -> int:
    try:
        from .paper import scan
    except ModuleNotFoundError as error:
        if error.name not in SCAN_PACKAGES:
            raise
        raise UsageError(f"to read scanned forms, install {SCAN_PACKAGES[error.name]}: sudo apt-get install "
                         f"{' '.join(SCAN_PACKAGES.values())}") from None
    found = scan.read(options.scans, options.keys / options.quiz, options.quiz)
    print(scan.as_csv(found), end="")
    for line in found.doubts:
        print(line, file=sys.stderr)
    students, doubts = len(found.responses), len(found.doubts)
    print(f"{students} student{'' if students == 1 else 's'} read; {doubts} line{'' if doubts == 1 else 's'} above to look at"
          + ("; write what you see in place of each ? of the responses" if doubts else ""), file=sys.stderr)
    return 0


def _drawn(options: argparse.Namespace, label: str) -> Quiz:
    models = Models()
    quiz = make.checked(draw_quiz(find_set(options.quiz, load_sets(load_bank())), models, options.seed, label))
    models.close()
    for pair in near.pairs(quiz):
        print(f"note: {pair}", file=sys.stderr)
    return quiz


def run_draw(options: argparse.Namespace) -> int:
    print(record.to_json(_drawn(options, options.label)), end="")
    return 0


def run_key(options: argparse.Namespace) -> int:
    print(key_json(_drawn(options, options.label)), end="")
    return 0


def run_export(options: argparse.Namespace) -> int:
    count = _count("--variants", options.variants)
    for number in range(1, count + 1):
        folder = options.out / f"v{number}" if count > 1 else options.out
        quiz = _drawn(options, f"v{number}")
        if count > 1 and not quiz.variant:
            raise UsageError(f"{quiz.id} is the same for everybody, as it was published: leave out --variants")
        written, missing = make.export(quiz, options.format, folder, options.with_answers, options.incomplete)
        print("\n".join(written))
        for line in missing:
            print(f"hpml quiz: {quiz.id}: {line}", file=sys.stderr)
    return 0


def run_grade(options: argparse.Namespace) -> int:
    if not (options.keys / options.quiz).is_dir():
        find_set(options.quiz, load_sets(load_bank()))  # a misspelt name is told as one
    marked = grade.grade(options.responses, options.keys / options.quiz, options.scoring)
    title = find_set(options.quiz, load_sets(load_bank())).title if options.platform else ""
    print(grade.GRADEBOOKS[options.platform](title, marked.graded) if options.platform else grade.as_csv(marked.graded), end="")
    if options.items:
        options.items.write_text(items.table(marked.graded), encoding="utf-8")
    for line in [*(note for one in marked.graded for note in one.notes), *marked.summary]:
        print(line, file=sys.stderr)
    return 0


def _files(paths: list[Path]) -> list[Path]:
    found = []
    for path in paths:
        if not path.exists():
            raise UsageError(f"{relative(path)}: there is no such file")
        found += sorted(path.rglob("*.toml")) if path.is_dir() else [path]
    return found


def _stressed(files: list[Path], draws: int) -> int:
    models, bad, problems = Models(), 0, 0
    for path in files:
        try:
            found = stress(load(path), models, draws).problems
        except BadQuestion as error:
            found = [error.problem]
        bad, problems = bad + bool(found), problems + len(found)
        for problem in found:
            print(problem)
    models.close()
    print(f"{len(files) - bad} of {len(files)} questions are sound; {problems} problems")
    return 1 if problems else 0


def run_check(options: argparse.Namespace) -> int:
    exported = [path for path in options.files if recheck.is_exported(path)]
    defects = [defect for path in exported for defect in recheck.recheck(path)]
    for line in defects:
        print(line)
    if exported:
        print(f"{len(exported)} exported files, {len(defects)} problems")
    questions = [path for path in options.files if path not in exported]
    if exported and not questions:
        return 1 if defects else 0
    files = _files(questions) or sorted(template.path for template in load_bank().values())
    return max(_stressed(files, options.draws), 1 if defects else 0)


def run_stress(options: argparse.Namespace) -> int:
    quiz_set = find_set(options.quiz, load_sets(load_bank()))
    return _stressed([template.path for template in quiz_set.questions], options.draws)


def run_mutate(options: argparse.Namespace) -> int:
    models, noticed, same_key, survived = Models(), 0, 0, 0
    for path in _files(options.files) or sorted(template.path for template in load_bank().values()):
        result = mutate.examine(load(path), models, options.draws)
        noticed, same_key, survived = noticed + result.noticed, same_key + result.same_key, survived + len(result.survived)
        for mutant in result.survived:
            print(f"{relative(path)}:{mutant.line}: not noticed: {mutant.change}; give a second way by check or must_hold")
    models.close()
    print(f"{noticed + same_key + survived} changes: {noticed} noticed, {same_key} leave every key as it is, {survived} not noticed")
    return 1 if survived else 0


def run_check_key(options: argparse.Namespace) -> int:
    models = Models()
    quiz_set = find_set(options.quiz, load_sets(load_bank()))
    problems = audit.check_key_file(quiz_set, options.key, models)
    for problem in problems:
        print(problem)
    print(f"{len(problems)} problems")
    return 1 if problems else 0


def run_audit(options: argparse.Namespace) -> int:
    text = audit.page(Models())
    if options.out:
        options.out.write_text(text, encoding="utf-8")
    else:
        print(text, end="")
    return 0


ACTIONS = {"make": run_make, "draw": run_draw, "key": run_key, "export": run_export, "practice": run_practice, "paper": run_paper, "scan": run_scan,
           "grade": run_grade, "check": run_check,
           "stress": run_stress, "mutate": run_mutate, "check-key": run_check_key, "audit": run_audit}


def main(arguments: list[str] | None = None) -> int:
    try:
        options = parser().parse_args(arguments)
    except SystemExit as stop:
        return int(stop.code or 0)
    try:
        return ACTIONS[options.action](options)
    except UsageError as error:
        print(f"hpml quiz: {error}", file=sys.stderr)
        return 2
    except InfraError as error:
        print(f"hpml quiz: {error}", file=sys.stderr)
        return 3
    except OSError as error:
        print(f"hpml quiz: {error.filename or ''}: {error.strerror}", file=sys.stderr)
        return 2 if isinstance(error, (FileNotFoundError, IsADirectoryError, NotADirectoryError, PermissionError)) else 3
