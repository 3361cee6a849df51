#!/usr/bin/python3
"""Records the session of docs/debugger.md again: compiles docs/debugger/row_sums.cu with clang, gives the debugger the
commands of docs/debugger/session.txt, and writes what it says into the page; two parts of it are pictures in the handout
of lab 3."""
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "docs"))

from hpml_docs import terminal  # noqa: E402

PAGE = ROOT / "docs/debugger.md"
FOLDER = ROOT / "docs/debugger"
BUILD = Path(os.environ.get("HPML_BUILD_DIR") or ROOT / "build/release")
FIGURES = ROOT / "labs/lab3_cuda/figures"
PICTURES = {  # picture -> its first command, the command in front of which it ends, its title
    "debugger_who.svg": ("print part[0]", "reverse-step", "Who wrote a wrong sum, and from what"),
    "debugger_banks.svg": ("print values[i + distance]", "quit", "A variable of 32 lanes, and shared memory by banks")}
BLOCK = re.compile(r"(<!-- begin session -->\n).*?(<!-- end session -->)", re.DOTALL)


def clang_version() -> str:
    """Of the clang that compiles the program: the numbers of states depend on it."""
    sys.path.insert(0, str(ROOT / "tools"))
    import cuda_compile  # noqa: PLC0415
    clang = cuda_compile.find_clang()
    text = subprocess.run([clang, "-dumpversion"], check=False, capture_output=True, text=True).stdout if clang else ""
    return text.split(".")[0]


def record() -> str:
    """What a terminal shows, comments of the commands as text between."""
    with tempfile.TemporaryDirectory(prefix="hpml-debugger-") as scratch:
        program = Path(scratch) / "row_sums"
        subprocess.run(["/usr/bin/python3", "tools/cuda_compile.py", "--frontend", "clang", "-g", "-o", program,
                        "docs/debugger/row_sums.cu"], cwd=ROOT, check=True)
        done = subprocess.run([BUILD / "bin/gpusim", "debug", "--batch", "-x", FOLDER / "session.txt", "--", program], cwd=ROOT,
                              check=False, capture_output=True, text=True)
    if done.returncode != 0:
        raise SystemExit(f"the debugger ended with {done.returncode}:\n{done.stdout}{done.stderr}")
    return done.stdout


def pictures(session: str) -> dict[str, str]:
    lines = [line for line in session.splitlines() if not line.startswith("(gpusim) # ")]
    places = {line.removeprefix(terminal.PROMPT): at for at, line in enumerate(lines) if line.startswith(terminal.PROMPT)}
    return {name: terminal.drawing(lines[places[first]:places[end]], title) for name, (first, end, title) in PICTURES.items()}


def block(session: str) -> str:
    out, inside = [], False
    for line in session.splitlines():
        comment = line.removeprefix("(gpusim) # ")
        if comment != line:
            out += ["```", "", comment, ""] if inside else [comment, ""]
            inside = False
        elif line.strip() != "(gpusim) quit":
            out += [line] if inside else ["```text", line]
            inside = True
    return "\n".join([*out, "```"] if inside else out) + "\n"


def main() -> int:
    session = record()
    text = PAGE.read_text(encoding="utf-8")
    PAGE.write_text(BLOCK.sub(lambda found: found[1] + block(session) + found[2], text), encoding="utf-8")
    for name, picture in pictures(session).items():
        (FIGURES / name).write_text(picture, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
