"""Command line: hpml_autograder test|run|debug|bench|reference|submit-check LAB, given, adversaries."""
import argparse
import datetime
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from . import adversaries, first_wrong, labspec, lock, packing, prebuilt, record, sandbox, table
from .assignment import Request, grading_folder
from .backends import targets_of
from .backends.gpusim import Gpusim
from .check import load_bench
from .debugging import debug_program
from .errors import InfraError, UsageError
from .graded import Graded
from .next_step import next_step
from .paths import PREBUILT, ROOT, find_lab, known_labs, results_dir
from .pipeline import Prepared, grade, make_given, prepare
from .single_run import RANKS, run_program
from .verdict import PENDING, Verdict

MOST_JOBS = 8  # each run of the simulator takes memory


def parser() -> argparse.ArgumentParser:
    top = argparse.ArgumentParser(prog=os.environ.get("HPML_PROGRAM", "hpml_autograder"), description="Grades the labs.")
    actions = top.add_subparsers(dest="action", required=True)
    for name, text in (("test", "grade and print the table"), ("bench", "measure and draw the lab's charts"),
                       ("reference", "regenerate the lab's reference timings"),
                       ("profile", "run the lab's programs and show the simulator's counters"),
                       ("train", "train what the lab trains"), ("talk", "talk to what was trained"),
                       ("sweep", "run the lab's sample sweep"),
                       ("namespaces", "measure the lab's programs on shaped links of this machine"),
                       ("run", "run one program with arguments of your own"),
                       ("debug", "step through the kernels of one program, forward and back"),
                       ("build", "compile your files, and say what the compiler says"),
                       ("submit-check", "list the files that will be taken, and compile them")):
        action = actions.add_parser(name, help=text)
        action.add_argument("lab", help="lab3, ...")
        action.add_argument("--solution", action="store_true", help="use the reference solution")
        action.add_argument("--wrong", metavar="NAME", help="use the solution with this known mistake (its bad/NAME.toml)")
        action.add_argument("--source", type=Path, help="directory with the hand-in (default: the lab's src)")
        action.add_argument("--gpu", help="simulated GPU (default: lab.toml)")
        action.add_argument("--target", choices=("sim", "gpu"), default="sim", help="simulated or real GPU")
        action.add_argument("--cuda", choices=("auto", "nvcc", "clang"), default="auto", help="compiler")
        action.add_argument("--jobs", type=int, default=jobs_here(), help="runs at a time")
        action.add_argument("--full", action="store_true", help="check every size of the tables")
        action.add_argument("--test", help="only this test, or those of this exercise, and what they require")
        action.add_argument("--fresh", action="store_true", help="compile and run again what is unchanged of the hand-in")
        action.add_argument("--check", action="store_true",
                            help="reference: compare, change nothing; run: under the simulator's check tools")
        action.add_argument("--program", default="", metavar="WORDS", help="run, debug: a program of the lab and its arguments")
        action.add_argument("--compile-only", action="store_true", help="debug: start nothing, an editor will")
        action.add_argument("--ranks", type=int, default=RANKS, help="run: of an MPI program")
    given = actions.add_parser("given", help="compile and run what labs give, so that no test has to")
    given.add_argument("labs", nargs="*", help="lab3, ... (default: those that need the simulator alone)")
    given.add_argument("--cuda", choices=("auto", "nvcc", "clang"), default="auto", help="compiler")
    needs = actions.add_parser("needs", help="what labs need of this machine: CMake targets that no package has built, a line each")
    needs.add_argument("labs", nargs="*", help="lab3, ... (default: all)")
    needs.add_argument("--apt", action="store_true", help="packages of the distribution instead")
    pack = actions.add_parser("pack", help="copy what the labs compile of this tree, which is built, to where later calls look for it")
    pack.add_argument("folder", type=Path, help="prebuilt in the tree, or /usr/lib/hpml-labs; made anew")
    attacks = actions.add_parser("adversaries", help="grade the hostile hand-ins; each must be repelled")
    attacks.add_argument("names", nargs="*", help="folders of autograder/adversaries (default: all)")
    attacks.add_argument("--lab", help="only those of this lab")
    attacks.add_argument("--cuda", choices=("auto", "nvcc", "clang"), default="auto", help="compiler")
    attacks.add_argument("--feedback", action="store_true", help="in whatever sandbox there is")
    return top


