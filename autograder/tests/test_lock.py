"""Do two commands of one checkout grade a lab one after the other?"""
import subprocess
import sys
import threading
from pathlib import Path

from hpml_autograder import lock

HOLDER = """
import sys
from pathlib import Path
from hpml_autograder import lock
with lock.held(Path(sys.argv[1]), lambda text: None):
    print("held", flush=True)
    sys.stdin.read()
"""


def other_command(folder: Path) -> "subprocess.Popen[str]":
    holder = subprocess.Popen([sys.executable, "-c", HOLDER, folder], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                              text=True, cwd=Path(lock.__file__).parents[1])
    assert holder.stdout is not None and holder.stdout.readline() == "held\n"
    return holder


def test_the_second_waits_and_says_so_until_the_first_has_ended(tmp_path: Path) -> None:
    folder = tmp_path / "grade" / "lab9"
    first = other_command(folder)
    said: list[str] = []
    waits, works = threading.Event(), threading.Event()

    def say(text: str) -> None:
        said.append(text)
        waits.set()

    def second_command() -> None:
        with lock.held(folder, say):
            works.set()

    threading.Thread(target=second_command, daemon=True).start()
    assert waits.wait(20)
    assert "lab9" in said[0] and not works.is_set()
    first.kill()  # not asked to let go of it
    assert works.wait(20)
    first.wait()


def test_two_labs_do_not_wait_for_each_other_nor_a_command_for_one_that_has_ended(tmp_path: Path) -> None:
    said: list[str] = []
    first = other_command(tmp_path / "lab1")
    for _ in range(2):
        with lock.held(tmp_path / "lab2", said.append):
            pass
    assert said == []
    first.kill()
    first.wait()
