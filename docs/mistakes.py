"""docs/lab3_mistakes.md: typical mistakes, and what `make lab3 test` says of each (solutions/lab3_cuda/mistakes.toml)."""
import tempfile
import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from hpml_autograder.changes import Change, changed
from hpml_autograder.paths import find_lab
from hpml_autograder.pipeline import Request, grade
from hpml_autograder.strict import fill
from hpml_autograder.table import clean
from hpml_autograder.verdict import Verdict

LAB = find_lab("lab3")
SCHEMA = "hpml.mistakes/v1"
HEAD = """# Typical mistakes in lab 3, and what you are told

Each line is a mistake that beginners make, and what `make lab3 test` says of it. This page is written by a program that makes
each mistake and grades it (`docs/mistakes.py`).

| mistake | test | what it says |
|---|---|---|
"""


@dataclass(frozen=True)
class Mistake:
    title: str
    test: str                   # that looks for it
    says: tuple[str, ...]       # words that the message must hold
    change: tuple[Change, ...]  # of the solution


@dataclass(frozen=True)
class Mistakes:
    schema: str
    mistake: tuple[Mistake, ...]


def mistakes() -> tuple[Mistake, ...]:
    path = LAB.solution / "mistakes.toml"
    found = fill(Mistakes, tomllib.loads(path.read_text(encoding="utf-8")), str(path))
    assert found.schema == SCHEMA, path
    return found.mistake


def told(mistake: Mistake) -> str:
    """Why its test, or the first one that this requires, is not passed."""
    names = {change.file for change in mistake.change}
    texts = {name: (LAB.solution / name).read_text(encoding="utf-8") for name in names}
    with tempfile.TemporaryDirectory(prefix="hpml-mistake-") as folder:
        source, scratch = Path(folder) / "hand-in", Path(folder) / "scratch"
        source.mkdir()
        scratch.mkdir()
        for name, text in changed(texts, mistake.change).items():
            (source / name).write_text(text, encoding="utf-8")
        graded = grade(Request("lab3", source=source, cuda="clang", only=mistake.test), scratch=scratch)
    failed = [graded.outcomes[test.id] for test in graded.tests]
    return next((clean(outcome.detail) for outcome in failed if outcome.verdict is not Verdict.AC), "")


def row(mistake: Mistake, said: str) -> str:
    return f"| {mistake.title} | `{mistake.test}` | {said.replace('|', chr(92) + '|')} |\n"


def page(say: Callable[[str], None]) -> str:
    text = HEAD
    for one in mistakes():
        say(one.title)
        text += row(one, told(one))
    return text
