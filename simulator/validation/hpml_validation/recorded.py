"""The same programs on a real card: measured once, kept in recorded/KEY.json, compared with the simulated one since."""
from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from pathlib import Path

from hpml_validation.programs import COMPILER, ROOM, ROOT, Programs, Results, Runner
from hpml_validation.targets import Family, Run, Target, Targets

FOLDER = ROOM / "recorded"


class NoGpu(Exception):
    """This machine cannot run the programs natively; the message says what is missing."""


@dataclass(frozen=True)
class Card:
    name: str           # as the driver prints it
    driver: str
    capability: str     # "9.0"
    max_sm_mhz: str

    @property
    def key(self) -> str:
        """The simulated GPU of that name, or a file name made from the card's."""
        for path in sorted((ROOT / "simulator/gpus").glob("*.toml")):
            if re.search(rf"\b{path.stem}\b", self.name.lower().replace("rtx 8000", "rtx8000").replace("-", " ")):
                return path.stem
        return re.sub(r"[^a-z0-9]+", "_", self.name.lower()).strip("_")


def find_card() -> Card:
    smi = shutil.which("nvidia-smi")
    if smi is None:
        raise NoGpu("TARGET=gpu needs a machine with an NVIDIA GPU: nvidia-smi is not on PATH")
    query = "name,driver_version,compute_cap,clocks.max.sm"
    done = subprocess.run([smi, f"--query-gpu={query}", "--format=csv,noheader,nounits"], capture_output=True, text=True,
                          check=False)
    if done.returncode != 0 or not done.stdout.strip():
        said = (done.stderr.strip() or done.stdout.strip() or "nothing").splitlines()[-1]
        raise NoGpu(f"TARGET=gpu needs an NVIDIA GPU; nvidia-smi says: {said}")
    return Card(*(word.strip() for word in done.stdout.splitlines()[0].split(",")))


def compiler_version() -> str:
    found = subprocess.run(["/usr/bin/python3", str(COMPILER), "--frontend", "nvcc", "--print-frontend"],
                           capture_output=True, text=True, check=False)
    if found.returncode != 0:
        raise NoGpu(f"TARGET=gpu needs nvcc: {found.stderr.strip()}")
    text = subprocess.run([found.stdout.split()[1], "--version"], capture_output=True, text=True, check=False).stdout
    release = re.search(r"release ([\d.]+)", text)
    return f"nvcc {release.group(1) if release else '?'}"


def record(build: Path, jobs: int, rows: Iterable[Target], say: Callable[[str], None]) -> tuple[Card, dict[Run, Results]]:
    """Every program with every set of arguments that a row names, one at a time."""
    card = find_card()
    compiler = compiler_version()
    runner = Runner(build, Programs(build, "nvcc", card.capability.replace(".", "")), jobs, say)
    results = runner.run_all(replace(row, on="").as_run for row in rows)
    FOLDER.mkdir(exist_ok=True)
    lines = [f"  {json.dumps([run.command, {name: list(value) for name, value in results[run].items()}])}"
             for run in sorted(results, key=lambda run: run.command)]
    head = {"card": card.name, "driver": card.driver, "compute_capability": card.capability,
            "max_sm_mhz": card.max_sm_mhz, "compiler": compiler}
    text = json.dumps(head, indent=1)[:-2] + ',\n "runs": [\n' + ",\n".join(lines) + "\n]}\n"
    (FOLDER / f"{card.key}.json").write_text(text, "utf-8")
    return card, results


def family(path: Path, targets: Targets) -> Family:
    """What a file of recorded/ holds, as rows like the published ones: the results that some row compares."""
    data = json.loads(path.read_text("utf-8"))
    compared = dict.fromkeys((row.run, row.result) for row in targets.rows())
    runs = dict(data["runs"])
    result = Family(f"recorded_{path.stem}", f"Recorded on {data['card']}")
    for command, name in compared:
        if name in runs.get(command, {}) and runs[command][name][0] > 0:
            value, unit = runs[command][name]
            result.rows.append(Target(family=result.name, name=command if name in command else f"{command}: {name}",
                                      gpu=data["card"], on=path.stem, value=value, unit=unit, run=command, result=name,
                                      source=f"recorded/{path.name}, driver {data['driver']}, {data['compiler']}",
                                      confidence="A"))
    return result


def families(targets: Targets) -> list[Family]:
    """The recorded cards that are simulated as well."""
    return [family(path, targets) for path in sorted(FOLDER.glob("*.json"))
            if (ROOT / f"simulator/gpus/{path.stem}.toml").is_file()]
