"""Objects with constructors in `__shared__`, which nvcc leaves uninitialised with a warning and clang refuses.

`__shared__ cuda::barrier<cuda::thread_scope_block> bar;` is the usual one. clang accepts a union whose own constructor is empty,
whatever its members are. So clang reads a view of the source in which each refused declaration is

    __shared__ union __bar_union { __bar_union() {} ~__bar_union() {} TYPE bar; } __bar_storage; auto& bar = __bar_storage.bar;

on the same line. The view has the name of the source (an overlay of clang's file system), so messages and line numbers stay.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

REFUSED = re.compile(r"^(.+?):(\d+):(\d+): error: initialization is not supported for __shared__ variables", re.MULTILINE)
COLOUR = re.compile(r"\x1b\[[0-9;]*[mK]")
SUPPRESSED = re.compile(r"#\s*pragma\s+(?:nv_)?diag_suppress\b.*(?:static_var_with_dynamic_init|20054)")
NOT_CODE = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"', re.DOTALL)
BRACKETS = {"(": 1, "[": 1, "{": 1, "<": 1, ")": -1, "]": -1, "}": -1, ">": -1}


Places = dict[Path, set[tuple[int, str]]]


def refused(messages: str, read: dict[Path, Path]) -> Places:
    """Line, from 1, and name of the objects that clang refused, by source. `read` has the views that clang read instead."""
    found: Places = {}
    for file, line, column in REFUSED.findall(COLOUR.sub("", messages)):
        source = Path(file).resolve()
        row = read.get(source, source).read_bytes().split(b"\n")[int(line) - 1]
        name = re.match(rb"\w+", row[int(column) - 1:])
        found.setdefault(source, set()).add((int(line), name[0].decode() if name else ""))
    return found


def declarators(text: str) -> list[str]:
    """`a, b[2]` in its parts."""
    depth, parts = 0, [""]
    for symbol in text:
        depth += BRACKETS.get(symbol, 0)
        if symbol == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += symbol
    return [part.strip() for part in parts]


def without_constructor(kind: str, declarator: str) -> str | None:
    """What stands behind the word __shared__ instead of `kind declarator;`. None: not a plain name or an array of them."""
    name = re.match(r"[A-Za-z_]\w*", declarator)
    if name is None or not re.fullmatch(r"(?:\s*\[[^\]]*\])*", declarator[name.end():]):
        return None
    word = name[0]
    empty = "__attribute__((host, device))"
    return (f"union __{word}_union {{ {empty} __{word}_union() {{}} {empty} ~__{word}_union() {{}} {kind} {declarator}; }} "
            f"__{word}_storage; __attribute__((unused)) auto& {word} = __{word}_storage.{word};")


def rewritten(text: str, places: set[tuple[int, str]]) -> str | None:
    """The source with the declarations at these places rewritten. None: one of them has a form that is not handled."""
    code = NOT_CODE.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), text)
    starts = [0] + [match.end() for match in re.finditer("\n", text)]
    edits: dict[int, tuple[int, str]] = {}
    for line, name in places:
        edit = None
        for at in re.finditer(rf"\b{name}\b", code[starts[line - 1]:].split("\n", 1)[0]):
            edit = edit or edited(code, starts[line - 1] + at.start(), name)
        if edit is None:
            return None
        edits[edit[0]] = edit[1:]
    for begin, (end, instead) in sorted(edits.items(), reverse=True):
        text = text[:begin] + instead + text[end:]
    return text


def edited(code: str, at: int, name: str) -> tuple[int, int, str] | None:
    """The place of a declaration behind its word __shared__, and what stands there instead. `at` is the name in it."""
    word, end = code.rfind("__shared__", 0, at), code.find(";", at)
    if word < 0 or end < 0 or re.search(r"[;{}]", code[word:at]):
        return None
    begin = word + len("__shared__")
    names = declarators(code[begin:end])
    # The type ends where the first name begins.
    first = re.fullmatch(r"(.*?)\b([A-Za-z_]\w*\s*(?:\[[^\]]*\]\s*)*)", names[0], re.DOTALL)
    if first is None or not first[1].strip():
        return None
    names[0] = first[2].strip()
    kind = re.sub(r"\s+", " ", first[1]).strip()
    parts = [without_constructor(kind, each) for each in names]
    if None in parts or not any(re.match(rf"{name}\b", each) for each in names):
        return None
    return begin, end + 1, " " + " __shared__ ".join(part for part in parts if part) + "\n" * code.count("\n", begin, end)


def views(places: Places, scratch: Path) -> tuple[list[str], dict[Path, Path]]:
    """Options with which clang reads the sources without these constructors, and the views. Empty: not possible."""
    files = {}
    for number, (source, where) in enumerate(places.items()):
        text = rewritten(source.read_text(encoding="utf-8", errors="surrogateescape"), where)
        if text is None:
            return [], {}
        files[source] = scratch / f"view_{number}_{source.name}"
        files[source].write_text(text, encoding="utf-8", errors="surrogateescape")
    overlay = scratch / "views.yaml"
    roots = [{"type": "file", "name": str(source), "external-contents": str(view)} for source, view in files.items()]
    overlay.write_text(json.dumps({"version": 0, "use-external-names": False, "roots": roots}), encoding="utf-8")
    return ["-ivfsoverlay", str(overlay)], files


def options(messages: str, check: Callable[[list[str]], str], scratch: Path) -> tuple[list[str], str]:
    """Options with which clang takes what it refused with these messages, and what to warn of. Empty: there are none.

    `check` runs clang with further options and returns its messages. Templates are refused where they are instantiated,
    which clang does only when it has found nothing wrong before: so it is asked until it refuses nothing more.
    """
    places: Places = {}
    words: list[str] = []
    read: dict[Path, Path] = {}
    while more := refused(messages, read):
        if all(where <= places.get(source, set()) for source, where in more.items()):
            return [], ""
        for source, where in more.items():
            places.setdefault(source, set()).update(where)
        words, read = views(places, scratch)
        if not words:
            return [], ""
        messages = check(words)
    return words, warnings(places)


def warnings(places: Places) -> str:
    """nvcc's warning in a line for each object that stays uninitialised, unless the source switches it off as for nvcc."""
    lines = []
    for source, where in places.items():
        if not SUPPRESSED.search(source.read_text(encoding="utf-8", errors="replace")):
            lines += [f"{source.name}:{line}: warning: the constructor of {name} does not run, because {name} is in __shared__ "
                      "memory: initialise it in the kernel" for line, name in sorted(where)]
    return "".join(line + "\n" for line in lines)
