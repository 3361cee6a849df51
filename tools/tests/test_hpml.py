"""Does hpml hand over to the room that knows the command?"""
import re
import subprocess
from pathlib import Path

HPML = Path(__file__).resolve().parents[1] / "hpml"


def run(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([HPML, *arguments], capture_output=True, text=True, check=False, env=environment or None)


def test_help_names_the_commands() -> None:
    done = run("--help")
    assert done.returncode == 0 and "hpml quiz" in done.stdout and "hpml model" in done.stdout
    assert run().returncode == 2


def test_an_unknown_command_is_one_line() -> None:
    done = run("quizz")
    assert done.returncode == 2 and done.stderr.startswith("hpml: no command 'quizz'; there are ")
    assert done.stderr.count("\n") == 1


def test_the_help_names_every_command_there_is() -> None:
    listed = set(re.findall(r"^    hpml (\S+)", run("--help").stdout, re.MULTILINE))
    assert listed == set(run("nothing").stderr.strip().split("there are ")[1].split(", "))


def test_a_room_gets_its_arguments() -> None:
    done = run("quiz", "grade")
    assert done.returncode == 2 and "usage: hpml quiz grade" in done.stderr


def test_a_lab_that_does_not_exist_is_refused_before_anything_is_built(tmp_path: Path) -> None:
    (tmp_path / "ninja").symlink_to("/bin/false")
    (tmp_path / "cmake").symlink_to("/bin/false")
    done = run("test", "lab99", PATH=f"{tmp_path}:/usr/bin:/bin")  # no HPML_BUILD_DIR: it would build
    assert done.returncode == 2 and "there is no lab 'lab99' here" in done.stderr and done.stderr.count("\n") == 1


def test_a_program_that_is_not_built_says_how(tmp_path: Path) -> None:
    done = run("model", "--list", HPML_BUILD_DIR=str(tmp_path))
    assert done.returncode == 3 and "build it: tools/build.sh hpml-model" in done.stderr
