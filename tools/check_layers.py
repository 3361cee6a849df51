#!/usr/bin/python3
"""Checks that rooms use only the rooms their doors allow: every #include, every CMake link, every Python import.

The doors are in tools/layers.toml. Exit codes: 0 all well, 1 something goes against the order, 2 usage.
"""

import ast
import re
import sys
import tomllib
from dataclasses import dataclass, field
from pathlib import Path

CODE_SUFFIXES = {".hpp", ".cpp", ".h", ".cu", ".cuh", ".c"}
TOP_FOLDERS = ("common", "simulator", "labs", "solutions", "autograder", "quizzes")
# Programs of these kinds may link any room: they are leaves that nothing else links.
LEAF_TARGET = re.compile(r"^(test|bench|fuzz)_")


@dataclass(frozen=True)
class Room:
    name: str
    folder: str
    targets: tuple[str, ...]
    may: frozenset[str]
    only: dict[str, tuple[str, ...]] = field(default_factory=dict)

    def may_use(self, other: "Room") -> bool:
        return other.name == self.name or "*" in self.may or other.name in self.may


def load_rooms(path: Path) -> list[Room]:
    tables = tomllib.loads(path.read_text(encoding="utf-8"))["rooms"]
    rooms = []
    for name, table in tables.items():
        unknown = (set(table["may"]) | set(table.get("only", {}))) - set(tables) - {"*"}
        if unknown:
            raise ValueError(f"{path}: room {name} names unknown rooms: {', '.join(sorted(unknown))}")
        only = {room: tuple(headers) for room, headers in table.get("only", {}).items()}
        rooms.append(Room(name, table["folder"], tuple(table["targets"]), frozenset(table["may"]), only))
    return rooms


def room_of(path: str, rooms: list[Room]) -> Room | None:
    """The room with the longest folder that holds this path (relative to the root)."""
    holders = [room for room in rooms if path.startswith(room.folder + "/")]
    return max(holders, key=lambda room: len(room.folder), default=None)


def files_of(root: Path, names: set[str]) -> list[Path]:
    """Every file below the top folders whose suffix or name is in `names`, in a fixed order."""
    found = []
    for top in TOP_FOLDERS:
        for path in sorted((root / top).rglob("*")):
            if path.is_file() and (path.suffix in names or path.name in names):
                found.append(path)
    return found


def resolve_include(root: Path, including: Path, written: str) -> str | None:
    """The included file relative to the root, or None for a header that is not of this tree."""
    if written.split("/")[0] in TOP_FOLDERS:
        return written
    beside = (including.parent / written).resolve()
    if beside.is_file() and beside.is_relative_to(root):
        return str(beside.relative_to(root))
    return None


def check_includes(root: Path, rooms: list[Room]) -> list[str]:
    problems = []
    for path in files_of(root, CODE_SUFFIXES):
        name = str(path.relative_to(root))
        room = room_of(name, rooms)
        if room is None:
            problems.append(f"{name}: belongs to no room; give its folder one in tools/layers.toml")
            continue
        for number, line in enumerate(path.read_text(encoding="utf-8", errors="replace").splitlines(), start=1):
            match = re.match(r'\s*#\s*include\s*["<]([^">]+)[">]', line)
            target = match and resolve_include(root, path, match.group(1))
            if target:
                problems += include_problems(f"{name}:{number}", room, target, rooms)
    return problems


def include_problems(where: str, room: Room, header: str, rooms: list[Room]) -> list[str]:
    other = room_of(header, rooms)
    if other is None:
        return [f'{where}: includes "{header}", which belongs to no room']
    if not room.may_use(other):
        return [f'{where}: room {room.name} must not use room {other.name} (includes "{header}")']
    allowed = room.only.get(other.name)
    if allowed is not None and header not in allowed:
        return [f'{where}: room {room.name} may see only {", ".join(allowed)} of room {other.name}, not "{header}"']
    return []


def link_calls(text: str) -> list[tuple[int, str, list[str]]]:
    """(line, linking target, linked words) of every CMake call that links."""
    text = re.sub(r"#.*", "", text)
    calls = []
    for match in re.finditer(r"\b(hpml_room|target_link_libraries)\s*\(([^)]*)\)", text):
        words = match.group(2).split()
        if words:
            target = f"hpml_{words[0]}" if match.group(1) == "hpml_room" else words[0]
            calls.append((text.count("\n", 0, match.start()) + 1, target, words[1:]))
    return calls


def check_links(root: Path, rooms: list[Room]) -> list[str]:
    by_target = {target: room for room in rooms for target in room.targets}
    problems = []
    for path in files_of(root, {"CMakeLists.txt", ".cmake"}):
        name = str(path.relative_to(root))
        for line, target, words in link_calls(path.read_text(encoding="utf-8")):
            room = by_target.get(target) or room_of(name, rooms)
            if room is None or LEAF_TARGET.match(target):
                continue
            for word in words:
                other = by_target.get(word)
                if other and not room.may_use(other):
                    problems.append(f"{name}:{line}: room {room.name} must not link {word} (room {other.name})")
    return problems


def imports_of(source: str) -> list[tuple[int, str]]:
    """(line, dotted module) of every absolute import; `from a import b` may name a module, so a and a.b both count."""
    found = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            found += [(node.lineno, alias.name) for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            whole = "." in node.module  # from hpml_autograder.lab import Case: the module is hpml_autograder.lab
            found += [(node.lineno, node.module if whole else f"{node.module}.{alias.name}") for alias in node.names]
    return found


def check_imports(root: Path, layers: Path) -> list[str]:
    doors = tomllib.loads(layers.read_text(encoding="utf-8")).get("python", {})
    problems = []
    for path in files_of(root, {".py"}):
        name = str(path.relative_to(root))
        if path.name.startswith("test_") or path.name == "conftest.py" or "/tests/" in name:
            continue
        for line, module in imports_of(path.read_text(encoding="utf-8")):
            package, _, inner = module.partition(".")
            folders = [folder for folder in doors.get(package, {}) if name.startswith(folder + "/")]
            if not folders:
                continue
            allowed = doors[package][max(folders, key=len)]
            if inner.split(".")[0] not in allowed:
                door = ", ".join(f"{package}.{one}" for one in allowed) or "nothing"
                problem = f"{name}:{line}: may import {door} of {package}, not {module}"
                problems += [problem] if problem not in problems else []
    return problems


def check(root: Path, layers: Path) -> list[str]:
    root = root.resolve()
    rooms = load_rooms(layers)
    return check_includes(root, rooms) + check_links(root, rooms) + check_imports(root, layers)


def main() -> int:
    root = Path(__file__).resolve().parent.parent
    try:
        problems = check(root, root / "tools/layers.toml")
    except (ValueError, KeyError) as error:
        print(f"check_layers: tools/layers.toml: {error}", file=sys.stderr)
        return 2
    for problem in problems:
        print(problem)
    print(f"check_layers: {len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
