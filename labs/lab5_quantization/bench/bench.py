"""`make lab5 bench`: accuracy and SQNR over bits, histograms of weights, the integer kernels beside the processor's rate; and the
trained weights (`reference`)."""
import hashlib
import json
import subprocess
import tempfile
from collections.abc import Callable
from pathlib import Path

from hpml_autograder.lab import Request, build_dir, prepare, results_dir, write_atomically

Progress = Callable[[str], None]
DATA = Path(__file__).resolve().parent.parent / "data"
NETWORKS = ("resnet8", "lenet")


def tool(name: str, *words: str) -> str:
    return subprocess.run([build_dir() / "bin" / name, *words], check=True, capture_output=True, text=True).stdout


def bench(request: Request, check: bool, progress: Progress) -> int:
    import lab5_charts as charts  # matplotlib takes a second to load; `test` does not need it
    import lab5_compress_charts as compression
    import lab5_peers as peers
    out = results_dir() / "lab5"
    out.mkdir(parents=True, exist_ok=True)
    progress("accuracy over bits: 35 networks, and two trainings")
    table = json.loads(tool("lab5_table", str(DATA / "resnet8.f32")))
    progress("kernels beside multiplications in registers")
    prepared = prepare(request, progress)
    kernels = speeds(prepared)
    progress("int8 products on simulated GPUs, and networks that are pruned")
    runs = prepared.runner.run_all(case for case in map(prepared.runner.resolve, compression.cases())
                                   if prepared.runner.can_run(case))
    found = {"accuracy": table, "kernels": kernels}
    if request.solution:  # it runs outside the sandbox, so it is for code that is ours
        progress("the solution's products beside oneDNN's")
        found["peers"] = peers.measure(prepared.assignment.dirs.solution / "qgemm.cpp")
    write_atomically(out / "lab5.json", json.dumps(found, indent=1) + "\n")
    print(charts.text_of(found))
    if "peers" in found:
        print(peers.text_of(found["peers"]))
    drawn = compression.draw(runs, out)
    for path in [out / "lab5.json", *drawn, *charts.draw(found, out, [path for path in drawn if path.suffix == ".svg"])]:
        print(f"Written: {path}")
    return 0


def speeds(prepared) -> list[dict]:
    """Of every level that this machine has. A library that does not load or is wrong is left out."""
    from hpml_autograder.lab import Case
    rows = []
    for what in ("gemm", "conv"):
        for level in ("naive", "blocked", "avx2", "vnni", "neon"):
            case = prepared.runner.resolve(Case("lab5_worker", f"speed {{qgemm}} {what} {level}", alone=True))
            if not prepared.runner.can_run(case):
                continue
            run = prepared.runner.run_all([case])[case]
            if run.state == "exit" and run.code == 0:
                measured = json.loads(run.stdout)
                if measured["level"] == level:
                    rows.append({"what": what, "level": level, "ratio": measured["ratio"], "valid": measured["valid"]})
    return rows


def reference(request: Request, check: bool, progress: Progress) -> int:
    """Trains the networks of data/ again; with check: only says whether the bytes would change."""
    changed = False
    with tempfile.TemporaryDirectory() as folder:
        made = {}
        for name in NETWORKS:
            progress(f"training {name}")
            made[f"{name}.f32"] = Path(folder) / f"{name}.f32"
            print(tool("lab5_train", name, str(made[f"{name}.f32"])).strip())
        made["resnet8_ranges.txt"] = Path(folder) / "ranges"
        print(tool("lab5_train", "ranges", str(made["resnet8.f32"]), str(made["resnet8_ranges.txt"])).strip())
        for name, path in made.items():
            new, old = path.read_bytes(), DATA / name
            same = old.is_file() and hashlib.sha256(new).digest() == hashlib.sha256(old.read_bytes()).digest()
            changed = changed or not same
            if not same and not check:
                write_atomically(old, new)
            print(f"{'unchanged' if same else 'differs' if check else 'written'}: {name}")
    return 1 if check and changed else 0
