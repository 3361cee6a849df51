"""A semester's files: all their mistakes at once, and the page that students get.

    hpml course check DIR              course.toml, receipts.csv and extensions.csv in DIR; exit code 1 when something is wrong
    hpml course page DIR -o page.html  the weekly plan: labs, quizzes, due times, late policy
"""
import argparse
import sys
from pathlib import Path

from hpml_autograder import labspec
from hpml_autograder.paths import ROOT, find_lab
from hpml_autograder.record import write_atomically

from .. import course as courses
from .. import semester
from ..errors import UsageError

NAME = "course"
HELP = "check a semester's files; write its page"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("what", choices=("check", "page"))
    parser.add_argument("folder", type=Path, metavar="DIR", help="folder with course.toml, and receipts.csv and extensions.csv if there are any")
    parser.add_argument("-o", "--output", type=Path, help="page: file to write (default: standard output)")


def _read(folder: Path) -> str:
    """Which files were read, so that a misspelt name is seen."""
    known = ["course.toml", courses.RECEIPTS, courses.EXTENSIONS]
    read = [name for name in known if (folder / name).is_file()]
    others = sorted(path.name for path in folder.iterdir() if path.suffix in (".csv", ".toml") and path.name not in known)
    return "; ".join([f"read: {', '.join(read)}", *(f"no {name}" for name in known if name not in read),
                      *([f"not looked at: {', '.join(others)}"] if others else [])])


def run(options: argparse.Namespace) -> int:
    if not (options.folder / "course.toml").is_file():
        raise UsageError(f"{options.folder} holds no course.toml")
    sets = ROOT / "quizzes/sets"
    found = courses.mistakes(options.folder, sorted(path.stem for path in sets.glob("*.toml")))
    for line in found:
        print(line, file=sys.stderr)
    if found or options.what == "check":
        print(f"{len(found)} mistake{'' if len(found) == 1 else 's'} in {options.folder} ({_read(options.folder)})")
        return 1 if found else 0
    course = courses.load_course(options.folder / "course.toml")
    labs = {lab: labspec.load(find_lab(lab).lab / "lab.toml").title for lab in course.due}
    text = semester.page(course, labs | semester.quiz_titles(sets, course.quizzes))
    if options.output:
        write_atomically(options.output, text)
    else:
        print(text, end="")
    return 0
