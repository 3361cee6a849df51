"""After the grading: a final record and feedback for each hand-in, the gradebook, the summary and the class report.

Everything here is made from the store again each time, so it does not matter when an earlier finish was stopped.
"""
import datetime
import difflib
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import hpml_gradebook
from hpml_autograder import labspec, seeds
from hpml_autograder.ledger import remove_parts
from hpml_autograder.paths import LabDirs, find_lab
from hpml_autograder.record import canonical, seal, write_atomically

from .. import course as courses
from .. import feedback, recordfile, requests
from ..classreport import alike, page, rubric
from ..classreport import data as report
from ..emit import gradebook
from ..errors import InfraError, UsageError
from ..late import lateness
from ..marks import Record, decimal, net
from ..redact import redact
from ..similarity import Group, Pair, groups, pairs
from ..standing import Entry, better, counts
from . import handins, opening, worker
from . import plan as plans
from .handins import HandIn
from .plan import Plan
from .standin import missing
from .store import Store


@dataclass(frozen=True)
class Finished:
    handins: int
    missing: list[str]  # ids without a score of their own: infra_error
    pending: list[str]
    kept: list[str]     # ids whose earlier, better record was kept
    unmatched: list[str]  # sentences: lines of receipts and extensions that belong to nobody, hand-ins without a receipt

    @property
    def status(self) -> int:
        return 3 if self.missing else 0


def record_path(out: Path, handin: str) -> Path:
    return out / "students" / handin / "record.json"


