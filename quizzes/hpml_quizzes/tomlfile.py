"""A TOML file that is read key by key: an unknown, missing or mistyped key is told with its line."""
import difflib
import re
import tomllib
from fractions import Fraction
from pathlib import Path
from typing import Any

from .errors import BadQuestion, Problem

_HEADER = re.compile(r"\s*(\[\[?)\s*([\w.\"-]+)\s*\]\]?")
_KEY = re.compile(r"\s*\"?([\w-]+)\"?\s*=")
_REQUIRED = object()
_WORDS = {str: "a string", int: "an integer", bool: "true or false", list: "a list", dict: "a table",
          Fraction: "a number"}


def _line_numbers(text: str) -> dict[tuple, int]:
    """Path of each header and key, such as ("options", 2, "true"), to its line."""
    lines: dict[tuple, int] = {}
    counts: dict[tuple, int] = {}
    table: tuple = ()
    quote = ""
    for number, line in enumerate(text.splitlines(), start=1):
        if not quote:
            if match := _HEADER.match(line):
                table = tuple(match[2].replace('"', "").split("."))
                if match[1] == "[[":
                    counts[table] = counts.get(table, -1) + 1
                    table = (*table, counts[table])
                lines.setdefault(table, number)
            elif match := _KEY.match(line):
                lines.setdefault((*table, match[1]), number)
        for mark in re.findall(r"'''|\"\"\"", line):
            quote = mark if not quote else "" if quote == mark else quote
    return lines


class TomlFile:
    def __init__(self, path: Path):
        self.path = path
        try:
            text = path.read_text(encoding="utf-8")
        except UnicodeDecodeError as error:
            raise BadQuestion(Problem(path, 1, path.stem, f"is not UTF-8: {error}")) from None
        self._lines = _line_numbers(text)
        try:
            self.data = tomllib.loads(text, parse_float=Fraction)
        except tomllib.TOMLDecodeError as error:
            match = re.search(r"line (\d+)", str(error))
            last = text.count("\n") + 1
            raise BadQuestion(Problem(path, int(match[1]) if match else last, path.stem, str(error))) from None
        except ValueError as error:  # parse_float: inf and nan
            raise BadQuestion(Problem(path, 1, path.stem, f"numbers must be finite: {error}")) from None

    def line(self, *where: Any) -> int:
        """Line of the key, or of the innermost thing around it that has one."""
        path = tuple(where)
        while path and path not in self._lines:
            path = path[:-1]
        return self._lines.get(path, 1)

    def problem(self, reason: str, *where: Any) -> Problem:
        return Problem(self.path, self.line(*where), self.path.stem, reason)

    def fail(self, reason: str, *where: Any) -> BadQuestion:
        return BadQuestion(self.problem(reason, *where))

    def root(self) -> "Table":
        return Table(self, self.data, ())


class Table:
    """One table while it is read. finish() refuses keys nobody asked for."""

    def __init__(self, file: TomlFile, data: dict[str, Any], where: tuple):
        self.file, self.data, self.where = file, data, where
        self._asked: list[str] = []

    def fail(self, reason: str, *where: Any) -> BadQuestion:
        return self.file.fail(reason, *self.where, *where)

    def line(self, *where: Any) -> int:
        return self.file.line(*self.where, *where)

    def get(self, key: str, kind: type | tuple[type, ...] = str, default: Any = _REQUIRED) -> Any:
        self._asked.append(key)
        if key not in self.data:
            if default is _REQUIRED:
                raise self.fail(f"missing key '{'.'.join(map(str, (*self.where, key)))}'")
            return default
        value = self.data[key]
        kinds = kind if isinstance(kind, tuple) else (kind,)
        if Fraction in kinds and isinstance(value, int) and not isinstance(value, bool):
            return value
        if not isinstance(value, kinds) or (isinstance(value, bool) and bool not in kinds):
            wanted = " or ".join(_WORDS[one] for one in kinds)
            raise self.fail(f"'{key}' must be {wanted}, not {value!r}", key)
        return value

    def tables(self, key: str) -> list["Table"]:
        entries = self.get(key, list, [])
        for entry in entries:
            if not isinstance(entry, dict):
                raise self.fail(f"'{key}' must be written as [[{key}]]", key)
        return [Table(self.file, entry, (*self.where, key, number)) for number, entry in enumerate(entries)]

    def table(self, key: str) -> "Table | None":
        data = self.get(key, dict, None)
        return None if data is None else Table(self.file, data, (*self.where, key))

    def finish(self) -> None:
        for key in self.data:
            if key not in self._asked:
                near = difflib.get_close_matches(key, self._asked, 1)
                hint = f"; did you mean '{near[0]}'?" if near else f"; keys here: {', '.join(self._asked)}"
                raise self.fail(f"unknown key '{key}'{hint}", key)