def main(arguments: list[str] | None = None) -> int:
    try:
        options = parser().parse_args(arguments)
    except SystemExit as stop:
        return int(stop.code or 0)
    if options.action == "adversaries":
        return guarded(lambda: run_adversaries(options))
    if getattr(options, "lab", None) in known_labs():
        use_prebuilt(options.lab)
    if options.action == "needs":
        return guarded(lambda: run_needs(options.labs or known_labs(), options.apt))
    if options.action == "pack":
        return guarded(lambda: run_pack(options.folder))
    if options.action == "given":
        return guarded(lambda: run_given(options.labs, options.cuda))
    request = Request(options.lab, options.source, options.solution, options.wrong, options.gpu, options.target, options.cuda,
                      options.jobs, options.full, options.test, fresh=options.fresh)
    actions = {"test": run_test, "build": run_build, "submit-check": submit_check,
               "run": lambda one: run_program(one, options.program, options.check, options.ranks, progress)}
    if options.action == "talk":  # lasts as long as its user likes: other commands may work on the lab meanwhile
        return guarded(lambda: run_bench(request, options))
    if options.action == "debug":  # the same
        return guarded(lambda: debug_program(request, options.program, options.compile_only, progress))
    return guarded(lambda: alone(request.lab, lambda: actions[options.action](request) if options.action in actions
                                 else run_bench(request, options)))


def alone(lab: str, action: Callable[[], int]) -> int:
    """No other command of this checkout works on the lab meanwhile."""
    with lock.held(grading_folder(labspec.load(find_lab(lab).lab / "lab.toml")), progress):
        return action()


def jobs_here() -> int:
    return max(2, min(MOST_JOBS, len(os.sched_getaffinity(0))))


def run_given(labs: list[str], cuda: str) -> int:
    """Without names: of labs that need the simulator alone. The others' tools and libraries may not be built yet."""
    specs = {lab: labspec.load(find_lab(lab).lab / "lab.toml") for lab in labs or known_labs()}
    ahead = [lab for lab, spec in specs.items() if labs or set(targets_of(spec)) <= set(Gpusim.targets)]
    for lab in ahead:
        with tempfile.TemporaryDirectory(prefix="hpml-given-") as scratch:
            make_given(Request(lab, cuda=cuda, jobs=jobs_here()), lambda text: progress(f"{lab}: {text}"), Path(scratch))
    return 0


def run_needs(labs: list[str], apt: bool) -> int:
    """For tools/lab.sh and tools/bootstrap."""
    specs = {lab: labspec.load(find_lab(lab).lab / "lab.toml") for lab in labs}
    if not apt:
        specs = {lab: spec for lab, spec in specs.items() if not prebuilt_of(lab)}
    for line in dict.fromkeys(line for spec in specs.values() for line in (spec.apt if apt else targets_of(spec))):
        print(line)
    return 0


def run_pack(folder: Path) -> int:
    if folder.exists() and not (folder / PREBUILT).is_file():
        raise UsageError(f"{folder}: it exists and is none that `pack` made; name a new folder")
    shutil.rmtree(folder, ignore_errors=True)
    packing.pack(folder)
    return 0


def prebuilt_of(lab: str) -> Path | None:
    """Where a package has built what this lab needs; none for whoever names a build folder."""
    if os.environ.get("HPML_BUILD_DIR"):
        return None
    dirs = find_lab(lab)
    return prebuilt.find(dirs.lab, labspec.load(dirs.lab / "lab.toml"))


def use_prebuilt(lab: str) -> None:
    place = prebuilt_of(lab)
    if place is not None:
        os.environ["HPML_BUILD_DIR"] = str(place)