class Finish:
    def __init__(self, out: Path, plan: Plan, settings: str = "") -> None:
        """settings: of the grading that has just ended (worker.settings_of); scores made with others are none of its."""
        self.settings = settings
        self.out, self.plan = out, plan
        self.dirs: LabDirs = find_lab(plan.lab)
        self.spec = labspec.load(self.dirs.lab / "lab.toml")
        self.course = courses.load_course(_path(plan.course))
        self.receipts = courses.load_receipts(_path(plan.receipts))
        self.extensions = courses.load_extensions(_path(plan.extensions))
        self.key = plans.read_key(plan)
        self.store = Store(out, self.key)

    def run(self) -> Finished:
        with self.store.alone("finish"):
            remove_parts(self.out, *self.out.glob("students/*"))
            return self._run()

    def _run(self) -> Finished:
        kept = []
        for handin in self.plan.handins:
            if not self._finish(handin):
                kept.append(handin.id)
        statuses: dict[str, str] = {}
        compilers: dict[str, list[str]] = {}
        for handin, record in self.records():
            statuses[handin.id] = record["status"]
            if compiler := record["volatile"].get("host", {}).get("compiler"):
                compilers.setdefault(compiler, []).append(handin.id)
        self._gradebook()
        self.report()
        return Finished(len(statuses), [name for name, status in statuses.items() if status == "infra_error"],
                        [name for name, status in statuses.items() if status == "inconclusive"], kept, [*self.unmatched(), *_mixed(compilers)])

    def unmatched(self) -> Iterator[str]:
        """A misspelt name would make a late hand-in punctual, or an extension vanish."""
        for handin in filter(handins.is_renamed, self.plan.handins):
            yield f"{Path(handin.path).name!r} is called {handin.id} here: its own name is taken, or no safe file name"
        ids = {handin.id for handin in self.plan.handins}
        students = {self.student(handin) for handin in self.plan.handins}
        if self.course.late.policy != "none" and self.course.due_at(self.plan.lab) is not None and not self.receipts:
            yield f"{self.plan.lab} has a due time, and no receipts.csv says when hand-ins came: nobody is counted as late"
        if self.receipts and (silent := sorted(ids - set(self.receipts))):
            yield f"no receipt for {'; '.join(silent)}: not counted as late"
        if strange := sorted(set(self.receipts) - ids):
            yield f"receipts of hand-ins that are not there: {'; '.join(_with_near(name, ids) for name in strange)}"
        if nobody := sorted({student for student, lab in self.extensions if lab == self.plan.lab} - students):
            yield f"extensions of students who have handed in nothing: {'; '.join(_with_near(name, students) for name in nobody)}"

    def records(self, missing_ok: bool = False) -> Iterator[tuple[HandIn, Record]]:
        """One at a time, from the disk: a class does not have to fit into memory."""
        for handin in self.plan.handins:
            if missing_ok and not record_path(self.out, handin.id).is_file():
                continue
            yield handin, self._load(record_path(self.out, handin.id))

    def _load(self, path: Path) -> Record:
        """A record with the MAC of this course key. Without it only one of another key, which a failed regrade has left there."""
        record = recordfile.load(path)
        if record["seed_id"] == seeds.seed_id(self.key or seeds.PUBLIC_KEY):
            recordfile.refuse_forged(record, path, self.key)
        return record

    def student(self, handin: HandIn) -> str:
        receipt = self.receipts.get(handin.id)
        return receipt.student if receipt and receipt.student else handin.id

    def _received(self, handin: HandIn) -> datetime.datetime | None:
        receipt = self.receipts.get(handin.id)
        return receipt.received_at if receipt else None

    def _finish(self, handin: HandIn) -> bool:
        """False when the record that was there is the better one and stays."""
        record = self.named(handin, self._graded(handin))
        path = record_path(self.out, handin.id)
        old = self._earlier(path)
        same_files = old is not None and old["submission"].get("sha256") == record["submission"].get("sha256")
        if not better(record, old) and (same_files or record["status"] == "infra_error"):
            return False
        failed_again = record["status"] != "infra_error" and bool(self.store.problem(handin.id))
        text = canonical(record)
        if not path.is_file() or path.read_text(encoding="utf-8") != text:
            write_atomically(path, text)
        self._feedback(path.parent, record)
        return not failed_again

    def _earlier(self, path: Path) -> Record | None:
        try:
            return self._load(path)
        except UsageError:
            return None

    def _feedback(self, folder: Path, record: Record) -> None:
        """The files for the student: feedback as text and as a page, and a form for a regrade request."""
        seen = redact(record, "student")
        content = feedback.lines(seen, self.spec, record["submission"]["student"])
        write_atomically(folder / "feedback.md", feedback.to_text(content))
        write_atomically(folder / "feedback.html", feedback.to_html(content))
        if not requests.is_filled(folder / requests.FILE):
            write_atomically(folder / requests.FILE, requests.blank(seen))

    def _graded(self, handin: HandIn) -> Record:
        pointer = self.store.pointer(handin.id)
        if pointer and self.settings not in ("", pointer.identity):
            return missing(self.spec, self.dirs, self.key, "another grading, with other settings, has worked in the same folder of results "
                           "at the same time; grade again")
        record = self.store.record(pointer.key) if pointer else None
        reason = self.store.problem(handin.id) or "no record: the grader has not come to an end with it"
        return record or missing(self.spec, self.dirs, self.key, reason)

    def named(self, handin: HandIn, record: Record) -> Record:
        """The record of this student: who, when, how late. Grading knows nothing of these."""
        received = self._received(handin)
        due = self.course.due_at(self.plan.lab)
        extension = self.extensions.get((self.student(handin), self.plan.lab))
        late = lateness(received, due, self.course.late, record["total_millipoints"], record["max_millipoints"], extension)
        submission = {**record["submission"], "id": handin.id, "student": self.student(handin),
                      "received_at": received.strftime("%Y-%m-%dT%H:%M:%SZ") if received else None}
        return seal({**record, "submission": submission,
                     "late": {"days": late.days, "deduction_millipoints": late.deduction, "reason": late.reason}}, self.key)

    def report(self) -> None:
        """summary.json and report.html."""
        named = ((self.student(handin), record) for handin, record in self.records())
        found, many = self._alike()
        data = report.collect(self.spec.title, self.spec.floor_millipoints, named, found, many)
        write_atomically(self.out / "summary.json", canonical(report.summary(data)))
        write_atomically(self.out / "report.html", page.render(data))
        views = rubric.collect((handin.id, record) for handin, record in self.records())
        write_atomically(self.out / "rubric.html", rubric.render(self.spec.title, views))
        shown = {name for two in alike.shown(found, many) for name in two}
        texts = {handin.id: self._texts(handin) for handin in self.plan.handins if handin.id in shown}
        write_atomically(self.out / "alike.html", alike.render(self.spec.title, found, texts,
                                                                  worker.texts_of(self.dirs.src, self.spec), many))

    def _texts(self, handin: HandIn) -> dict[str, str]:
        """Its files again, from the directory or archive that the instructor has; none where that is gone."""
        with tempfile.TemporaryDirectory(prefix="hpml-alike-") as scratch:
            try:
                return worker.texts_of(opening.source_of(Path(handin.path), Path(scratch) / "unpacked", self.dirs, self.spec), self.spec)
            except (OSError, InfraError, opening.Refused):
                return {}

    def _alike(self) -> tuple[list[Pair], list[Group]]:
        """Two who share what others have not, in all files together; and many who share a program, file by file."""
        starter = worker.prints_of(self.dirs.src, self.spec)
        prints = {handin.id: self.store.prints(handin.id) for handin in self.plan.handins}
        alike = pairs({name: set().union(*own.values()) for name, own in prints.items()}, set().union(*starter.values()))
        programs = dict.fromkeys(source for program in self.spec.program for source in program.sources)
        return alike, [group for file in programs
                       for group in groups({name: own[file] for name, own in prints.items()}, starter[file], file)]

    def standing(self) -> dict[str, str]:
        """student -> the hand-in that counts."""
        by_student: dict[str, list[Entry]] = {}
        for handin, record in self.records():
            brief = {name: record[name] for name in ("status", "total_millipoints", "late")}
            brief["id"] = handin.id
            by_student.setdefault(self.student(handin), []).append(Entry(brief, self._received(handin)))
        return {student: counts(entries, self.course.keep).record["id"] for student, entries in by_student.items()}

    def _gradebook(self) -> None:
        standing = set(self.standing().values())
        records = (record for handin, record in self.records() if handin.id in standing)
        write_atomically(self.out / "grades.csv", gradebook.table(records))
        grades = [hpml_gradebook.Grade(self.student(handin), decimal(net(record))) for handin, record in self.records()
                  if handin.id in standing and record["status"] == "ok"]
        possible = decimal(self.spec.total_millipoints)
        write_atomically(self.out / "grades_canvas.csv", hpml_gradebook.canvas(self.spec.title, possible, grades))
        write_atomically(self.out / "grades_moodle.csv", hpml_gradebook.moodle(self.spec.title, grades))


def _with_near(name: str, known: set[str]) -> str:
    near = difflib.get_close_matches(name, sorted(known), 1)
    return f"{name} (did you mean {near[0]}?)" if near else name


def _path(text: str) -> Path | None:
    return Path(text) if text else None


def _mixed(compilers: dict[str, list[str]]) -> Iterator[str]:
    """Machines of one batch may have different versions of the compiler of record."""
    if len(compilers) > 1:
        counts = ", ".join(f"{name} ({len(handins)})" for name, handins in sorted(compilers.items()))
        yield f"the hand-ins were not all compiled by the same compiler, so their counters may differ: {counts}"
