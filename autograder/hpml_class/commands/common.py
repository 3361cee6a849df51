"""What grade, batch, aggregate and regrade share: options, the plan they make, and what they say at the end."""
import argparse
import os
import re
import subprocess
import sys
from pathlib import Path

from hpml_autograder import labspec
from hpml_autograder.backends import targets_of
from hpml_autograder.paths import ROOT, find_lab, known_gpus
from hpml_autograder.record import canonical, write_atomically

from ..batch import handins, local, opening, worker
from ..batch import plan as plans
from ..batch.finish import Finish, Finished, record_path
from ..batch.handins import HandIn
from ..batch.plan import Plan
from ..course import COMPILERS, load_course
from ..errors import InfraError, UsageError
from ..progress import Progress

RECEIPTS, EXTENSIONS, COURSE = "receipts.csv", "extensions.csv", "course.toml"


def add_grading(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--lab", help="lab1, lab3, ... (default: the one whose files the hand-ins hold)")
    parser.add_argument("--out", type=Path, help="folder of the results (default: build/grades/NAME)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="hand-ins at a time")
    parser.add_argument("--key-file", type=Path, help="course key for the hidden data and the MAC of records, mode 0400 (default: public key, no MAC)")
    parser.add_argument("--gpu", default="", help="simulated GPU (default: the lab's)")
    parser.add_argument("--cuda", choices=COMPILERS, default="", help="compiler of record (default: course.toml's, else clang)")
    parser.add_argument("--course", type=Path, help="course.toml: due times, late policy (default: the one in the folder)")
    parser.add_argument("--receipts", type=Path, help="receipts.csv: handin,received_at[,student] (the server's times)")
    parser.add_argument("--extensions", type=Path, help="extensions.csv: student,lab,due_at")
    parser.add_argument("--timeout", type=int, default=0, metavar="SECONDS",
                        help="limit for one hand-in (default: what the lab's own limits add up to)")
    parser.add_argument("--grader", default=plans.GRADER, help=argparse.SUPPRESS)  # another module with the same door


def expand(paths: list[str], out: Path, lab: str | None = None, single: list[str] | None = None) -> list[HandIn]:
    """Archives, git URLs and directories that hold a lab's files are one hand-in each, other directories many.
    What is in `single` is one hand-in each, whatever it holds."""
    found: list[HandIn] = []
    for text in [*paths, *(single or [])]:
        path = Path(text)
        if not path.exists() and opening.is_git_url(text):
            found.append(_cloned(text, out))
        elif handins.is_archive(path):
            suffix = next(end for end in sorted(handins.ARCHIVES, key=len, reverse=True) if text.lower().endswith(end))
            found.append(HandIn(handins.safe_id(os.fsencode(path.name), suffix), str(path.resolve())))
        elif path.is_dir() and (text in (single or []) or is_one(path, lab)):
            found.append(HandIn(handins.safe_id(os.fsencode(path.resolve().name)), str(path.resolve())))
        elif path.is_dir():
            found += [HandIn(one.id, str(Path(one.path).absolute()), one.problem) for one in handins.find(path)]
        else:
            raise UsageError(f"{text}: no directory, no archive ({', '.join(handins.ARCHIVES)}) and no git URL")
    called: dict[str, HandIn] = {}
    for one in found:
        other = called.setdefault(handins.same_file(one.id), one)
        if other is not one:
            raise UsageError(f"two hand-ins are called '{one.id}': {other.path} and {one.path}; rename one of them")
    return found


def _cloned(url: str, out: Path) -> HandIn:
    name = handins.safe_id(re.sub(r"\.git/?$", "", url).rstrip("/").split("/")[-1].encode())
    place = (out / "clones" / name).resolve()
    try:
        opening.clone(url, place)
    except opening.Refused as reason:  # a verdict on this hand-in; the others are graded
        return HandIn(name, str(place), str(reason))
    return HandIn(name, str(place))


def is_one(path: Path, lab: str | None) -> bool:
    """Does this directory hold a lab's files itself, or, the lab being known, nothing that could be a hand-in?"""
    for toml in (ROOT / "labs").glob("lab*_*/lab.toml"):
        files = labspec.load(toml).submit.files
        if any(os.path.lexists(path / place / file) for place in handins.roots(toml.parent.name) for file in files):
            return True
    return lab is not None and not handins.entries(path)


def make_plan(options: argparse.Namespace, found: list[HandIn], folder: Path | None) -> Plan:
    if options.jobs < 1:
        raise UsageError(f"{options.jobs} hand-ins at a time: give at least 1")
    if options.timeout < 0:
        raise UsageError(f"--timeout {options.timeout}: give seconds, or leave it out for the lab's own limits")
    if options.gpu and options.gpu not in known_gpus():
        raise UsageError(f"there is no simulated GPU '{options.gpu}'; known: {', '.join(known_gpus())}")
    lab = options.lab
    if lab is None:
        lab = handins.detect_lab([Path(one.path) for one in found if Path(one.path).is_dir() and not one.problem])
    find_lab(lab)
    beside = folder if folder is not None and folder.is_dir() else None

    def course_file(given: Path | None, name: str) -> str:
        if given is not None:
            return str(given.resolve())
        return str((beside / name).resolve()) if beside is not None and (beside / name).is_file() else ""

    course = course_file(options.course, COURSE)
    plan = Plan(plans.SCHEMA, lab, tuple(found), options.gpu, _compiler(options.cuda, course),
                str(options.key_file.resolve()) if options.key_file else "", options.grader, course,
                course_file(options.receipts, RECEIPTS),
                course_file(options.extensions, EXTENSIONS), options.timeout)
    plans.read_key(plan)  # a bad key file is found before the work, not after
    return plan


def _compiler(asked: str, course: str) -> str:
    """The compiler of record. Raises UsageError where the command and the course differ."""
    pinned = load_course(Path(course) if course else None).compiler
    if course and asked not in ("", pinned):
        raise UsageError(f"{course}: the compiler of record is {pinned}, not {asked}; leave out --cuda, or change the course for all")
    return asked or pinned


def build_needs(lab: str) -> None:
    """What the lab's programs need of this tree (the simulator, a tool, a library), unless HPML_BUILD_DIR says where that is."""
    targets = targets_of(labspec.load(find_lab(lab).lab / "lab.toml"))
    if targets and "HPML_BUILD_DIR" not in os.environ:
        if subprocess.run([ROOT / "tools/build.sh", *targets], stdout=sys.stderr, check=False).returncode != 0:
            raise InfraError(f"what {lab} needs could not be built (above)")


def check_course(out: Path, plan: Plan) -> None:
    """Reports mistakes in the course files, and names in them that no student has, before grading; `finish` reports the names again."""
    for sentence in Finish(out, plan).unmatched():
        print(f"note: {sentence}", file=sys.stderr)


def grade_all(out: Path, plan: Plan, jobs: int) -> Finished:
    check_course(out, plan)
    todo = local.unsettled(out, plan, range(len(plan.handins)))
    progress = Progress(len(todo), "graded")
    if len(todo) < len(plan.handins):
        progress.say(f"{len(plan.handins) - len(todo)} of {len(plan.handins)} are graded already")
    local.run(out, plan, todo, jobs, progress)
    progress.end()
    return finish(out, plan, worker.settings_of(plans.load_grader(plan), plan, find_lab(plan.lab)))


def finish(out: Path, plan: Plan, settings: str = "") -> Finished:
    return Finish(out, plan, settings).run()


def say(out: Path, finished: Finished) -> int:
    parts = [f"{finished.handins} hand-in{'' if finished.handins == 1 else 's'}"]
    parts += [f"{len(names)} {what}" for names, what in ((finished.missing, "could not be graded"),
                                                         (finished.pending, "pending"),
                                                         (finished.kept, "kept an earlier, better record")) if names]
    for sentence in finished.unmatched:
        print(f"note: {sentence}")
    print(f"{', '.join(parts)}: {out}/grades.csv, {out}/report.html, {out}/students/*/record.json")
    return finished.status


def copy_single(out: Path, plan: Plan) -> None:
    """One hand-in alone: its record where one looks first."""
    if len(plan.handins) == 1:
        from .. import recordfile
        write_atomically(out / "record.json", canonical(recordfile.load(record_path(out, plan.handins[0].id))))
