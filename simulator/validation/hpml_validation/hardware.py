"""A real card: everything that programs/ can measure and compute on it, in one file hardware/KEY.json, whose figures are
rows of the validation page and whose hashes are goldens of the simulator.

Needs nvcc and nvidia-smi, and nothing of Python but its standard library."""
from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import threading
import time
import tomllib
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from statistics import median

from hpml_validation import labs, profile
from hpml_validation.programs import COMPILER, ROOM, ROOT, Programs, Results, RunError, parse
from hpml_validation.targets import Family, Run, Target, Targets

FOLDER = ROOM / "hardware"
SCHEMA = "hpml/hardware/v1"
BUDGET_S = 400.0            # of one recording, programs built; a command takes under eight minutes in all
RANDOM_PROGRAMS = 512
# Commands whose result is a hash of what kernels compute.
HASHED = {"results": "results", "random": f"random_ptx first=1 count={RANDOM_PROGRAMS}"}
# Commands that no published row repeats: what the card says of itself; turns of few and of many warps.
GRIDS = ("blocks=1 threads=32", "blocks=8 threads=128", "blocks=60 threads=128", "blocks=132 threads=32",
         "blocks=60 threads=1024", "blocks=132 threads=1024", "blocks=264 threads=1024")
ALSO = ("card", *(f"turns {walk} {grid}" for walk in ("read", "copy", "add", "write") for grid in GRIDS),
        *(f"turns copy {grid} {near}_kib=8192" for near in ("loads", "stores") for grid in GRIDS[3:]))
# Every kernel loaded before it is timed, and the clocks up.
ENVIRONMENT = {"CUDA_MODULE_LOADING": "EAGER", "HPML_RAISE_CLOCKS": "1"}
# Commands whose figure says nothing on a card, by the beginning of a line (a regular expression), and why.
NOT_ON_CARDS = {
    r"managed .*room=": "more managed memory than the card has free can hang it",
    r"bandwidth (stride|l1) |warp shared_bandwidth": "ptxas moves the loads out of the loop",
    r"warp syncwarp": "ptxas drops a barrier of converged lanes",
    r"matrix conv|vecadd add millions=(1|5|10) blocks=0 ": "the kernel's first launch is part of the time",
    r"bandwidth \w+ mb=(16|32)$|bandwidth read mb=128|roofline .* mb=16$|matrix .* n=256$": "too short beside the events",
}
LIMIT_S = 60                # of one program
FIRST_ROUND_S = 240.0       # what is not reached by then is left out
LONG_S = 3.0                # a program that takes longer runs once
SLOW_CLOCK = 0.9            # of the published clock: below it, times say nothing of the simulated card
HOST_BOUND = ("launch", "managed", "transfer")  # programs that measure the host and the link as well: no rows
CYCLES = ("cycles", "cycles/instr/warp", "cycles/warp-load", "cycles/op", "B/clk", "B/clk/SM", "count", "MiB")


class NoGpu(Exception):
    """This machine cannot run the programs natively; the message says what is missing."""


@dataclass(frozen=True)
class Card:
    name: str           # as the driver prints it
    driver: str
    capability: str     # "9.0"
    max_sm_mhz: str
    max_memory_mhz: str
    memory_mib: str
    power_limit_w: str
    ecc: str

    @property
    def key(self) -> str:
        """The simulated GPU of that name, or a file name made from the card's."""
        for path in sorted((ROOT / "simulator/gpus").glob("*.toml")):
            if tomllib.loads(path.read_text("utf-8"))["identity"]["name"] == self.name:
                return path.stem
        return re.sub(r"[^a-z0-9]+", "_", self.name.lower()).strip("_")


