"""Question: does the model read every key that a GPU file has to have?

A key that nothing reads says of a GPU what is not simulated. The key's member of GpuSpec must be used by name somewhere
outside the code that fills it; where several groups have a member of that name, with the name of the group before it."""
import re
from collections import Counter
from pathlib import Path

import pytest

SIMULATOR = Path(__file__).resolve().parents[1]
LOADER = (SIMULATOR / "timing/gpu_spec.cpp").read_text(encoding="utf-8")
HEADER = (SIMULATOR / "timing/gpu_spec.hpp").read_text(encoding="utf-8")
# What tests read, nothing reads; the loader's own uses are checks of the file.
USERS = "\n".join(path.read_text(encoding="utf-8") for path in sorted(SIMULATOR.rglob("*.[ch]pp"))
                  if "tests" not in path.parts and path.stem != "gpu_spec")
METHODS = HEADER[HEADER.index("struct GpuSpec {"):] + LOADER[LOADER.index("double TensorRates::of"):]


def groups() -> dict[str, list[str]]:
    """The members of GpuSpec's groups that the loader fills, by the group's type."""
    found = {}
    for describe in re.finditer(r"^void describe\(Table& t, (\w+)& v\) \{(.*?)^\}", LOADER, re.MULTILINE | re.DOTALL):
        members = re.findall(r't\.get\("\w+", v\.(\w+)', describe[2])
        if members:
            found[describe[1]] = members
    return found


def unread(users: str) -> list[str]:
    found = groups()
    owners = Counter(member for members in found.values() for member in members)
    alone = set(re.findall(r"(?:\.|->|\breturn )(\w+)", users))
    of_a_group = set(re.findall(r"\b(\w+?)_?\.(?=(\w+))", users))
    missing = []
    for kind, members in found.items():
        group = re.findall(rf"^  (?:std::array<)?{kind}(?:, [^>]*>)? (\w+)", HEADER, re.MULTILINE)[-1]
        missing += [f"{group}.{member}" for member in members
                    if ((group, member) not in of_a_group if owners[member] > 1 else member not in alone)]
    return missing


def test_every_key_is_read():
    assert unread(USERS + METHODS) == []


@pytest.mark.parametrize("key, use", [("l2.dirty_share", "dirty_share"), ("l1.ways", "l1.ways")])
def test_a_key_that_nothing_reads_is_named(key, use):
    assert key in unread((USERS + METHODS).replace(use, "nothing"))
