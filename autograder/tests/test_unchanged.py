"""For feedback, what is unchanged since the last time is neither compiled nor run again; what changed always is."""
import shutil

import pytest
from hpml_autograder import build, labspec, pipeline, programs, runner, sandbox, staging
from hpml_autograder.backends import Setup
from hpml_autograder.backends.gpusim import Gpusim
from hpml_autograder.dependencies import digest_of, files_of
from hpml_autograder.errors import InfraError
from hpml_autograder.labspec import Program
from hpml_autograder.paths import find_lab
from hpml_autograder.verdict import Verdict

TEST = "B2.correct.one_thread"
SPEC = labspec.load(find_lab("lab3").lab / "lab.toml")


@pytest.fixture()
def handed_in(tmp_path):
    """The solution, where a student would have it."""
    folder = tmp_path / "mine"
    shutil.copytree(find_lab("lab3").solution, folder, ignore=shutil.ignore_patterns("bad"))
    return folder


def graded(tmp_path, folder, **more) -> pipeline.Graded:
    return pipeline.grade(pipeline.Request("lab3", source=folder, cuda="clang", only=TEST, **more),
                          scratch=tmp_path / "scratch")


def test_only_what_changed_is_compiled_and_run_again(tmp_path, handed_in, monkeypatch):
    first = graded(tmp_path, handed_in)
    assert first.outcomes[TEST].verdict is Verdict.AC
    done, real = [], sandbox.run

    def counted(command, *arguments, **more):
        done.append(" ".join(map(str, command)))
        return real(command, *arguments, **more)

    monkeypatch.setattr(sandbox, "run", counted)
    assert graded(tmp_path, handed_in).outcomes == first.outcomes
    assert done == []
    file = handed_in / "vecaddgpu00.cu"
    file.write_text(file.read_text().replace("cudaMemcpyDeviceToHost", "cudaMemcpyHostToDevice"))
    assert graded(tmp_path, handed_in).outcomes[TEST].verdict is not Verdict.AC
    commands = [command for command in done if not command.endswith("-- /bin/true")]  # whether the simulator works at all
    assert commands and all("vecaddgpu00" in command for command in commands)
    done.clear()
    graded(tmp_path, handed_in, fresh=True)
    assert any("vecaddgpu00" in command for command in done)


def test_a_grading_that_is_killed_leaves_no_old_entry_beside_new_files(tmp_path, handed_in, monkeypatch):
    file = handed_in / "vecaddgpu00.cu"
    text = file.read_text()
    first = graded(tmp_path, handed_in)
    file.write_text(text + "// another digest\n")

    def killed(self, case, program, place):
        (place / "metrics.json").write_text("half of")
        raise KeyboardInterrupt

    with monkeypatch.context() as patched, pytest.raises(KeyboardInterrupt):
        patched.setattr(runner.Runner, "_launch", killed)
        graded(tmp_path, handed_in)
    file.write_text(text)
    assert graded(tmp_path, handed_in).outcomes == first.outcomes


def stage_of(tmp_path, **files) -> staging.Stage:
    src = tmp_path / "src"
    src.mkdir()
    for name, text in files.items():
        (src / name.replace("_", ".")).write_text(text)
    return staging.Stage(src, tmp_path / "work")


def names(stage, *sources) -> list[str]:
    return [path.name for path in files_of(Program("p", "gpusim", sources), stage)]


def test_a_program_is_made_of_what_its_files_include(tmp_path):
    stage = stage_of(tmp_path, a_cu='#include "b.h"\n', b_h="# include <c.h>\n#include <vector>\n", c_h="", d_h="")
    assert names(stage, "a.cu") == ["a.cu", "b.h", "c.h"]


def test_where_a_macro_names_the_file_or_python_imports_it_everything_counts(tmp_path):
    stage = stage_of(tmp_path, a_cu="#define NAME <b.h>\n#include NAME\n", b_h="", e_py="import a", x_h="")
    assert names(stage, "a.cu") == names(stage, "e.py") == ["a.cu", "b.h", "e.py", "x.h"]


def test_a_program_has_another_digest_when_a_header_changes_and_not_when_another_file_does(tmp_path):
    stage = stage_of(tmp_path, a_cu='#include "b.h"\n', b_h="int x;", c_h="")
    program = Program("p", "gpusim", ("a.cu",))
    clang, nvcc = (Gpusim(SPEC, Setup(cuda=name)) for name in ("clang", "nvcc"))
    before = digest_of(clang, program, stage)
    (stage.src / "c.h").write_text("int y;")
    assert digest_of(clang, program, stage) == before
    (stage.src / "b.h").write_text("int z;")
    assert digest_of(clang, program, stage) != before != digest_of(nvcc, program, stage)


def test_a_given_program_that_does_not_compile_is_no_fault_of_the_student(tmp_path, monkeypatch):
    monkeypatch.setattr(programs, "build", lambda backend, program, place, given: build.Built(program.name, None, "error: x"))
    with pytest.raises(InfraError, match="which is given, does not compile: error: x"):
        pipeline.grade(pipeline.Request("lab3", solution=True, cuda="clang", only="A1.table"), scratch=tmp_path / "s")
