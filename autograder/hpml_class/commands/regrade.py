"""Grades again what a changed harness, key or target changes, and lists old and new.

    hpml regrade results

Only hand-ins whose (submission, harness, seed, target) is not in the store are graded. What they had before is kept in
OUT/regrade/<harness>/old.json, the comparison is diff.html and diff.csv beside it. Stopped and started again it goes on,
and compares with the same old results. A grading that fails leaves the old record where it is.
"""
import argparse
import json
import os
import sys
from pathlib import Path

from hpml_autograder import labspec
from hpml_autograder.paths import find_lab
from hpml_autograder.record import canonical, write_atomically

from .. import recordfile, regrade, requests
from ..batch import plan as plans
from ..batch import worker
from ..batch.finish import Finish, record_path
from ..emit.escape import one_line
from ..errors import UsageError
from . import common

NAME = "regrade"
HELP = "grade again what a changed harness changes, and list old and new"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("results", type=Path, metavar="OUT", help="folder of results of hpml batch or hpml grade")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="hand-ins at a time")
    parser.add_argument("--requests", type=Path, metavar="DIR",
                        help="grade nothing; list the regrade_request.toml files that students have filled in, in DIR and below")
    parser.add_argument("--key-file", type=Path, help="another course key than the first time")


def run(options: argparse.Namespace) -> int:
    out = options.results.resolve()
    plan = plans.load(out)
    if options.requests:
        return list_requests(out, {handin.id for handin in plan.handins}, options.requests)
    if options.key_file:
        plan = plans.with_key(plan, options.key_file)
        plans.save(plan, out)
    finish = Finish(out, plan)
    if not any(out.glob("students/*/record.json")):
        raise UsageError(f"{out} has no records yet; run hpml grade or hpml batch first")
    common.build_needs(plan.lab)
    settings = worker.settings_of(plans.load_grader(plan), plan, find_lab(plan.lab))
    harness, seed_id, _ = settings.split(" ", 2)
    folder = out / "regrade" / f"{harness[:12]}-{seed_id}"
    old_file = folder / "old.json"
    if not old_file.is_file():
        write_atomically(old_file, canonical(_briefs(finish)))
    old = json.loads(old_file.read_text(encoding="utf-8"))
    finished = common.grade_all(out, plan, options.jobs)
    changes = regrade.compare(old, _briefs(finish))
    title = labspec.load(find_lab(plan.lab).lab / "lab.toml").title
    write_atomically(folder / "diff.csv", regrade.as_csv(changes))
    write_atomically(folder / "diff.html", regrade.as_page(changes, len(plan.handins), title, harness))
    print(f"{len(changes)} of {len(plan.handins)} hand-ins changed: {folder}/diff.html")
    return common.say(out, finished)


def list_requests(out: Path, known: set[str], folder: Path) -> int:
    """OUT/regrade/requests.csv: every request beside what the record says. 1 where a form is not to be used, each by name."""
    forms = sorted(folder.rglob("*.toml"))
    if not forms:
        raise UsageError(f"{folder}: there is no {requests.FILE} in it or below")
    found, bad, blank = [], [], 0
    for path in forms:
        try:
            form = requests.load(path)
            if form.handin not in known:
                raise UsageError(f"{path}: there is no hand-in '{one_line(form.handin)}' in {out}")
            rows = requests.rows(form, recordfile.load(record_path(out, form.handin)), str(path))
            found, blank = found + rows, blank + (not rows)
        except UsageError as error:
            bad.append(str(error))
    target = out / "regrade" / "requests.csv"
    write_atomically(target, requests.as_csv(found))
    for line in bad:
        print(f"hpml regrade: {line}", file=sys.stderr)
    print(f"requests: {len(found)}: {target}" + (f"; forms that are not filled in: {blank}" if blank else "")
          + (f"; forms that cannot be used: {len(bad)}, named above" if bad else ""))
    return 1 if bad else 0


def _briefs(finish: Finish) -> dict[str, regrade.Brief]:
    return {handin.id: regrade.brief(record) for handin, record in finish.records(missing_ok=True)}
