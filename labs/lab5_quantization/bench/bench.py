"""`make lab5 bench`: accuracy and SQNR over bits, histograms of weights, the integer kernels beside the processor's rate."""
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from hpml_autograder.lab import Case, Request, UsageError, prepare, results_dir, write_atomically

Progress = Callable[[str], None]
LAB = Path(__file__).resolve().parent.parent
ACCURACY = LAB / "reference" / "accuracy.json"  # it takes minutes to compute, and is the same everywhere


def bench(request: Request, check: bool, progress: Progress) -> int:
    import lab5_charts as charts  # matplotlib takes a second to load; `test` does not need it
    import lab5_compress_charts as compression
    out = results_dir() / "lab5"
    out.mkdir(parents=True, exist_ok=True)
    progress("compiling your files")
    prepared = prepare(request, progress)
    progress("kernels beside multiplications in registers")
    found = {"accuracy": json.loads(ACCURACY.read_text(encoding="utf-8")), "kernels": speeds(prepared)}
    progress("int8 products on simulated GPUs, and networks that are pruned")
    runs = prepared.runner.run_all(case for case in map(prepared.runner.resolve, compression.cases()) if runs_here(prepared, case))
    if request.solution:  # it runs outside the sandbox, so it is for code that is ours
        found |= beside_others(prepared.assignment.dirs.solution / "qgemm.cpp", out, progress)
    write_atomically(out / "lab5.json", json.dumps(found, indent=1) + "\n")
    print(charts.text_of(found))
    drawn = compression.draw(runs, out)
    for path in [out / "lab5.json", *drawn, *charts.draw(found, out, [path for path in drawn if path.suffix == ".svg"])]:
        print(f"Written: {path}")
    return 0


def beside_others(qgemm: Path, out: Path, progress: Progress) -> dict[str, Any]:
    """The solution's products beside oneDNN's; ResNet-8 in integers as an ONNX file, in other programs."""
    import lab5_onnx as exported
    import lab5_peers as peers
    progress("the solution's products beside oneDNN's")
    found = {"peers": peers.measure(qgemm)}
    progress("ResNet-8 as an ONNX file, 1000 images in an interpreter")
    return found | {"onnx": exported.measure(out / "resnet8_int8.onnx")}


def runs_here(prepared, case: Case) -> bool:
    """A student release has no program that trains, and not every hand-in compiles."""
    return {case.program, *case.others} <= set(prepared.runner.built) and prepared.runner.can_run(case)


def speeds(prepared) -> list[dict]:
    """Of every level that this machine has. A library that does not load or is wrong is left out."""
    rows = []
    for what in ("gemm", "conv"):
        for level in ("naive", "blocked", "avx2", "vnni", "neon"):
            case = prepared.runner.resolve(Case("lab5_worker", f"speed {{qgemm}} {what} {level}", alone=True))
            if not runs_here(prepared, case):
                continue
            run = prepared.runner.run_all([case])[case]
            if run.state == "exit" and run.code == 0:
                measured = json.loads(run.stdout)
                if measured["level"] == level:
                    rows.append({"what": what, "level": level, "ratio": measured["ratio"], "valid": measured["valid"]})
    return rows


def reference(request: Request, check: bool, progress: Progress) -> int:
    """Renews data/ and reference/; with check: only says whether they would change. Ten minutes of two cores."""
    if not (LAB / "staff").is_dir():
        raise UsageError("reference: a student release has no networks to train; run it in the course's own tree")
    sys.path.insert(0, str(LAB / "staff"))
    import lab5_reference
    return lab5_reference.reference(request, check, progress)
