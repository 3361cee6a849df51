"""What kinds of program a lab may name, and how their runs are started."""
import threading
from dataclasses import replace
from pathlib import Path

import pytest
from hpml_autograder import build as building
from hpml_autograder import labspec, process
from hpml_autograder.backends import Backends, Setup
from hpml_autograder.backends.base import Library
from hpml_autograder.backends.native import Native
from hpml_autograder.build import Built, build
from hpml_autograder.case import Case
from hpml_autograder.errors import InfraError, UsageError
from hpml_autograder.labspec import Program
from hpml_autograder.runner import Runner
from hpml_autograder.staging import Stage

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def spec():
    lab3 = labspec.load(ROOT / "labs/lab3_cuda/lab.toml")
    return replace(lab3, build=replace(lab3.build, std="c11"), program=())


@pytest.fixture
def stage(tmp_path):
    for name in ("src", "work"):
        (tmp_path / name).mkdir()
    return Stage(tmp_path / "src", tmp_path / "work")


def made(spec, stage: Stage, program: Program, **texts: str) -> Built:
    for name, text in texts.items():
        (stage.src / name.replace("_DOT_", ".")).write_text(text, encoding="utf-8")
    return build(Native(spec, Setup()), program, stage)


def run(spec, stage: Stage, programs: list[Program], built: list[Built], *cases: Case):
    backends = Backends(replace(spec, program=tuple(programs)), Setup())
    runner = Runner(backends, {one.program: one for one in built}, stage.work, jobs=4)
    runs = runner.run_all(cases)
    return [runs[case] for case in cases]


def test_a_c_file_is_compiled_as_c_with_the_flags_of_its_program(spec, stage):
    program = Program("one", "native", ("one.c",), flags=("-DWORD=\"new\"",))
    built = made(spec, stage, program,
                 one_DOT_c="#include <stdio.h>\nint main(void) { int class = sizeof(WORD); printf(\"%d\", class); }\n")
    assert run(spec, stage, [program], [built], Case("one", ""))[0].stdout == "4"


def test_a_python_file_is_read_by_the_interpreter_before_it_runs(spec, stage):
    good = made(spec, stage, Program("good", "native", ("good.py",)), good_DOT_py="import sys\nprint(sys.argv[1:])\n")
    bad = made(spec, stage, Program("bad", "native", ("bad.py",)), bad_DOT_py="def f(:\n")
    program = Program("good", "native", ("good.py",))
    assert run(spec, stage, [program], [good], Case("good", "7 x"))[0].stdout == "['7', 'x']\n"
    assert bad.path is None and bad.first_error.startswith("bad.py:1: error: ")


def test_arguments_may_name_other_programs_by_their_path(spec, stage):
    programs = [Program("cat", "native", ("cat.py",)), Program("data", "native", ("data.py",))]
    built = [made(spec, stage, programs[0], cat_DOT_py="import sys\nprint(open(sys.argv[1]).read())\n"),
             made(spec, stage, programs[1], data_DOT_py="# what it holds\n")]
    assert "# what it holds" in run(spec, stage, programs, built, Case("cat", "{data}"))[0].stdout
    broken = Built("data", None)
    assert run(spec, stage, programs, [built[0], broken], Case("cat", "{data}"))[0].state == "cannot_start"


def test_a_program_without_sources_is_a_tool_of_the_build_directory(spec, stage, tmp_path, monkeypatch):
    monkeypatch.setattr(building, "build_dir", lambda: tmp_path)
    with pytest.raises(InfraError, match="bin/helper is missing"):
        made(spec, stage, Program("helper", "native"))
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin/helper").write_text("#!/bin/sh\necho here\n", encoding="utf-8")
    assert made(spec, stage, Program("helper", "native")).path == tmp_path / "bin/helper"


def test_a_library_that_is_not_installed_is_our_fault_not_the_students(spec, stage):
    with pytest.raises(InfraError, match="no_such_library is not installed"):
        made(spec, stage, Program("one", "native", ("one.c",), packages=("no_such_library",)), one_DOT_c="int main;")


@pytest.mark.skipif(not Library("nn").archive.is_file(), reason="the library is not built")
def test_a_program_links_a_library_of_the_tree_and_has_another_digest_with_it(spec, stage):
    program = Program("one", "native", ("one.cpp",), std="c++20", packages=("fmt",), libraries=("nn",))
    text = "#include <cstdio>\n#include \"common/nn/tensor.hpp\"\nint main() { std::puts(\"linked\"); }\n"
    built = made(spec, stage, program, one_DOT_cpp=text)
    assert built.path is not None, built.log
    assert run(spec, stage, [program], [built], Case("one", ""))[0].stdout == "linked\n"
    without = made(spec, stage, replace(program, libraries=()), one_DOT_cpp="int main() {}\n")
    assert without.digest != built.digest
    with pytest.raises(InfraError, match="'no_such' of this tree is not built"):
        made(spec, stage, replace(program, libraries=("no_such",)), one_DOT_cpp=text)


def test_a_measurement_runs_alone_after_everything_else(spec, stage, monkeypatch):
    running, most, order = [], {}, []
    lock, together = threading.Lock(), threading.Barrier(2, timeout=20)

    def fake(command, limits, cwd, env, group=None, mark=b"", descriptors=(), stays_together=False):
        name = command[-1]
        with lock:
            running.append(name)
            order.append(name)
            most[name] = len(running)
        if name.startswith("side"):
            together.wait()  # only two at a time get past this
            with lock:
                most[name] = max(most[name], len(running))
        with lock:
            running.remove(name)
        return process.Finished("exit", 0, "", "", 0.0)

    monkeypatch.setattr(process, "run", fake)
    program = Program("one", "native", ("one.c",))
    cases = [Case("one", name, alone=name.startswith("alone")) for name in ("alone1", "side1", "alone2", "side2")]
    run(spec, stage, [program], [Built("one", Path("/bin/true"))], *cases)
    assert set(order[:2]) == {"side1", "side2"} and order[2:] == ["alone1", "alone2"]
    assert most["alone1"] == most["alone2"] == 1


def test_a_lab_with_programs_for_gpusim_names_a_gpu(tmp_path):
    text = (ROOT / "labs/lab3_cuda/lab.toml").read_text(encoding="utf-8")
    path = tmp_path / "lab.toml"
    path.write_text("\n".join(line for line in text.splitlines() if not line.startswith("gpu = ")), encoding="utf-8")
    with pytest.raises(UsageError, match="no gpu is named"):
        labspec.load(path)
