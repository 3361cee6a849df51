"""hpml quiz make | grade | check | stress | check-key | audit"""
import argparse
import os
import sys
from pathlib import Path

from . import audit, grade, make, roster
from .errors import BadQuestion, InfraError, UsageError
from .load import load, load_bank
from .models import Models
from .paths import OUTPUT, relative
from .quiz import find_set, load_sets
from .template import SCORINGS
from .validate import stress


def parser() -> argparse.ArgumentParser:
    top = argparse.ArgumentParser(prog="hpml quiz", description="Quizzes whose answers are computed.")
    actions = top.add_subparsers(dest="action", required=True)
    one = actions.add_parser("make", help="write every quiz and its key (make quizzes)")
    one.add_argument("quiz", nargs="*", default=os.environ.get("QUIZ", "").split(), help="only these (variable QUIZ)")
    one.add_argument("--seed", default=os.environ.get("SEED") or "public", help="course key (variable SEED)")
    one.add_argument("--count", default=os.environ.get("COUNT") or "1", help="variants of each quiz (variable COUNT)")
    one.add_argument("--students", default=os.environ.get("STUDENTS") or None, help="roster.csv (variable STUDENTS)")
    one.add_argument("--out", type=Path, default=OUTPUT, help="folder (default: build/quizzes)")
    one = actions.add_parser("grade", help="points for a file of responses")
    one.add_argument("responses", type=Path, help="CSV: student,1,2,... or student,question,response")
    one.add_argument("--quiz", default="quiz1", help="which quiz (default: quiz1)")
    one.add_argument("--keys", type=Path, default=OUTPUT, help="folder of make quizzes (default: build/quizzes)")
    one.add_argument("--scoring", choices=SCORINGS, help="rule for questions with several answers (default: the key's)")
    one = actions.add_parser("check", help="validate question files; every problem with its line")
    one.add_argument("files", nargs="*", type=Path, help="default: the whole bank")
    one.add_argument("--draws", type=int, default=1000, help="draws per question")
    one = actions.add_parser("check-key", help="is this a possible key of a quiz?")
    one.add_argument("key", type=Path, help='JSON: {"2": {"published_order": [1, 2]}, ...}')
    one.add_argument("--quiz", default="quiz1")
    one = actions.add_parser("audit", help="the page on Quiz 1's published key")
    one.add_argument("--out", type=Path, help="file to write (default: standard output)")
    return top


def run_make(options: argparse.Namespace) -> int:
    if not options.count.isdigit() or not 1 <= int(options.count) <= 1000:
        raise UsageError(f"COUNT={options.count}: must be a number from 1 to 1000")
    students = roster.read(Path(options.students)) if options.students else []
    print(make.make(options.seed, int(options.count), students, options.quiz, options.out))
    return 0


def run_grade(options: argparse.Namespace) -> int:
    graded, key = grade.grade(options.responses, options.keys / options.quiz, options.scoring)
    print(grade.as_csv(graded, key), end="")
    return 0


def _files(paths: list[Path]) -> list[Path]:
    found = []
    for path in paths:
        if not path.exists():
            raise UsageError(f"{relative(path)}: there is no such file")
        found += sorted(path.rglob("*.toml")) if path.is_dir() else [path]
    return found


def run_check(options: argparse.Namespace) -> int:
    files = _files(options.files) or sorted(template.path for template in load_bank().values())
    models, bad, problems = Models(), 0, 0
    for path in files:
        try:
            found = stress(load(path), models, options.draws).problems
        except BadQuestion as error:
            found = [error.problem]
        bad, problems = bad + bool(found), problems + len(found)
        for problem in found:
            print(problem)
    models.close()
    print(f"{len(files) - bad} of {len(files)} questions are sound; {problems} problems")
    return 1 if problems else 0


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


def main(arguments: list[str] | None = None) -> int:
    try:
        options = parser().parse_args(arguments)
    except SystemExit as stop:
        return int(stop.code or 0)
    actions = {"make": run_make, "grade": run_grade, "check": run_check, "check-key": run_check_key, "audit": run_audit}
    try:
        return actions[options.action](options)
    except UsageError as error:
        print(f"hpml quiz: {error}", file=sys.stderr)
        return 2
    except InfraError as error:
        print(f"hpml quiz: {error}", file=sys.stderr)
        return 3
    except OSError as error:
        print(f"hpml quiz: {error.filename or ''}: {error.strerror}", file=sys.stderr)
        return 3
