"""Does what a tutorial tells its reader to do: its commands, in order, in a tree of its own, each with the output it shows.

In a tutorial

    ```console            commands behind "$ ", each followed by what it prints; "..." stands for any text in a line, a line
    $ make lab3 run ...   "..." for any lines
    ```
    ```diff               a change of a file, as `patch -p1` takes it

and in a comment on a line of its own before such a block

    <!-- walk: file PATH -->        the block is the whole content of a new file
    <!-- walk: exits 1 -->          the status of its last command (otherwise 0)
    <!-- walk: full, REASON -->     only when the whole is walked
    <!-- walk: not, REASON -->      never, as it needs what no test has
"""
import os
import pty
import re
import signal
import subprocess
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

COMMENT = re.compile(r"^<!-- walk: (file|exits|full|not)[, ]+(.+?) -->$")
FENCE = re.compile(r"^```(\w*)$")
SHOWN_ONLY = ("text",)   # blocks that are nothing to do: excerpts and drawings
SECONDS = 600            # for one command
NUMBER = r"\d[\d.,]*\d|\d"
TOKEN = re.compile(rf"\.\.\.|({NUMBER}| +)|(?:(?!\.\.\.)[^\d ])+")  # "...", what refreshing changes, other text


@dataclass(frozen=True)
class Step:
    """One block. kind: console, diff, file."""
    line: int
    kind: str
    text: str
    path: str = ""
    status: int = 0
    full: bool = False
    never: bool = False


class Mismatch(AssertionError):
    """What was printed is not what the page shows."""


def steps(page: str) -> Iterator[Step]:
    """Raises ValueError for a block that is neither to be walked nor marked as shown only."""
    lines = page.splitlines()
    said: dict[str, str] = {}
    at = 0
    while at < len(lines):
        comment, fence = COMMENT.match(lines[at]), FENCE.match(lines[at])
        if comment:
            said[comment.group(1)] = comment.group(2)
        elif fence:
            end = next(number for number in range(at + 1, len(lines)) if lines[number] == "```")
            yield from step(at + 1, fence.group(1), "\n".join(lines[at + 1:end]) + "\n", said)
            said, at = {}, end
        elif lines[at].strip():
            if said:
                raise ValueError(f"line {at + 1}: a 'walk:' comment stands before no block")
            if re.match(r"(    |\t)\S", lines[at]) and not re.match(r"\s*([-*]|\d+\.) ", lines[at]):
                raise ValueError(f"line {at + 1}: an indented block: use ```console, or ```text for what is not typed")
        at += 1


def step(line: int, language: str, text: str, said: dict[str, str]) -> Iterator[Step]:
    if "file" in said:
        yield Step(line, "file", text, path=said["file"])
    elif language in ("console", "diff"):
        yield Step(line, language, text, status=int(said.get("exits", 0)), full="full" in said, never="not" in said)
    elif language not in SHOWN_ONLY:
        raise ValueError(f"line {line}: a block of '{language or 'no language'}' that nothing walks: ```console, ```diff, "
                         "```text, or <!-- walk: file PATH --> before it")


def commands(text: str) -> list[tuple[str, list[str]]]:
    """Each command of a console block with the lines that it prints."""
    found: list[tuple[str, list[str]]] = []
    for line in text.splitlines():
        if line.startswith("$ "):
            found.append((line[2:], []))
        elif found and found[-1][0].endswith("\\") and line.startswith("> "):
            found[-1] = (found[-1][0][:-1] + line[2:].lstrip(), [])
        elif found:
            found[-1][1].append(line.rstrip())
        elif line.strip():
            raise ValueError(f"a console block begins with '$ ', not with '{line}'")
    return found


def pattern(expected: list[str]) -> str:
    """Of the lines that are shown: "..." alone is any number of lines, within a line any text."""
    words = []
    for line in expected:
        if line == "...":
            words.append(r"(?:.*\n)*?")
        else:
            words.append(".*?".join(re.escape(part) for part in line.split("...")) + r"\n")
    return "".join(words)


def agrees(expected: list[str], printed: str) -> bool:
    return re.fullmatch(pattern(expected), printed) is not None


def refreshed(expected: list[str], printed: str) -> list[str]:
    """The lines that are shown, with the numbers and spaces of those that were printed: each line that is printed with other
    numbers takes them, one after the other. A line that is printed in other words stays as it is."""
    lines, at = printed.splitlines(), 0
    result = []
    for line in expected:
        shape = TOKEN.sub(_any_like, line)
        found = next(((number, match) for number, text in enumerate(lines[at:], at) if (match := re.fullmatch(shape, text))), None)
        if found is None or line == "...":
            result.append(line)
            continue
        at, values = found[0] + 1, iter(found[1].groups())
        result.append(TOKEN.sub(lambda token: "..." if token[0] == "..." else next(values) if token[1] else token[0], line))
    return result