def run_bench(request: Request, options: argparse.Namespace) -> int:
    return load_bench(find_lab(options.lab).lab).action(options.action)(request, options.check, progress)


def run_adversaries(options: argparse.Namespace) -> int:
    broken = 0
    for folder in adversaries.folders(options.lab, options.names):
        result = adversaries.run(folder, options.cuda, options.feedback)
        broken += bool(result.problems)
        print(f"{'BROKEN  ' if result.problems else 'repelled'}  {result.name:<28} {result.seconds:5.1f} s  "
              f"{result.verdicts}", flush=True)
        for problem in result.problems:
            print(f"          {problem}")
    print(f"{broken} attacks were not repelled" if broken else "every attack was repelled")
    return 1 if broken else 0


def guarded(action: Callable[[], int]) -> int:
    try:
        sandbox.detect()  # what this machine lacks is said before anything is begun
        return action()
    except UsageError as error:
        print(f"hpml_autograder: {error}", file=sys.stderr)
        return 2
    except InfraError as error:
        print(f"hpml_autograder: {error}", file=sys.stderr)
        return 3
    except OSError as error:
        print(f"hpml_autograder: {error.filename or ''}: {error.strerror}", file=sys.stderr)
        return 3
    except KeyboardInterrupt:
        print("hpml_autograder: interrupted", file=sys.stderr)
        return 3


def progress(text: str) -> None:
    print(f"  {text} ...", file=sys.stderr, flush=True)


def run_test(request: Request) -> int:
    started = datetime.datetime.now(datetime.timezone.utc)
    clock = time.monotonic()
    graded = grade(request, progress)
    volatile = {"started": started.isoformat(timespec="seconds"), "attempt": 1,
                "wall_s": {"total": round(time.monotonic() - clock, 3),
                           "runs": {f"{run.case} {dict(run.case.env)}": round(run.wall_s, 3)
                                    for run in graded.runner.runs.values()}}}
    path = results_dir() / f"{graded.spec.id}.json"
    record.write_atomically(path, record.canonical(record.make_record(graded, volatile)))
    timing = load_bench(graded.dirs.lab).timing_rows(graded)
    first_wrong.hand_over(graded.spec.id, graded.wrong)
    print(table.render(graded, timing), end="")
    print(sandbox.detect().banner())
    print(f"Record: {path.relative_to(ROOT) if path.is_relative_to(ROOT) else path}")
    print("".join(f"{table.clean(line)}\n" for line in next_step(graded)), end="")
    return exit_code(graded)


def exit_code(graded: Graded) -> int:
    if Verdict.XX in (outcome.verdict for outcome in graded.outcomes.values()):
        return 3
    verdicts = [graded.outcomes[test.id].verdict for test in graded.required]  # a bonus is never owed
    return 1 if any(verdict is not Verdict.AC and verdict not in PENDING for verdict in verdicts) else 0


def run_build(request: Request) -> int:
    """Compiles what is handed in as `test` does, with warnings shown, and runs nothing of it."""
    return show_compiled(prepare(request, progress), warnings=True)


def submit_check(request: Request) -> int:
    prepared = prepare(request, progress)
    files = prepared.hand_in.files
    for file in files:
        print(f"{file.name:<24} {file.state:<8} {len(file.content):>7} bytes  {file.note}".rstrip())
    return max(show_compiled(prepared), int(any(file.state != "taken" for file in files)))


def show_compiled(prepared: Prepared, warnings: bool = False) -> int:
    """What compilers and gate say; 1 where a program cannot be run."""
    all_built = list(prepared.context.built.values())
    broken = [built for built in all_built if built.path is None]
    for built in broken:
        print(f"\n{built.program} does not compile:\n{built.log}")
    for built in all_built if warnings else ():
        if built.path is not None and built.log.strip():
            print(f"\n{built.program}, compiled with warnings:\n{built.log}")
    violations = [reason for built in all_built for reason in built.violations]
    for reason in violations:
        print(f"not allowed: {reason}")
    return 1 if broken or violations else 0
