"""The steps, in order. A suite finds its tests by their folders: what is added under labs/labN_topic/ joins by itself."""
import os
import subprocess
from dataclasses import dataclass

from . import depth
from .paths import LOGS, PYTHON, ROOT, TOOLS

JOBS = os.environ.get("JOBS") or str(len(os.sched_getaffinity(0)))
TEST_FOLDERS = ("tools/tests", "docs/tests", "autograder", "labs", "quizzes", "simulator/metrics", "simulator/debug_front",
                "simulator/dap", "simulator/report", "simulator/tests", "simulator/validation")
PLATFORMS = ("debian12", "debian13")  # of tools/platforms
FUZZ_INPUTS = {False: 20_000, True: 1_000_000}


@dataclass(frozen=True)
class Step:
    name: str
    heading: str
    command: list[str]
    needs: str = ""         # a step that must have passed before
    junit: str = ""         # file under build/check with the results of the single tests
    absent: str = ""        # why the step cannot run on this machine; empty = it can
    progress: str = ""      # file whose last line says how far it is; default: the step's own log


def platform(name: str) -> Step:
    """Labs 1, 3 and 4 (Open MPI and SimGrid are other releases in each) in a fresh root file system of a distribution."""
    script = [str(TOOLS / "platforms/try"), name, "--labs", "lab1,lab3,lab4"]
    absent = ""
    if depth.is_full():
        absent = subprocess.run([*script, "--possible"], capture_output=True, text=True, check=False).stderr
    return Step(f"platform-{name}", f"the README's commands in a fresh {name}", script, absent=absent.strip())


def compilers(name: str, heading: str, script: str) -> Step:
    """What other compilers make of the tree: a script that says on stderr with --possible why it cannot run."""
    command = [str(TOOLS / "platforms" / script)]
    absent = subprocess.run([*command, "--possible"], capture_output=True, text=True, check=False).stderr if depth.is_full() else ""
    return Step(f"platform-{name}", heading, command, needs="build", absent=absent.strip())


def pytest_folders() -> list[str]:
    return [folder for folder in TEST_FOLDERS if any(ROOT.glob(f"{folder}/**/test_*.py"))]


def ctest(preset: str, *more: str) -> list[str]:
    leave_out = []
    for option, suite in (() if depth.is_full() else (("-E", "ctest"), ("-LE", "label"))):
        leave_out += [option, "|".join(f"^({entry.match})" for entry in depth.full_only(suite))]
    return ["ctest", "--test-dir", f"build/{preset}", "--output-on-failure", "--no-tests=error", "-j", JOBS,
            "--timeout", "600", "--output-junit", str(LOGS / f"ctest_{preset}.xml"), *leave_out, *more]


def build(preset: str, *targets: str) -> dict:
    return {"command": ["tools/build.sh", "-p", preset, *targets], "progress": f"build/{preset}/build.log"}


def pytest(name: str, *more: str) -> dict:
    junit = f"{name}.xml"
    return {"command": [PYTHON, "-m", "pytest", "-v", "-ra", "-p", "no:cacheprovider", f"--junitxml={LOGS / junit}", *more,
                        *pytest_folders()], "needs": "build", "junit": junit}


def steps() -> list[Step]:
    """Those of the depth that is asked for."""
    no_formatter = subprocess.run([TOOLS / "format.sh", "--which"], capture_output=True, text=True, check=False).stderr
    full = depth.is_full()
    every = [
        Step("layers", "rooms use only what their doors allow", [PYTHON, "tools/check_layers.py"]),
        Step("sizes", "files and functions are small", [PYTHON, "tools/check_sizes.py"]),
        Step("format", "sources are formatted", ["tools/format.sh", "--check"], absent=no_formatter.strip()),
        Step("build", "configure and build everything", **build("release", "all", *["hpml_full_programs"] * full)),
        Step("headers", "every header compiles alone", **build("release", "headers_alone")),
        Step("ctest", "unit and program tests", ctest("release"), needs="build", junit="ctest_release.xml"),
        Step("asan-build", "build with both sanitizers", **build("asan", "hpml_sanitized_tests", "hpml_fuzzers")),
        Step("asan-ctest", "unit tests under both sanitizers", ctest("asan", "-L", "sanitized"), needs="asan-build",
             junit="ctest_asan.xml"),
        Step("fuzz", "fuzz targets, a fixed number of inputs", ["tools/fuzz.sh", str(FUZZ_INPUTS[full])],
             needs="asan-build"),
        Step("asan-full-build", "build every suite with both sanitizers", **build("asan-full", "hpml_sanitized_tests")),
        Step("asan-full-ctest", "every suite under both sanitizers", ctest("asan-full", "-L", "sanitized"),
             needs="asan-full-build", junit="ctest_asan-full.xml"),
        Step("tsan-build", "build the engine with ThreadSanitizer", **build("tsan", "test_sim_timing", "test_sim_device")),
        Step("tsan-ctest", "several host threads under ThreadSanitizer",
             ctest("tsan", "-R", "^sim_(timing|device)\\..*[Tt]hread"), needs="tsan-build", junit="ctest_tsan.xml"),
        Step("pytest", "grader, tools and labs", **pytest("pytest", "-m", "not alone", "-n", JOBS, "--dist=loadgroup")),
        Step("measured", "tests that measure this machine, one at a time", **pytest("measured", "-m", "alone")),
        *(platform(name) for name in PLATFORMS),
        compilers("arm64", "sources with code for a processor compile for arm64", "arm64"),
        compilers("clangs", "CUDA programs with every clang of this machine", "front_ends"),
        Step("mutations", "the quick depth sees mistakes that are made on purpose", [PYTHON, "tools/mutations.py"],
             needs="build"),
    ]
    only_full = [] if full else depth.full_only("step")
    return [step for step in every if not depth.left_out(step.name, only_full)]
