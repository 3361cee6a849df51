"""reference/qgemm.json: simulated cycles of the solution's int8 products. Written by a command, compared by a test."""
import json
from collections.abc import Callable
from dataclasses import replace

import lab5_gpu as gpu
from hpml_autograder.lab import InfraError, Request, UsageError, choose_front_end, prepare, write_atomically

SCHEMA = "hpml.lab5.reference/v1"
TESTS = "E8.dp4a.cycles,E8.mma.cycles"
SHAPES = ("512,512,512", "512,512,512 fused")


def text(cycles: dict[str, dict[str, int]]) -> str:
    return json.dumps({"schema": SCHEMA, "cycles": cycles}, indent=1, sort_keys=True) + "\n"


def front_ends(request: Request) -> list[str]:
    """Those of this machine, or the one that was asked for."""
    if request.cuda != "auto":
        return [request.cuda]
    found = []
    for name in ("clang", "nvcc"):
        try:
            found.append(choose_front_end(name))
        except UsageError:
            continue
    return found


def measure(request: Request, front_end: str, progress: Callable[[str], None]) -> dict[str, int]:
    """Cycles by "program arguments gpu"; the kernels take the same time whatever the numbers are."""
    runner = prepare(replace(request, solution=True, cuda=front_end, only=TESTS), progress).runner
    cases = [gpu.case(program, shape, on, 1) for program, gpus in gpu.GPUS.items() for on in gpus for shape in SHAPES]
    runs = runner.run_all(cases)
    cycles = {}
    for one in cases:
        metrics = runs[one].metrics
        if metrics is None or not metrics.kernels:
            raise InfraError(f"`{one}` on {one.gpu} left no counters: {runs[one].problem or runs[one].stderr[-200:]}")
        cycles[f"{one.program} {one.args} {one.gpu}"] = sum(kernel.cycles for kernel in metrics.kernels)
    return cycles


def reference(request: Request, check: bool, progress: Callable[[str], None]) -> int:
    """Writes the file, or with `check` says whether it is what this tree measures."""
    old = json.loads(gpu.REFERENCE.read_text(encoding="utf-8"))["cycles"] if gpu.REFERENCE.is_file() else {}
    new = {**old, **{front_end: measure(request, front_end, progress) for front_end in front_ends(request)}}
    if new != old and not check:
        gpu.REFERENCE.parent.mkdir(exist_ok=True)
        write_atomically(gpu.REFERENCE, text(new))
    print(f"{'differs' if check else 'written'}: {gpu.REFERENCE.name}" if new != old else "nothing differs")
    return 1 if check and new != old else 0
