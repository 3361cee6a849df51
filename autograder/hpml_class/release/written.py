"""Written answers, whose keys stay with staff: what a release's files and lab.toml say in their place.

A student's grader reads such an answer, says where none is given, and leaves the points to staff (verdict INC). A hash would
not do: of an answer that is one of five words, anybody finds the word to the hash.
"""
import ast
import re
import tomllib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ..errors import UsageError

GRADED_BY_STAFF = "graded by staff"
SCALARS = (str, int, float)


@dataclass(frozen=True)
class Written:
    """Of one lab, in release.toml."""
    answers: dict[str, tuple[str, ...]] = field(default_factory=dict)  # generator of lab.toml -> keys of answers.toml
    strip: dict[str, tuple[str, ...]] = field(default_factory=dict)    # file of the lab -> names whose values are keys
    shown: tuple[str, ...] = ()                                        # answers that a given program of the lab prints


def stripped(text: str, names: tuple[str, ...], where: str) -> str:
    """A Python file without the values of some of its constants and the bodies of some of its functions, and without the
    comments above them."""
    lines = text.splitlines()
    left = set(names)
    for node in reversed(ast.parse(text).body):
        own = _names(node) & left
        if not own:
            continue
        left -= own
        first, last = node.lineno - 1, node.end_lineno or node.lineno
        while first and lines[first - 1].startswith("#"):
            first -= 1
        if isinstance(node, ast.FunctionDef):
            head = lines[node.lineno - 1:node.body[0].lineno - 1]
            lines[first:last] = [*head, f'    raise NotImplementedError("{GRADED_BY_STAFF}")']
        else:
            lines[first:last] = [f"{' = '.join(sorted(_names(node)))} = None  # {GRADED_BY_STAFF}"]
    if left:
        raise UsageError(f"release.toml: {where} has no {', '.join(sorted(left))}")
    return "\n".join(lines) + "\n"


def _names(node: ast.stmt) -> set[str]:
    if isinstance(node, ast.FunctionDef):
        return {node.name}
    targets = node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
    return {name.id for target in targets for name in ast.walk(target) if isinstance(name, ast.Name)}


def test_block(block: str, written: Written) -> str:
    """A [[test]] of lab.toml: where staff grade, the generator says so and the parameters are the names of the answers."""
    generator = tomllib.loads(block)["test"][0]["generator"]
    if generator not in written.answers:
        return block
    names = ", ".join(f'"{name}"' for name in written.answers[generator])
    block = re.sub(r"^params = .*\n", "", block, flags=re.MULTILINE)
    return re.sub(r"^generator = .*$", f'generator = "staff"\nparams = {{ answers = [{names}] }}', block, count=1,
                  flags=re.MULTILINE)


def key_of(solution: Path, written: Written) -> list[tuple[str, str]]:
    """(name, value) of every written answer, flat: the table q3_cause gives C1, C2, ..., a list one pair for each entry."""
    if not written.answers:
        return []
    table = tomllib.loads((solution / "answers.toml").read_text(encoding="utf-8"))
    found: dict[tuple[str, str], None] = {}
    for name in (name for names in written.answers.values() for name in names):
        value: Any = table
        for part in name.split("."):
            if part not in value:
                raise UsageError(f"release.toml: the solution's answers.toml has no {name}")
            value = value[part]
        leaf = name.split(".")[-1]
        for inner, one in value.items() if isinstance(value, dict) else [(leaf, value)]:
            for single in one if isinstance(one, list) else [one]:
                if isinstance(single, SCALARS) and str(single):
                    found[inner, str(single)] = None
    return list(found)
