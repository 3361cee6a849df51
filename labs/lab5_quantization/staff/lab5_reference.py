"""`hpml_autograder reference lab5`: the trained weights of data/, and what reference/ holds: accuracies over bits, how far the
graded comparisons are from their bounds over several seeds, simulated cycles. With check: only compared."""
import json
import subprocess
import tempfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import lab5_gpu_reference as gpu
from hpml_autograder.lab import InfraError, Request, build_dir, prepare
from lab5_margins import COMPARED, SEEDS, measured
from lab5_training import case

Progress = Callable[[str], None]
LAB = Path(__file__).resolve().parent.parent
NETWORKS = ("resnet8", "lenet")


def tool(name: str, *words: object) -> str:
    done = subprocess.run([build_dir() / "bin" / name, *map(str, words)], stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode != 0:
        raise InfraError(f"{name} {' '.join(map(str, words))}: exit code {done.returncode} (message above)")
    return done.stdout


def data_files(folder: Path, progress: Progress) -> dict[Path, str | bytes]:
    made: dict[Path, str | bytes] = {}
    for name in NETWORKS:
        progress(f"training {name}")
        print(tool("lab5_train", name, folder / name).strip())
        made[LAB / "data" / f"{name}.f32"] = (folder / name).read_bytes()
    print(tool("lab5_train", "ranges", folder / "resnet8", folder / "ranges").strip())
    made[LAB / "data" / "resnet8_ranges.txt"] = (folder / "ranges").read_bytes()
    return made


def margins(request: Request, folder: Path, progress: Progress) -> str:
    """Every seed trains a network of its own, from scratch, and does with it what the tests do."""
    shapes = list(dict.fromkeys(shape for one in COMPARED for shape in one.shapes))
    prepared = prepare(replace(request, solution=True, only="E7,P1,P2"), progress)
    found: dict[str, list[float]] = {one.name: [] for one in COMPARED}
    for seed in SEEDS:
        progress(f"margins: seed {seed} of {SEEDS[-1]}")
        weights = folder / f"resnet8_{seed}"
        tool("lab5_train", "resnet8", weights, seed)
        numbers: dict[str, float] = json.loads(tool("lab5_table", weights, seed))
        for shape in shapes:
            numbers |= measured(shape, trained(prepared, shape, weights, seed))
        for one in COMPARED:
            found[one.name].append(round(one.difference(numbers), 1))
    return json.dumps({"seeds": list(SEEDS), "points": found}, indent=1) + "\n"


def trained(prepared, shape: str, weights: Path, seed: int) -> list[float]:
    """The lines of lab5_trainer, which asks the solution's libraries."""
    words = case(shape).args.split()
    library = prepared.runner.built[words[1].strip("{}")].path
    if library is None:
        raise InfraError(f"the solution's {words[1]} does not compile")
    return [float(line) for line in tool("lab5_trainer", words[0], library, weights, *words[3:],
                                             *([] if shape == "convert" else [seed])).splitlines()]


def reference(request: Request, check: bool, progress: Progress) -> int:
    changed = 0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        made = data_files(folder, progress)
        progress("accuracy over bits")
        made[LAB / "reference" / "accuracy.json"] = tool("lab5_table", folder / "resnet8")
        made[LAB / "reference" / "margins.json"] = margins(request, folder, progress)
        for path, content in made.items():
            new = content.encode() if isinstance(content, str) else content
            same = path.is_file() and path.read_bytes() == new
            changed += not same
            if not same and not check:
                path.parent.mkdir(exist_ok=True)
                path.write_bytes(new)
            print(f"{'unchanged' if same else 'differs' if check else 'written'}: {path.name}")
    return 1 if gpu.reference(request, check, progress) or (check and changed) else 0