class RealCard:
    """Runs programs as they are, and asks nvidia-smi."""

    environment = ENVIRONMENT

    CARD = "name,driver_version,compute_cap,clocks.max.sm,clocks.max.mem,memory.total,power.limit,ecc.mode.current"
    CLOCKS = "clocks.sm,clocks.mem,temperature.gpu,power.draw"

    def __init__(self) -> None:
        self.smi = shutil.which("nvidia-smi") or ""
        if not self.smi:
            raise NoGpu("TARGET=gpu needs a machine with an NVIDIA GPU: nvidia-smi is not on PATH")

    def ask(self, query: str) -> list[str]:
        done = subprocess.run([self.smi, f"--query-gpu={query}", "--format=csv,noheader,nounits"], capture_output=True,
                              text=True, check=False)
        if done.returncode != 0 or not done.stdout.strip():
            said = (done.stderr.strip() or done.stdout.strip() or "nothing").splitlines()[-1]
            raise NoGpu(f"TARGET=gpu needs an NVIDIA GPU; nvidia-smi says: {said}")
        return [word.strip() for word in done.stdout.splitlines()[0].split(",")]

    def card(self) -> Card:
        return Card(*self.ask(self.CARD))

    def clocks(self) -> list[float]:
        """MHz of the SMs and of the memory, degrees Celsius, watts; a value that the card does not tell is -1."""
        return [float(word) if re.fullmatch(r"[\d.]+", word) else -1.0 for word in self.ask(self.CLOCKS)]

    def command(self, program: Path, arguments: list[str]) -> list[str]:
        return [str(program), *arguments]

    profiled = profile.KINDS

    def profile(self, program: Path, kinds: tuple[str, ...]) -> profile.Profiles:
        ncu = profile.find_ncu()
        if ncu is None:
            raise RunError("no ncu (Nsight Compute) here: kernels are not profiled")
        return profile.of_card(ncu, program, kinds)


class PosedCard:
    """A simulated GPU in the place of a card: for tests of everything around it."""

    environment: dict[str, str] = {}

    def __init__(self, build: Path, key: str) -> None:
        self.gpusim = build / "bin/gpusim"
        self.key = key
        self.spec = tomllib.loads((ROOT / f"simulator/gpus/{key}.toml").read_text("utf-8"))

    def card(self) -> Card:
        identity, clocks = self.spec["identity"], self.spec["clocks"]
        return Card(identity["name"], "simulated", f"{identity['cc_major']}.{identity['cc_minor']}",
                    str(clocks["core_mhz"]), str(clocks["memory_mhz"]), str(self.spec["dram"]["size_mib"]), "0", "off")

    def clocks(self) -> list[float]:
        return [float(self.spec["clocks"]["core_mhz"]), float(self.spec["clocks"]["memory_mhz"]), -1.0, -1.0]

    profiled: dict[str, tuple[str, ...]] = {}

    def command(self, program: Path, arguments: list[str]) -> list[str]:
        return [str(self.gpusim), "run", "--gpu", self.key, "--", str(program), *arguments]


class ClockWatch:
    """Samples of the card's clocks while programs run."""

    def __init__(self, device: RealCard | PosedCard, every_s: float = 1.0) -> None:
        self.device = device
        self.every_s = every_s
        self.samples: list[list[float]] = []
        self.done = threading.Event()
        self.thread = threading.Thread(target=self.watch, daemon=True)

    def watch(self) -> None:
        while not self.done.wait(self.every_s):
            try:
                self.samples.append(self.device.clocks())
            except NoGpu:
                return

    def __enter__(self) -> ClockWatch:
        self.samples.append(self.device.clocks())
        self.thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.done.set()
        self.thread.join()

    def summary(self) -> dict[str, list[float]]:
        """Least, median and largest of each quantity."""
        columns = zip(*self.samples)
        return {name: [min(column), median(column), max(column)]
                for name, column in zip(("sm_mhz", "memory_mhz", "celsius", "watts"), columns)}


def output(command: list[str], environment: dict[str, str] | None = None, limit_s: float = LIMIT_S) -> str:
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=limit_s,
                              env=os.environ | (environment or {}))
    except subprocess.TimeoutExpired:
        raise RunError(f"{' '.join(command)}: not done after {limit_s:.0f} s") from None
    if done.returncode != 0:
        raise RunError(f"{' '.join(command)}: exit status {done.returncode}: "
                       f"{(done.stderr.strip() or 'no message').splitlines()[-1]}")
    return done.stdout