def _any_like(token: re.Match[str]) -> str:
    """A pattern for what may stand in place of a piece of a line that is shown."""
    if token[0] == "...":
        return ".*?"
    if not token[1]:
        return re.escape(token[0])
    return "( +)" if token[0].isspace() else f"({NUMBER})"


def tidy(printed: str) -> str:
    """Without colours, without what a terminal would have overwritten, and without the grader's line that it waits for another
    command in the same build folder (hpml_autograder/lock.py)."""
    plain = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", printed.replace("\r\n", "\n"))
    plain = re.sub(r"^ *another command works on \w+ in this checkout.*\n", "", plain, flags=re.MULTILINE)
    return "".join(line.rsplit("\r", 1)[-1].rstrip() + "\n" for line in plain.rstrip("\n").split("\n")) if plain else ""


class Walk:
    """One reader, in the folder `place`."""

    def __init__(self, place: Path, environment: dict[str, str], *, whole: bool) -> None:
        self.place, self.whole = place, whole
        self.environment = {"PATH": os.environ["PATH"], "HOME": str(place), "LANG": "C.UTF-8", "TERM": "dumb", "COLUMNS": "120",
                            "CUDA": "clang",  # what every reader has
                            **environment}

    def page(self, text: str) -> int:
        """The number of commands that were run. Raises Mismatch."""
        return sum(1 for _ in self.walked(text))

    def refreshed(self, text: str) -> str:
        """The page with the numbers that its commands print now. Raises Mismatch where they print other words."""
        lines = text.splitlines(keepends=True)
        at = 0
        for one, expected, printed in self.walked(text, other_numbers=True):
            at = max(at, one.line)
            for old, new in zip(expected, refreshed(expected, printed)):
                at = next(number for number in range(at, len(lines)) if lines[number].rstrip() == old)
                lines[at] = new + "\n"
                at += 1
        return "".join(lines)

    def walked(self, text: str, *, other_numbers: bool = False) -> Iterator[tuple[Step, list[str], str]]:
        """Of each command that was run: its block, the lines that the page shows, and what it printed."""
        for one in steps(text):
            if one.never or (one.full and not self.whole):
                continue
            if one.kind == "file":
                (self.place / one.path).parent.mkdir(parents=True, exist_ok=True)
                (self.place / one.path).write_text(one.text, encoding="utf-8")
            elif one.kind == "diff":
                self.patch(one.text)
            else:
                yield from self.console(one, other_numbers)

    def console(self, one: Step, other_numbers: bool) -> Iterator[tuple[Step, list[str], str]]:
        typed = commands(one.text)
        for number, (command, expected) in enumerate(typed):
            status, printed = self.run(command)
            wanted = one.status if number == len(typed) - 1 else 0
            if status != wanted:
                raise Mismatch(f"line {one.line}: `{command}`: status {status}, expected {wanted}; it printed:\n{printed}")
            if not agrees(refreshed(expected, printed) if other_numbers else expected, printed):
                raise Mismatch(f"line {one.line}: `{command}` printed\n{printed}--- the page shows\n" + "\n".join(expected))
            yield one, expected, printed

    def run(self, command: str) -> tuple[int, str]:
        """Status, and what a terminal shows: output and errors in the order in which they are written."""
        here, there = pty.openpty()
        with subprocess.Popen(["/bin/bash", "-c", command], cwd=self.place, env=self.environment, stdin=subprocess.DEVNULL,
                              stdout=there, stderr=there, start_new_session=True) as process:
            os.close(there)
            guard = threading.Timer(SECONDS, os.killpg, (process.pid, signal.SIGKILL))
            guard.start()
            printed = b"".join(iter(lambda: read(here), b""))
            status = process.wait()
            guard.cancel()
        os.close(here)
        return status, tidy(printed.decode(errors="replace"))

    def patch(self, change: str) -> None:
        done = subprocess.run(["patch", "-p1", "--no-backup-if-mismatch"], cwd=self.place, input=change, text=True, capture_output=True,
                              check=False)
        if done.returncode != 0:
            raise Mismatch(f"the change does not fit: {done.stdout}\n{change}")


def read(terminal: int) -> bytes:
    try:
        return os.read(terminal, 1 << 16)
    except OSError:  # every process has closed it
        return b""
