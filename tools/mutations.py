#!/usr/bin/python3
"""Makes the mistakes of tools/mutations.toml, one at a time, in a copy of the tree: does the quick depth notice each?

    tools/mutations.py [PART OF A NAME]     all, or those whose `what` holds these words

For each: the test passes on the copy as it is, and fails once the mistake is made. Exit codes: 0 all were noticed, 1 one was
not, 2 usage or an entry that fits nowhere.
"""
import os
import shutil
import subprocess
import sys
import tomllib
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
COPY = ROOT / "build/mutations/tree"


@dataclass(frozen=True)
class Mutation:
    what: str
    file: str
    old: str
    new: str
    test: str                     # file of pytest, or ctest: and a regular expression
    build: tuple[str, ...] = ()

    @property
    def path(self) -> Path:
        found = sorted(COPY.glob(self.file))
        if len(found) != 1:
            raise ValueError(f"{self.what}: {self.file} fits {len(found)} files")
        return found[0]


def load() -> list[Mutation]:
    table = tomllib.loads((ROOT / "tools/mutations.toml").read_text(encoding="utf-8"))
    return [Mutation(**{**entry, "build": tuple(entry.get("build", ()))}) for entry in table["mutation"]]


def copy_tree() -> None:
    """The files that git knows, as they lie in the checkout; what is built of the copy stays."""
    listed = subprocess.run(["git", "-c", "safe.directory=*", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
                            cwd=ROOT, capture_output=True, check=True).stdout
    names = [name for name in listed.decode().split("\0") if name and (ROOT / name).is_file()]
    for name in names:
        place = COPY / name
        if not place.is_file() or place.read_bytes() != (ROOT / name).read_bytes():  # the build goes by times
            place.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, place)  # with the time of now: an object made since the file was changed is older
    for path in COPY.rglob("*.py"):
        if str(path.relative_to(COPY)) not in set(names) and "build" not in path.relative_to(COPY).parts:
            path.unlink()


def notices(mutation: Mutation) -> bool:
    """Whether the test fails on the copy as it is now."""
    folder = COPY / "build/release" if mutation.build else Path(os.environ.get("HPML_BUILD_DIR", ROOT / "build/release"))
    if mutation.build:
        # A mistake that does not even compile is noticed as well.
        if subprocess.run(["tools/build.sh", *mutation.build], cwd=COPY, check=False).returncode:
            return True
    if mutation.test.startswith("ctest:"):
        command = ["ctest", "--test-dir", str(folder), "--no-tests=error", "-R", mutation.test.removeprefix("ctest:")]
    else:
        command = ["/usr/bin/python3", "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", mutation.test]
    environment = {**os.environ, "PYTHONPATH": str(COPY / "autograder"), "HPML_BUILD_DIR": str(folder), "HPML_CHECK_FULL": "0",
                   "PYTHONDONTWRITEBYTECODE": "1"}
    return subprocess.run(command, cwd=COPY, env=environment, stdout=subprocess.DEVNULL, check=False).returncode != 0


def try_one(mutation: Mutation) -> str:
    """What is wrong, or empty when the mistake is noticed."""
    path = mutation.path
    text = path.read_text(encoding="utf-8")
    if text.count(mutation.old) != 1:
        raise ValueError(f"{mutation.what}: the old text stands {text.count(mutation.old)} times in {path.relative_to(COPY)}")
    if notices(mutation):
        return f"{mutation.test} fails without the mistake"
    try:
        path.write_text(text.replace(mutation.old, mutation.new), encoding="utf-8")
        return "" if notices(mutation) else f"{mutation.test} passes with the mistake"
    finally:
        path.write_text(text, encoding="utf-8")


def main(arguments: list[str]) -> int:
    chosen = [one for one in load() if not arguments or arguments[0] in one.what]
    if len(arguments) > 1 or not chosen:
        print("mutations: no mistake of that name; see tools/mutations.toml", file=sys.stderr)
        return 2
    copy_tree()
    missed = 0
    for mutation in chosen:
        try:
            problem = try_one(mutation)
        except ValueError as error:
            print(f"mutations: {error}", file=sys.stderr)
            return 2
        missed += bool(problem)
        print(f"{'NOT NOTICED' if problem else 'noticed'}: {mutation.what}{': ' if problem else ''}{problem}", flush=True)
    print(f"{len(chosen) - missed} of {len(chosen)} mistakes noticed")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