def hashes(text: str) -> dict[str, str]:
    """Lines "name hash"."""
    return dict(line.split() for line in text.splitlines())


def elements(command: str) -> float:
    """Of a program that names them: the order in which a recording goes, so that the longest come last."""
    found = re.search(r"\bmillions=([\d.]+)", command)
    return float(found.group(1)) if found else 0.0


def measure(device: RealCard | PosedCard, programs: Programs, commands: list[str], budget_s: float,
            say: Callable[[str], None]) -> tuple[dict[str, list[Results]], dict[str, str]]:
    """Every command once, then again in the same order for as long as the budget lasts. What fails, or is not reached,
    is named, and the others go on: a card that is there for minutes brings home what it can."""
    found: dict[str, list[Results]] = {command: [] for command in commands}
    failed: dict[str, str] = {}
    long = set()
    begin = time.monotonic()
    for turn in range(5):
        for number, command in enumerate(sorted(commands, key=elements), start=1):
            start = time.monotonic()
            left = (budget_s if turn > 0 else max(budget_s, FIRST_ROUND_S)) - (start - begin)
            if command in failed or (turn > 0 and (left < 0 or command in long)):
                continue
            name, *arguments = command.split()
            try:
                if left < 0:
                    raise RunError(f"not reached in {FIRST_ROUND_S:.0f} s")
                found[command].append(parse(output(device.command(programs.path(name), arguments), device.environment)))
            except (RunError, ValueError) as error:
                failed[command] = str(error)
            if time.monotonic() - start > LONG_S:
                long.add(command)
            say(f"round {turn + 1}, {number}/{len(commands)} {command}")
    return found, failed


def figures(results: list[Results]) -> dict[str, list]:
    """By name: median, least, largest, unit."""
    out = {}
    for name, (_, unit) in results[0].items():
        values = [result[name][0] for result in results if name in result]
        out[name] = [*(float(f"{value:.6g}") for value in (median(values), min(values), max(values))), unit]
    return out


def compiler_version(frontend: str) -> str:
    found = subprocess.run(["/usr/bin/python3", str(COMPILER), "--frontend", frontend, "--print-frontend"],
                           capture_output=True, text=True, check=False)
    if found.returncode != 0:
        return f"{frontend}, elsewhere"  # a program that must be compiled here says what is missing
    text = subprocess.run([found.stdout.split()[1], "--version"], capture_output=True, text=True, check=False).stdout
    release = re.search(r"(?:release|version) ([\d.]+)", text)
    return f"{frontend} {release.group(1) if release else '?'}"


def document(head: dict, found: dict[str, list[Results]]) -> str:
    """The file: one line per command, so that a change of one shows as one line."""
    runs = [f"  {json.dumps([command, len(results), figures(results)])}" for command, results in sorted(found.items())
            if results]
    return json.dumps(head, indent=1)[:-2] + ',\n "runs": [\n' + ",\n".join(runs) + "\n]}\n"


def not_on_cards(command: str) -> str:
    """Why it is left out; empty: it is not."""
    return next((why for start, why in NOT_ON_CARDS.items() if re.match(start, command)), "")


def profiled(device: RealCard | PosedCard, programs: Programs) -> tuple[profile.Profiles, dict[str, str]]:
    """Counters of kernels of many kinds, and what could not be profiled."""
    found, failed = {}, {}
    for name, kinds in device.profiled.items():
        try:
            found |= device.profile(programs.path(name), kinds)
        except RunError as error:
            failed[name] = str(error)
    return found, failed


