"""Launch configurations of VS Code for the CUDA programs of labs: `.vscode/launch.json` and `.vscode/tasks.json`, in the course's
tree for all labs (docs/update.py --pages writes them), in a student release for its own lab. Programs, arguments and GPUs are those
of lab.toml and of the lab's public tests.
"""
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from hpml_autograder import labspec
from hpml_autograder.case import Case
from hpml_autograder.check import Context, load_checks
from hpml_autograder.labspec import LabSpec, Program
from hpml_autograder.paths import LabDirs, find_lab, known_labs

NAMES = LAUNCH, TASKS = ".vscode/launch.json", ".vscode/tasks.json"
TREE = "${workspaceFolder}"
ANY = {"name": "Debug any CUDA program", "type": "gpusim", "request": "launch", "program": TREE + "/${input:path}", "cwd": TREE,
       "stopOnEntry": True}
PATH = {"id": "path", "type": "promptString", "description": "A program compiled with -g, from the folder of this workspace"}


def files(labs: Sequence[LabDirs]) -> dict[str, str]:
    """Name -> text."""
    programs = [(spec, program, _smallest(lab, spec, program)) for lab in labs
                for spec in [labspec.load(lab.lab / "lab.toml")] for program in spec.program if program.backend == "gpusim"]
    launch = {"version": "0.2.0", "configurations": [*(_configuration(*one) for one in programs), ANY], "inputs": [PATH]}
    tasks = {"version": "2.0.0", "tasks": [_task(spec, program) for spec, program, _ in programs]}
    return {LAUNCH: _text(launch), TASKS: _text(tasks)}


def of_tree() -> dict[str, str]:
    return files([find_lab(name) for name in known_labs()])


def _text(table: dict[str, Any]) -> str:
    return json.dumps(table, indent=2, ensure_ascii=False) + "\n"


def _configuration(spec: LabSpec, program: Program, case: Case | None) -> dict[str, Any]:
    return {"name": _name(spec, program), "type": "gpusim", "request": "launch", "preLaunchTask": _label(spec, program),
            "program": f"{TREE}/build/release/debug/{spec.id}/{program.name}", "args": case.args.split() if case else [],
            "cwd": TREE, "gpu": (case.gpu if case else "") or spec.gpu}


def _task(spec: LabSpec, program: Program) -> dict[str, Any]:
    return {"label": _label(spec, program), "type": "process", "command": "make",
            "args": [spec.id, "debug", f"PROG={program.name}", "COMPILE_ONLY=1"], "problemMatcher": ["$gcc"]}


def _name(spec: LabSpec, program: Program) -> str:
    return f"Lab {spec.id.removeprefix('lab')}: debug {program.name}"


def _label(spec: LabSpec, program: Program) -> str:
    return f"{spec.id}: compile {program.name} for the debugger"


def _smallest(lab: LabDirs, spec: LabSpec, program: Program) -> Case | None:
    """The first run of the program in a public test: shapes grow. Tests of the result first, whose runs are short."""
    checks = load_checks(lab.lab, spec)
    context = Context(spec, Path(lab.src), {}, spec.gpu, "clang", "sim")
    tests = sorted((test for test in spec.test if test.visibility == "public" and test.kind in ("correct", "perf")),
                   key=lambda test: test.kind != "correct")
    cases = (case for test in tests for case in checks[test.generator].plan(test, context))
    return next((case for case in cases if case.program == program.name and not case.others), None)
