"""The page docs/lab_toml.md: every key of lab.toml, from the classes that read it and the comments behind their fields."""
from __future__ import annotations

import dataclasses
import inspect
import re

from hpml_autograder import labspec

HEAD = """# lab.toml

Written by `docs/update.py --pages` from `autograder/hpml_autograder/labspec.py`, which reads the file. A key that it does not know
is an error, and so is a missing one that has no default. [Add a lab](add_a_lab.md) has a whole file.
"""
TABLES = (("At the top", labspec.LabSpec), ("`submit`", labspec.Submit), ("`[[program]]`", labspec.Program),
          ("`[[exercise]]`", labspec.Exercise), ("`[[test]]`", labspec.Test), ("`[build]`", labspec.Build),
          ("`[limits]`", labspec.Limits), ("`[gate]`", labspec.Gate), ("`[sandbox]`", labspec.Sandbox))
FIELD = re.compile(r"^    (\w+): ([^=#\n]+?)(?: = ([^#\n]+?))?(?:  +# (.*))?$", re.MULTILINE)
TYPES = {"str": "text", "int": "whole number", "bool": "true or false", "tuple[str, ...]": "list of texts",
         "dict[str, Any]": "table", "dict[str, tuple[str, ...]]": "table of lists"}
DEFAULTS = {"()": "none", '""': "none", "False": "false", "True": "true"}


def default(text: str) -> str:
    if not text:
        return "required"
    if text.startswith("field("):
        return "none"
    return DEFAULTS.get(text, f"`{text}`" if not re.fullmatch(r"[A-Z]\w*\(\)", text) else "see below")


def rows(kind: type) -> list[str]:
    """A row for each field. Raises ValueError for one without a comment, because then the page would say nothing of it."""
    source = inspect.getsource(kind)
    found = {name: (of, given or "", words or "") for name, of, given, words in FIELD.findall(source)}
    lines = []
    for one in dataclasses.fields(kind):
        of, given, words = found[one.name]
        if not words:
            raise ValueError(f"labspec.{kind.__name__}.{one.name} has no comment behind it that says what it is")
        lines.append(f"| `{one.name}` | {TYPES.get(of.strip(), 'table')} | {default(given.strip())} | {words} |".replace("  |", " |"))
    return lines


def page() -> str:
    parts = [HEAD]
    for title, kind in TABLES:
        about = inspect.getdoc(kind) or ""
        about = "" if about.startswith(f"{kind.__name__}(") else " ".join(about.split()) + "\n\n"
        parts.append(f"## {title}\n\n{about}| key | is | default | meaning |\n|---|---|---|---|\n" + "\n".join(rows(kind)) + "\n")
    return "\n".join(parts)