def record(device: RealCard | PosedCard, programs: Programs, rows: Iterable[Target], jobs: int, folder: Path,
           say: Callable[[str], None], budget_s: float = BUDGET_S, solutions: Iterable[str] = tuple(labs.RUNS)) -> Path:
    """Measures and computes everything on the device, the labs' solutions included; writes folder/KEY.json."""
    card = device.card()
    compiler = compiler_version(programs.frontend)
    rows = list(rows)
    left_out = {row.run: why for row in rows if (why := not_on_cards(row.run))}
    commands = [*ALSO, *sorted({row.run for row in rows} - set(left_out))]
    programs.build([*(command.split()[0] for command in [*commands, *HASHED.values()]), *device.profiled], jobs)
    folder.mkdir(exist_ok=True)
    path = folder / f"{card.key}.json"
    head = {"schema": SCHEMA, "card": asdict(card), "compiler": compiler, "clocks": {}, "failed": left_out,
            "hashes": {}}
    with ClockWatch(device) as watch:

        def keep(found: dict[str, list[Results]] | None = None) -> None:
            """Writes what there is: the card may be taken away before the end."""
            head["clocks"] = watch.summary()
            path.write_text(document(head, found or {}), "utf-8")

        for name, command in HASHED.items():
            program, *arguments = command.split()
            try:
                head["hashes"][name] = hashes(output(device.command(programs.path(program), arguments)))
            except RunError as error:
                head["failed"][command] = str(error)
        keep()
        head["profiles"], failed = profiled(device, programs)
        head["failed"] |= failed
        keep()
        head["labs"], failed = labs.run(programs.folder / "labs", programs.frontend, programs.arch, solutions,
                                        lambda program, arguments: output(device.command(program, arguments), device.environment))
        head["failed"] |= failed
        keep()
        found, failed = measure(device, programs, commands, budget_s, say)
        head["failed"] |= failed
        keep(found)
    return path


def load(path: Path) -> dict:
    data = json.loads(path.read_text("utf-8"))
    if data.get("schema") != SCHEMA:
        raise RunError(f"{path}: schema {data.get('schema')!r} instead of {SCHEMA}")
    return data


def family(path: Path, targets: Targets) -> Family:
    """The figures of a file as rows like the published ones: those that some row compares, and turns. Left out are what
    the host decides, which may be a virtual machine, and times of a card that went slower than the simulated one."""
    data = load(path)
    published = tomllib.loads((ROOT / f"simulator/gpus/{path.stem}.toml").read_text("utf-8"))["clocks"]["core_mhz"]
    sm_mhz = data["clocks"]["sm_mhz"][1]
    slow = 0 < sm_mhz < SLOW_CLOCK * published
    note = f"The card ran at {sm_mhz:g} MHz instead of {published:g}: times are left out." if slow else ""
    result = Family(f"hardware_{path.stem}", f"Measured on {data['card']['name']}", note=note)
    runs = {command: values for command, _, values in data["runs"]}
    fitted = targets.fitted.get(path.stem, {})
    compared = [(row.run, row.result) for row in targets.rows()] + [(command, "turn") for command in ALSO]
    for command, name in dict.fromkeys(compared):
        value, _, _, unit = runs.get(command, {}).get(name, [0.0, 0.0, 0.0, ""])
        if value > 0 and command.split()[0] not in HOST_BOUND and not (slow and unit not in CYCLES):
            result.rows.append(Target(family=result.name, name=command if name in command else f"{command}: {name}",
                                      gpu=data["card"]["name"], on=path.stem, value=value, unit=unit, run=command,
                                      result=name, confidence="A",
                                      fit=next((fit for start, fit in fitted.items() if command.startswith(start)), ""),
                                      source=f"hardware/{path.name}, driver {data['card']['driver']}, {data['compiler']}"))
    return result


def families(targets: Targets) -> list[Family]:
    """The measured cards that are simulated as well."""
    return [family(path, targets) for path in sorted(FOLDER.glob("*.json"))
            if (ROOT / f"simulator/gpus/{path.stem}.toml").is_file()]


def native(rows: Iterable[Target]) -> list[Target]:
    return [replace(row, on="") for row in rows]


def results_of(path: Path) -> dict[Run, Results]:
    return {Run("", command): {name: (value[0], value[3]) for name, value in values.items()}
            for command, _, values in load(path)["runs"]}
