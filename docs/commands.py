"""The page docs/commands.md: what `make`, `gpusim` and `hpml` say of themselves."""
from __future__ import annotations

import os
import re
import subprocess
import textwrap
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
WIDTH = 120
HEAD = """# Commands

Written by `docs/update.py --pages` from the commands' own help.

| command | for |
|---|---|
| `make` | everything that a student needs, and the course's daily work |
| [`gpusim`](#gpusim) | the simulated GPU: programs, PTX files, reports |
| [`hpml`](#hpml) | grading and classes; `tools/hpml` in the tree |

There are manual pages of `gpusim` and `hpml` (`tools/manual.sh`, then `man -M build/release/share/man gpusim-run`), and words that bash
completes (`source tools/completion.bash`).
"""


def said(*command: str) -> str:
    """Lines as they come, however wide the terminal is: Pythons break them in different places."""
    done = subprocess.run(command, cwd=ROOT, env={**os.environ, "COLUMNS": "1000", "HPML_PROGRAM": "hpml"}, capture_output=True, text=True,
                          check=True)
    # Python before 3.13 repeats an option's argument: "-o OUTPUT, --output OUTPUT".
    return re.sub(r"^(\s+-\w) [A-Z_-]+, (--[\w-]+ )", r"\1, \2", done.stdout, flags=re.MULTILINE)


def wrapped(text: str) -> str:
    """Long lines continue under the second column."""
    lines: list[str] = []
    for line in text.rstrip("\n").splitlines():
        column = re.match(r" *\S.*? {2,}(?=\S)", line)
        indent = " " * (column.end() if column else len(line) - len(line.lstrip()) + 2)
        lines += textwrap.wrap(line, WIDTH, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False) or [""]
    return "\n".join(line.rstrip() for line in lines)


def block(title: str, text: str) -> str:
    return f"{title}\n\n```text\n{wrapped(text)}\n```\n"


def below(help_text: str) -> list[str]:
    """The subcommands that a help lists."""
    argparse = re.findall(r"^    (?:hpml )?([a-z][a-z-]*)\b.* {2,}\S", help_text, re.MULTILINE)
    cli11 = re.findall(r"^  ([a-z]+) {3,}\S", help_text.partition("Subcommands:")[2], re.MULTILINE)
    return list(dict.fromkeys(cli11 or argparse))


def page(gpusim: str) -> str:
    hpml = str(ROOT / "tools/hpml")
    parts = [HEAD, block("## make", said("make", "--no-print-directory", "help"))]
    for name, program in (("gpusim", gpusim), ("hpml", hpml)):
        top = said(program, "--help")
        parts.append(block(f"## {name}", top))
        for word in below(top):
            if (name, word) == ("hpml", "model"):
                continue  # a program of its own, which need not be built
            text = said(program, word, "--help")
            parts.append(block(f"### {name} {word}", text))
            for inner in below(text) if word in ("quiz", "ptx") else []:
                parts.append(block(f"#### {name} {word} {inner}", said(program, word, inner, "--help")))
    return "\n".join(parts)
