"""Exports one lab's student tree: no history, no solutions, no hidden tests; the same bytes each time."""
import hashlib
import os
import re
import shutil
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

import tomllib
from hpml_autograder import labspec
from hpml_autograder.paths import ROOT, LabDirs
from hpml_autograder.strict import fill

from ..errors import UsageError
from . import editor_files
from .written import Written, stripped, test_block

SCHEMA = "hpml.release/v1"
RULES = ROOT / "autograder" / "release.toml"
STAFF = re.compile(r"^[^\n]*BEGIN STAFF[^\n]*\n.*?^[^\n]*END STAFF[^\n]*\n", re.MULTILINE | re.DOTALL)
TEST_BLOCK = re.compile(r"^\[\[test\]\]$", re.MULTILINE)
NEXT_BLOCK = re.compile(r"^\[", re.MULTILINE)


@dataclass(frozen=True)
class Rules:
    schema: str
    take: tuple[str, ...]
    leave: tuple[str, ...]
    written: dict[str, Written] = field(default_factory=dict)  # by lab: answers whose keys stay with staff


def load_rules(path: Path = RULES) -> Rules:
    rules = fill(Rules, tomllib.loads(path.read_text(encoding="utf-8")), str(path))
    if rules.schema != SCHEMA:
        raise UsageError(f"{path}: schema is '{rules.schema}', expected '{SCHEMA}'")
    return rules


def matches(path: str, pattern: str) -> bool:
    """A plain * stays in its folder."""
    expression = "".join({"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*"}.get(part, re.escape(part))
                         for part in re.split(r"(\*\*/|\*\*|\*)", pattern))
    return re.fullmatch(expression, path) is not None


def tracked(root: Path) -> list[str]:
    """Files of the checkout: what git tracks, as it lies there; never what somebody has built or left."""
    done = subprocess.run(["git", "-C", str(root), "ls-files", "-z"], capture_output=True, check=False)
    if done.returncode != 0:
        raise UsageError(f"{root}: a release is cut from a git checkout: {done.stderr.decode().strip()}")
    return sorted(name for name in os.fsdecode(done.stdout).split("\0") if name and (root / name).exists())


def chosen(paths: list[str], rules: Rules, lab: str) -> list[str]:
    take, leave = ([pattern.replace("LAB", lab) for pattern in patterns] for patterns in (rules.take, rules.leave))
    return [path for path in paths if any(matches(path, pattern) for pattern in take)
            and not any(matches(path, pattern) for pattern in leave)]


def export(lab: LabDirs, into: Path, root: Path = ROOT) -> None:
    """`into` is made anew. Same checkout, same bytes and modes."""
    shutil.rmtree(into, ignore_errors=True)
    rules = load_rules()
    written = rules.written.get(lab.lab.name, Written())
    secret = {lab.lab / file: names for file, names in written.strip.items()}
    for name in chosen(tracked(root), rules, lab.lab.name):
        source, target = root / name, into / name
        if source.is_symlink():
            raise UsageError(f"{name} is a symbolic link; a release holds none")
        target.parent.mkdir(parents=True, exist_ok=True)
        content = source.read_bytes()
        if b"BEGIN STAFF" in content and source != RULES:
            content = STAFF.sub("", content.decode("utf-8")).encode()
        if source == lab.lab / "lab.toml":
            content = student_toml(content.decode("utf-8"), written).encode()
        if source in secret:
            content = stripped(content.decode("utf-8"), secret[source], name).encode()
        target.write_bytes(content)
        target.chmod(0o755 if os.access(source, os.X_OK) else 0o644)
    for name, text in editor_files.files([lab]).items():  # the course's own have all labs
        (into / name).write_text(text, encoding="utf-8")
    handout = (lab.lab / "README.md").read_text(encoding="utf-8")
    (into / "README.md").write_text(readme(labspec.load(lab.lab / "lab.toml"), lab, handout), encoding="utf-8")
    (into / "README.md").chmod(0o644)


def student_toml(text: str, written: Written = Written()) -> str:
    """lab.toml with its public tests alone. A textual cut, so that comments and order stay; loading it is the proof."""
    starts = [match.start() for match in TEST_BLOCK.finditer(text)]
    bonuses = {exercise["id"] for exercise in tomllib.loads(text)["exercise"] if exercise.get("bonus")}
    kept, at, points, elsewhere = [], 0, {"total_millipoints": 0, "bonus_millipoints": 0}, 0
    for start in starts:
        following = NEXT_BLOCK.search(text, start + len("[[test]]"))
        end = following.start() if following else len(text)
        block = text[start:end]
        kept.append(text[at:start])
        table = tomllib.loads(block)["test"][0]
        if table["visibility"] == "public":
            kept.append(test_block(block, written))
            points["bonus_millipoints" if table["exercise"] in bonuses else "total_millipoints"] += table["max_millipoints"]
        elif table["exercise"] not in bonuses:
            elsewhere += table["max_millipoints"]
        at = end
    result = "".join(kept) + text[at:]
    for name, value in points.items():
        result = re.sub(rf"^{name} = \d+", f"{name} = {value}", result, count=1, flags=re.MULTILINE)
    return re.sub(r"^(total_millipoints = \d+\n)", rf"\1elsewhere_millipoints = {elsewhere}\n", result, count=1, flags=re.MULTILINE)


def readme(spec: labspec.LabSpec, lab: LabDirs, handout: str) -> str:
    goal = handout.split("\n\n", 1)[0].lstrip("# ").strip()
    return f"""# {goal}

The handout is [labs/{lab.lab.name}/README.md](labs/{lab.lab.name}/README.md). On Debian 12 and 13 or Ubuntu 24.04:

    make {spec.id} test             # builds what is needed, grades your files, prints the table and the reasons
    make {spec.id} submit-check     # lists what would be handed in, and compiles it

You edit these files in `labs/{lab.lab.name}/src`: {', '.join(f'`{name}`' for name in spec.submit.files)}.

The points that you see are advisory. The score of record comes from the course's own grading, with the same tests on other
data and with tests that are not in this tree.
"""


def tree_hash(folder: Path) -> str:
    """Over names, modes and contents, in the order of the names."""
    digest = hashlib.sha256()
    for path in sorted(folder.rglob("*"), key=lambda one: one.relative_to(folder).as_posix()):
        if path.is_file() and not path.is_symlink():
            name = path.relative_to(folder).as_posix()
            mode = "x" if os.access(path, os.X_OK) else "-"
            digest.update(f"{name}\0{mode}\0{path.stat().st_size}\0".encode() + path.read_bytes())
        elif path.is_symlink():
            raise UsageError(f"{path}: a symbolic link in a release")
    return digest.hexdigest()


