"""Searches an exported tree for what must not be in it (autograder specification, section 14): pure reading.

Canaries: every file of a lab's solution holds the word in solutions/CANARY, so a copy of a whole file is noticed whatever
it is called. Bodies: a function of a solution is noticed without its file, comments and white space.
"""
import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from hpml_autograder import labspec
from hpml_autograder.paths import ROOT, LabDirs

from .leaked_answers import leaks
from .tree import load_rules
from .written import Written, key_of

C_SUFFIXES = {".c", ".cpp", ".cu", ".cuh", ".h", ".hpp"}
FORBIDDEN = ("solutions", "adversaries", "quizzes", ".git", "staff")
LEAST_BODY = 40  # letters without white space: shorter ones are everybody's
C_NOISE = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
PY_NOISE = re.compile(r"#[^\n]*")


@dataclass(frozen=True)
class Finding:
    where: str
    what: str

    def __str__(self) -> str:
        return f"{self.where}: {self.what}"


def search(tree: Path, lab: LabDirs) -> list[Finding]:
    texts = {path.relative_to(tree).as_posix(): path.read_text(encoding="utf-8", errors="replace")
             for path in sorted(tree.rglob("*")) if path.is_file()}
    return [*_places(texts), *_canaries(texts, lab), *_bodies(texts, lab), *_hidden(texts, lab), *_answers(texts, lab)]


def _places(texts: dict[str, str]) -> Iterator[Finding]:
    for name in texts:
        for part in name.split("/"):
            if part in FORBIDDEN:
                yield Finding(name, f"'{part}' belongs to staff")


def canary() -> str:
    return (ROOT / "solutions" / "CANARY").read_text(encoding="utf-8").split()[0]


def _canaries(texts: dict[str, str], lab: LabDirs) -> Iterator[Finding]:
    word = canary()
    if not any(word in path.read_text(encoding="utf-8", errors="replace") for path in _solution_files(lab)):
        yield Finding(str(lab.solution), f"no file holds the canary {word}: a copy of it would go unnoticed")
    for name, text in texts.items():
        if word in text:
            yield Finding(name, "holds the canary of solutions/")


def _solution_files(lab: LabDirs) -> list[Path]:
    return sorted(path for path in lab.solution.rglob("*") if path.is_file())


def squeeze(text: str, python: bool) -> str:
    """Without comments and white space."""
    return re.sub(r"\s+", "", (PY_NOISE if python else C_NOISE).sub("", text))


def _bodies(texts: dict[str, str], lab: LabDirs) -> Iterator[Finding]:
    given = "".join(squeeze(path.read_text(encoding="utf-8", errors="replace"), path.suffix == ".py")
                    for path in sorted(lab.src.rglob("*")) if path.is_file())
    secret: dict[str, str] = {}
    for path in _solution_files(lab):
        text = path.read_text(encoding="utf-8", errors="replace")
        for body in (*bodies(text, path.suffix), *bodies(text, path.suffix, comments=True)):
            if len(body) >= LEAST_BODY and body not in given:
                secret[body] = path.name
    for name, text in texts.items():
        # A copy may have lost its comments, or its lines, so that one comment seems to go on to the end.
        squeezed = squeeze(text, name.endswith(".py")) + "\n" + re.sub(r"\s+", "", text)
        for body, source in secret.items():
            if body in squeezed:
                yield Finding(name, f"holds a function body of the solution's {source}: {body[:60]}...")


def bodies(text: str, suffix: str, comments: bool = False) -> list[str]:
    """The function bodies of a source file, squeezed; with their comments if asked for."""
    if suffix == ".py":
        functions = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.FunctionDef)]
        parts = ["\n".join(text.splitlines()[node.body[0].lineno - 1:node.end_lineno]) for node in functions]
        return [re.sub(r"\s+", "", part) if comments else squeeze(part, True) for part in parts]
    if suffix not in C_SUFFIXES:
        return []
    code = C_NOISE.sub(lambda match: re.sub(r"[^\n]", " ", match.group()), text)  # same positions, no braces in comments
    found = []
    for match in re.finditer(r"\)\s*(?:const|noexcept|override)?\s*\{", code):
        end = _closing(code, match.end() - 1)
        if end is not None and not re.search(r"\b(?:if|for|while|switch|catch)\s*$", _before_arguments(code, match.start())):
            found.append(re.sub(r"\s+", "", (text if comments else code)[match.end():end]))
    return found


def _closing(code: str, opening: int) -> int | None:
    depth = 0
    for position in range(opening, len(code)):
        depth += {"{": 1, "}": -1}.get(code[position], 0)
        if depth == 0:
            return position
    return None


def _before_arguments(code: str, closing: int) -> str:
    depth = 0
    for position in range(closing, -1, -1):
        depth += {")": 1, "(": -1}.get(code[position], 0)
        if depth == 0:
            return code[max(0, position - 40):position]
    return ""


def _answers(texts: dict[str, str], lab: LabDirs) -> Iterator[Finding]:
    """Keys of the written answers that release.toml names."""
    written = load_rules().written.get(lab.lab.name, Written())
    for file, what in leaks(texts, key_of(lab.solution, written), f"labs/{lab.lab.name}/judges/", written.shown):
        yield Finding(file, what)


def _hidden(texts: dict[str, str], lab: LabDirs) -> Iterator[Finding]:
    spec = labspec.load(lab.lab / "lab.toml")
    hidden = [test for test in spec.test if test.visibility != "public"]
    shown = {shape for test in spec.test if test.visibility == "public" for shape in test.shapes}
    for name, text in texts.items():
        if not name.startswith(f"labs/{lab.lab.name}/"):
            continue
        for test in hidden:
            if re.search(rf"\b{re.escape(test.id)}\b", text):
                yield Finding(name, f"names the test {test.id}, which students do not get")
            for shape in test.shapes:
                if len(shape) >= 8 and shape not in shown and shape in text:
                    yield Finding(name, f"holds the hidden shape '{shape}' of {test.id}")
