#!/usr/bin/python3
"""Checks the sizes of files and functions against tools/sizes.toml.

A file above stop_lines fails; above ask_lines, or a function above function_lines, is a note.
Exit codes: 0 all well, 1 a file is too long.
"""

import ast
import re
import statistics
import sys
import tomllib
from dataclasses import dataclass, field
from pathlib import Path

CPP_SUFFIXES = {".hpp", ".cpp", ".h", ".cu", ".cuh"}
OTHER_SUFFIXES = {".py", ".sh", ".cmake"}
FOLDERS = ("common", "simulator", "labs", "solutions", "autograder", "quizzes", "cmake", "tools")
NOT_A_FUNCTION = re.compile(r"^\s*(if|for|while|switch|catch|else|do|namespace|class|struct|enum|union|extern)\b")


@dataclass(frozen=True)
class Limits:
    ask_lines: int
    stop_lines: int
    function_lines: int
    tables: tuple[str, ...]


@dataclass
class Report:
    errors: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    lengths: list[int] = field(default_factory=list)


def load_limits(path: Path) -> Limits:
    table = tomllib.loads(path.read_text(encoding="utf-8"))
    return Limits(table["ask_lines"], table["stop_lines"], table["function_lines"], tuple(table["tables"]))


def blank_out(text: str) -> str:
    """C++ text with comments, strings and preprocessor lines replaced by blanks; newlines stay."""
    pattern = (r'R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|(?<!\w)\'(?:\\.|[^\'\\\n])+\''  # strings, characters
               r"|//[^\n]*|/\*.*?\*/|^[ \t]*#(?:\\\n|[^\n])*")  # comments, preprocessor
    return re.sub(pattern, lambda match: re.sub(r"[^\n]", " ", match.group(0)), text, flags=re.DOTALL | re.MULTILINE)


def cpp_functions(text: str) -> list[tuple[str, int, int]]:
    """(name, first line, lines) of every function body; a heuristic that suits clang-formatted code."""
    code = blank_out(text)
    functions = []
    stack: list[tuple[str | None, int]] = []  # per open brace: the function's name or None, and where it starts
    statement = 0
    for position in (match.start() for match in re.finditer(r"[{};]", code)):
        symbol = code[position]
        if symbol == "{":
            label = re.match(r"\s*(public|private|protected):", code[statement:position])
            statement += label.end() if label else 0
            header = code[statement:position].strip()
            inside = any(name for name, _ in stack)
            match = None if inside or NOT_A_FUNCTION.match(header) else re.search(r"([~\w:]+)\s*\(", header)
            start = position - len(code[statement:position].lstrip())
            stack.append((match.group(1) if match else None, start))
        elif symbol == "}" and stack:
            name, start = stack.pop()
            if name:
                first = code.count("\n", 0, start) + 1
                functions.append((name, first, code.count("\n", 0, position) + 2 - first))
        statement = position + 1
    return functions


def python_functions(text: str) -> list[tuple[str, int, int]]:
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef)
    nodes = [node for node in ast.walk(ast.parse(text)) if isinstance(node, kinds)]
    return [(node.name, node.lineno, (node.end_lineno or node.lineno) - node.lineno + 1) for node in nodes]


def check_file(name: str, text: str, limits: Limits, report: Report) -> None:
    lines = text.count("\n")
    report.lengths.append(lines)
    if name in limits.tables:
        return
    if lines > limits.stop_lines:
        report.errors.append(f"{name}: {lines} lines; the limit is {limits.stop_lines}: split it by reason to change")
    elif lines > limits.ask_lines:
        report.notes.append(f"{name}: {lines} lines; above {limits.ask_lines} asks why")
    suffix = Path(name).suffix
    functions = cpp_functions(text) if suffix in CPP_SUFFIXES else python_functions(text) if suffix == ".py" else []
    for function, first, length in functions:
        if length > limits.function_lines:
            size = f"{length} lines; {limits.function_lines} fit a screen"
            report.notes.append(f"{name}:{first}: {function}() has {size}")


def check(root: Path, limits: Limits) -> Report:
    report = Report()
    for folder in FOLDERS:
        for path in sorted((root / folder).rglob("*")):
            if path.is_file() and path.suffix in CPP_SUFFIXES | OTHER_SUFFIXES:
                check_file(str(path.relative_to(root)), path.read_text(encoding="utf-8"), limits, report)
    for table in limits.tables:
        if not (root / table).is_file():
            report.errors.append(f"tools/sizes.toml: tables names {table}, which does not exist")
    return report


def main() -> int:
    root = Path(__file__).resolve().parent.parent
    report = check(root, load_limits(root / "tools/sizes.toml"))
    for note in report.notes:
        print(f"note: {note}")
    for error in report.errors:
        print(f"error: {error}")
    median = statistics.median(report.lengths) if report.lengths else 0
    print(f"check_sizes: {len(report.lengths)} files, median {median:.0f} lines, "
          f"{len(report.notes)} notes, {len(report.errors)} errors")
    return 1 if report.errors else 0


if __name__ == "__main__":
    sys.exit(main())
