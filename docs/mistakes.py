"""docs/mistakes/LAB.md: typical mistakes, and what `make labN test` says of each (solutions/LAB/mistakes.toml)."""
import re
import shutil
import tempfile
import tomllib
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from hpml_autograder import labspec, wrong_answer
from hpml_autograder.changes import Change, changed
from hpml_autograder.paths import ROOT, LabDirs, find_lab, known_labs
from hpml_autograder.pipeline import Request, grade
from hpml_autograder.strict import fill
from hpml_autograder.table import clean
from hpml_autograder.verdict import Verdict

SCHEMA = "hpml.mistakes/v1"
PAGES = ROOT / "docs/mistakes"
HEAD = """# Typical mistakes in lab {number}, and what you are told

Each line is a mistake that beginners make, and what `make {lab} test` says of it. This page is written by a program that makes
each mistake and grades it (`docs/mistakes.py`).

| mistake | test | what it says |
|---|---|---|
"""


@dataclass(frozen=True)
class Mistake:
    title: str
    test: str                        # that looks for it
    says: tuple[str, ...] = ()       # words that the message must hold
    change: tuple[Change, ...] = ()  # of the solution
    wrong: str = ""                  # or a known wrong answer, bad/NAME.toml, with the words that it declares


@dataclass(frozen=True)
class Mistakes:
    schema: str
    mistake: tuple[Mistake, ...]


def labs() -> list[str]:
    """Those that have a page."""
    return [name for name in known_labs() if (find_lab(name).solution / "mistakes.toml").is_file()]


def page_of(lab: str) -> Path:
    return PAGES / f"{find_lab(lab).lab.name}.md"


def mistakes(lab: str) -> tuple[Mistake, ...]:
    dirs = find_lab(lab)
    path = dirs.solution / "mistakes.toml"
    found = fill(Mistakes, tomllib.loads(path.read_text(encoding="utf-8")), str(path))
    assert found.schema == SCHEMA, path
    return tuple(known(dirs, one) if one.wrong else one for one in found.mistake)


def known(dirs: LabDirs, mistake: Mistake) -> Mistake:
    answer = wrong_answer.load(dirs, mistake.wrong)
    return replace(mistake, change=answer.change, says=(answer.losses()[mistake.test].words,))


def told(lab: str, mistake: Mistake) -> str:
    """Why its test, or the first one that this requires, is not passed."""
    solution = find_lab(lab).solution
    names = {change.file for change in mistake.change}
    texts = {name: (solution / name).read_text(encoding="utf-8") for name in names}
    with tempfile.TemporaryDirectory(prefix="hpml-mistake-") as folder:
        source, scratch = Path(folder) / "hand-in", Path(folder) / "scratch"
        scratch.mkdir()
        shutil.copytree(solution, source, ignore=shutil.ignore_patterns("bad", "mistakes.toml"))
        for name, text in changed(texts, mistake.change).items():
            (source / name).write_text(text, encoding="utf-8")
        graded = grade(Request(lab, source=source, cuda="clang", only=mistake.test), scratch=scratch)
    failed = [graded.outcomes[test.id] for test in graded.tests]
    return next((clean(outcome.detail) for outcome in failed if outcome.verdict is not Verdict.AC), "")


def row(mistake: Mistake, said: str) -> str:
    return f"| {mistake.title} | `{mistake.test}` | {said.replace('|', chr(92) + '|')} |\n"


def comparable(lab: str, text: str) -> str:
    """Without the numbers that another processor or compiler may print otherwise: those of labs that nothing simulates."""
    spec = labspec.load(find_lab(lab).lab / "lab.toml")
    return text if spec.gpu else re.sub(r"\d[\d.e+-]*", "#", text)


def page(lab: str, say: Callable[[str], None]) -> str:
    text = HEAD.format(number=lab.removeprefix("lab"), lab=lab)
    for one in mistakes(lab):
        say(f"{lab}: {one.title}")
        text += row(one, told(lab, one))
    return text
