"""The first command of the README on machines that lack something: full marks, or one sentence that says what is missing.

Each machine grades one CUDA test and one CPU test of lab 3's solution. The tree lies in a folder with spaces and umlauts."""
import contextlib
import os
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import machine_kit as kit
import pytest
from hpml_autograder import cgroup
from hpml_autograder.paths import build_dir

CUDA, CPU = "A2.correct.public", "B1.correct.public"
FULL = os.environ.get("HPML_CHECK_FULL") == "1"
pytestmark = pytest.mark.skipif(os.geteuid() != 0, reason="only root can take things away from a command")


@dataclass(frozen=True)
class Cell:
    name: str
    level: str                    # of the sandbox that is used there
    before: tuple[str, ...] = ()
    user: bool = False            # an ordinary one
    most: str = ""                # HPML_SANDBOX_LEVEL
    around: Callable[[Path], contextlib.AbstractContextManager[None]] = lambda tree: contextlib.nullcontext()


def limited(*words: str) -> tuple[str, ...]:
    return ("/usr/bin/prlimit", *words, "--")


CELLS = [
    Cell("root", "L4"),
    Cell("no control groups", "L3", most="L3"),
    Cell("no bubblewrap", "L2", most="L2"),
    Cell("no name spaces", "L1", most="L1"),
    Cell("nothing", "L0", most="L0"),
    Cell("container", "L1", (*kit.NO_CGROUPS, *kit.CONTAINER)),
    Cell("private folder", "L4", around=kit.private),
    Cell("private folder and files", "L4", around=lambda tree: kit.private(tree, files=True)),
    Cell("private folder and files, no bubblewrap", "L2", most="L2", around=lambda tree: kit.private(tree, files=True)),
    Cell("private folder, container", "L1", (*kit.NO_CGROUPS, *kit.CONTAINER), around=kit.private),
    Cell("user", "L0", kit.AS_USER, user=True),
    Cell("user on WSL 2", "L0", (*kit.NO_CGROUPS, *kit.AS_USER), user=True),
    Cell("user in a container", "L0", (*kit.NO_CGROUPS, *kit.AS_USER, *kit.NO_NAMESPACES), user=True, around=kit.private),
    Cell("user with 200 processes", "L0", kit.AS_USER, user=True, around=lambda tree: kit.running(200, kit.AS_USER)),
    Cell("few open files", "L0", (*limited("--nofile=64"), *kit.AS_USER), user=True),
    Cell("soft limits that may be raised", "L0", (*limited("--as=2000000000:", "--data=100000000:", "--nofile=20:",
                                                           "--nproc=210:"), *kit.AS_USER), user=True,
         around=lambda tree: kit.running(200, kit.AS_USER)),
    Cell("small /dev/shm", "L4", kit.SMALL_SHM),
    Cell("no network", "L0", (*kit.NO_NETWORK, *kit.AS_USER), user=True),
    Cell("read-only tree", "L0", (*kit.READ_ONLY_BUT_BUILD, *kit.AS_USER), user=True),
]


@pytest.fixture(scope="module")
def trees() -> Iterator[dict[bool, Path]]:
    """By whether it is an ordinary user's; what is given is compiled for both."""
    with kit.tree_of(0, build_dir()) as roots, kit.tree_of(kit.USER, build_dir()) as users:
        yield {False: roots, True: users}


def machine(cell: Cell, trees: dict[bool, Path]) -> kit.Machine:
    return kit.Machine(trees[cell.user], cell.before, {"HPML_SANDBOX_LEVEL": cell.most} if cell.most else {})


@pytest.mark.parametrize("cell", CELLS, ids=lambda cell: cell.name)
def test_the_solution_gets_full_marks(cell, trees):
    if cell.level == "L4" and cgroup.hierarchy().version == "none":
        cell = replace(cell, level="L3")
    with cell.around(trees[cell.user]):
        for test in (CUDA, CPU):
            answer = machine(cell, trees).grade(test)
            assert answer.full_marks, f"{test}: {answer.verdicts} {answer.stderr}"
            assert f"sandbox: {cell.level} " in answer.stdout


@pytest.mark.parametrize("before, missing", [
    (limited("--as=8000000000"), "cannot reserve 256 GiB of addresses .* raise the address-space limit"),
    (limited("--data=2000000000"), "this shell allows .* KB of data .ulimit -H -d."),
    (limited("--nofile=24"), "this shell allows 24 open files .ulimit -H -n."),
    (limited("--nproc=12"), "processes and threads of .* 12 are allowed .ulimit -H -u."),
], ids=["ulimit -v", "ulimit -d", "ulimit -n", "ulimit -u"])
def test_a_limit_that_may_not_be_raised_is_named_in_one_sentence(before, missing, trees):
    answer = kit.Machine(trees[True], (*before, *kit.AS_USER)).grade(CUDA)
    assert answer.code == 3 and set(answer.verdicts.values()) <= {"AC", "XX"}
    assert re.search(missing, answer.sentence or " ".join(answer.stdout.split())), answer


def test_a_tree_that_cannot_be_written_to_is_one_sentence(trees):
    answer = kit.Machine(trees[True], (*kit.READ_ONLY, *kit.AS_USER)).grade(CPU)
    assert "Read-only file system" in answer.sentence, answer


@pytest.mark.skipif(cgroup.hierarchy().version == "none", reason="needs a control group")
def test_a_container_with_few_processes_is_one_sentence(trees):
    group = cgroup.Group(cgroup.hierarchy(), None, 16)
    try:
        join = "".join(f'echo $$ > "{path}/cgroup.procs"; ' for path in group.paths)
        answer = kit.Machine(trees[False], ("/bin/sh", "-c", f'{join} exec "$@"', "sh")).grade(CPU)
        assert "more processes, the grader needs" in answer.sentence, answer
    finally:
        group.remove()


def test_a_level_that_is_none_is_said(trees):
    answer = kit.Machine(trees[False], (), {"HPML_SANDBOX_LEVEL": "5"}).grade(CPU)
    assert answer.code == 2 and "L0, L1, L2, L3, L4" in answer.stderr


@pytest.mark.skipif(not FULL, reason="a minute each: HPML_CHECK_FULL=1")
@pytest.mark.parametrize("cell", [*CELLS[:6], *CELLS[10:13]], ids=lambda cell: cell.name)
def test_the_whole_solution_gets_full_marks(cell, trees):
    with cell.around(trees[cell.user]):
        answer = machine(cell, trees).run("test", "lab3", "--solution", "--cuda", "clang", "--fresh")
    assert answer.full_marks, (answer.verdicts, answer.stderr)
