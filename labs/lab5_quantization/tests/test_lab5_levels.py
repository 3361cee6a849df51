"""The solution's ladder of E6 on this processor and on emulated ones: every level they have is exact."""
import functools
import os
import shutil
import subprocess
from pathlib import Path

import pytest

LAB = Path(__file__).resolve().parent.parent
SOLUTION = LAB.parent.parent / "solutions" / LAB.name
SOURCES = (LAB / "tests" / "levels_main.cpp", LAB / "judges" / "worker" / "cases.cpp", LAB / "judges" / "worker" / "levels.cpp")
ARM = "aarch64-linux-gnu-g++"
pytestmark = pytest.mark.skipif(not SOLUTION.is_dir(), reason="this tree has no solutions")


def needed(*programs: str) -> None:
    absent = [name for name in programs if shutil.which(name) is None]
    if absent:
        pytest.skip(f"not run: {', '.join(absent)} not found; apt-get install g++-aarch64-linux-gnu qemu-user")


@pytest.fixture(scope="module")
def build(tmp_path_factory):
    """build(folder, compiler, change): levels_main with the solution, of which one passage is changed."""
    options = ["-std=c++20", "-O1", f"-I{LAB}", f"-I{LAB / 'src'}"]

    @functools.cache
    def given(compiler: str) -> list[str]:
        folder = tmp_path_factory.mktemp("given")
        subprocess.run([compiler, *options, "-c", *map(str, SOURCES)], cwd=folder, check=True)
        return [str(folder / f"{source.stem}.o") for source in SOURCES]

    def one(folder: Path, compiler: str, change: tuple[str, str] = ("", "")) -> Path:
        text = (SOLUTION / "qgemm.cpp").read_text(encoding="utf-8")
        assert text.count(change[0]) == 1 or change == ("", "")
        (folder / "qgemm.cpp").write_text(text.replace(*change) if change[0] else text, encoding="utf-8")
        program = folder / "levels"
        subprocess.run([compiler, *options, "-static", str(folder / "qgemm.cpp"), *given(compiler), "-o", str(program)], check=True)
        return program
    return one


def lines(*command: str | Path, code: int = 0) -> list[str]:
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, timeout=120)
    assert done.returncode == code, done.stdout + done.stderr
    return done.stdout.splitlines()


@pytest.fixture(scope="module")
def arm(build, tmp_path_factory) -> Path:
    needed(ARM, "qemu-aarch64")
    return build(tmp_path_factory.mktemp("arm"), ARM)


def test_neon_is_exact_and_chosen_on_an_emulated_processor(arm):
    assert lines("qemu-aarch64", "-cpu", "max", arm) == ["naive", "blocked", "neon", "best neon"]


def test_an_arm_processor_without_sdot_takes_the_portable_level(arm):
    assert lines("qemu-aarch64", "-cpu", "cortex-a57", arm) == ["naive", "blocked", "best blocked"]


def test_a_wrong_sign_in_the_neon_level_is_seen(build, tmp_path):
    needed(ARM, "qemu-aarch64")
    wrong = build(tmp_path, ARM, ("vdupq_n_u32(four ^ 0x80808080U)", "vdupq_n_u32(four)"))
    assert "neon, product" in lines("qemu-aarch64", "-cpu", "max", wrong, code=1)[-1]


@pytest.mark.skipif(os.uname().machine != "x86_64", reason="this processor's compiler makes no x86 programs")
def test_a_processor_without_avx512_takes_avx2_and_is_exact(build, tmp_path):
    needed("g++", "qemu-x86_64")
    assert lines("qemu-x86_64", "-cpu", "max", build(tmp_path, "g++")) == ["naive", "blocked", "avx2", "best avx2"]
