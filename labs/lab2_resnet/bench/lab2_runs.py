"""What the bench runs of the student's programs, and what it reads of their output."""
import json
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from hpml_autograder.lab import Case, Run, Runner, hpml_bench

LONGEST_S = 600
COMMON = "train --model resnet8 --width 8 --data synthetic:2000:1000 --batch 64 --epochs 5 --workers 2"
RATES = {"sgd": "0.1", "nesterov": "0.1", "adagrad": "0.05", "adadelta": "1", "adam": "0.003"}
SEEDS, EVERY, THRESHOLD = (1, 2, 3, 4, 5), 256, 0.55  # of time to accuracy: an evaluation every EVERY samples, 4 in an epoch
MANY_EPOCHS = f"train --model resnet8 --width 8 --data synthetic:{4 * EVERY}:1000 --batch 64 --epochs 12 --eval-every 0.25 --workers 2"
STEPS, BATCH = 4, 32  # of the full-size network; the first step warms up and is left out
FULL_SIZE = f"train --model resnet18 --data synthetic:{STEPS * BATCH}:{BATCH} --batch {BATCH} --epochs 1 --workers 1"


class NotYet(Exception):
    """A program of the student does not run, or not to its end: what needs it is left out."""


def run(runner: Runner, line: str) -> Run:
    program, args = line.split(maxsplit=1)
    case = runner.resolve(Case(program, args, alone=True))
    if not runner.can_run(case):
        raise NotYet(f"`{program}` does not compile")
    done = runner.run_all([case])[case]
    if (done.state, done.code) != ("exit", 0):
        raise NotYet(f"`{str(case)[:80]}` did not end well ({done.state} {done.code}): {done.stderr.strip()[-200:]}")
    return done


@dataclass(frozen=True)
class Training:
    losses: list[float]    # of each step
    epochs: list[dict]     # load_s, train_s, total_s, loss, top1, val_top1
    evaluations: list[float]  # top-1 of the validation, also inside the epochs

    @property
    def accuracy(self) -> list[float]:
        return [epoch["val_top1"] for epoch in self.epochs]


def epochs(runner: Runner, line: str) -> list[dict]:
    """The log's entries at the end of each epoch."""
    entries = (json.loads(text) for text in run(runner, line).stdout.splitlines() if text.startswith("{"))
    return [entry for entry in entries if "total_s" in entry]


def training(runner: Runner, more: str, common: str = COMMON) -> Training:
    entries = [json.loads(line) for line in run(runner, f"resnet {common} {more}").stdout.splitlines() if line.startswith("{")]
    return Training([entry["loss"] for entry in entries if "step" in entry], [entry for entry in entries if "total_s" in entry],
                    [entry["val_top1"] for entry in entries if "val_top1" in entry])


@dataclass(frozen=True)
class Layer:
    """One layer and pass of a step, by the student's trace and models; seconds of a batch."""
    name: str
    backward: bool
    seconds: float
    flop: int
    bytes: int
    paleo: float = 0.0
    bound: float = 0.0

    @property
    def gflops(self) -> float:
        return self.flop / self.seconds / 1e9 if self.seconds else 0.0


@dataclass(frozen=True)
class Roof:
    peak: float       # FLOP/s of one core
    bandwidth: float  # bytes/s from memory
    clock: float      # Hz


def measure_roof() -> Roof:
    """This machine's, by hpml-bench: the fastest multiply-adds, the fastest loop that reads the longest array."""
    found = hpml_bench("roof", "--quick")
    reads = [case for case in found["cases"] if case["name"].split("/")[0] in ("read", "dot")]
    longest = max(case["size"] for case in reads)
    return Roof(max(case["best_rate_per_s"] for case in found["cases"] if case["unit"] == "flop"),
                max(case["best_rate_per_s"] for case in reads if case["size"] == longest),
                next(entry["value"] for entry in found["calibration"] if entry["name"] == "clock_ghz") * 1e9)


def trace_of(runner: Runner, common: str = FULL_SIZE) -> str:
    return run(runner, f"resnet {common} --log /dev/null --trace -").stdout


def layers_of_trace(trace: str, roof: Roof, runner: Runner) -> list[Layer]:
    """Means over all steps but the first. PALEO's column is the student's: costs.cpp, paleo.cpp and compare.cpp."""
    events = [event for event in json.loads(trace)["traceEvents"] if event["ph"] == "X"]
    spans: dict[tuple[str, bool], list[dict]] = defaultdict(list)
    for event in sorted(events, key=lambda one: one["ts"]):
        if event["args"]["pass"] in ("forward", "backward"):
            spans[event["name"], event["args"]["pass"] == "backward"].append(event)
    names = [name for name, backward in spans if not backward]
    mean = {key: sum(one["dur"] for one in each[1:STEPS]) / max(1, len(each[1:STEPS])) for key, each in spans.items()}
    words = " ".join(f"cpu:{names.index(name)}:{int(backward)}:{us:.3f}" for (name, backward), us in mean.items())
    modelled = {}
    for line in run(runner, f"compare table resnet18 {BATCH} {roof.peak:g} {roof.bandwidth:g} {roof.clock:g} 1 {words}").stdout.splitlines():
        kind, index, paleo, bound, *_ = line.split()
        modelled[kind, int(index)] = float(paleo), float(bound)
    return [Layer(name, backward, mean[name, backward] * 1e-6, each[-1]["args"]["flops"], each[-1]["args"]["bytes"],
                  *modelled["backward" if backward else "forward", names.index(name)]) for (name, backward), each in spans.items()]


def fit(runner: Runner, layers: Sequence[Layer], roof: Roof) -> tuple[float, float, str]:
    """PPP, R^2 and the worst layer of the convolutions' forward pass, by the student's fit."""
    convs = [layer for layer in layers if is_conv(layer.name) and not layer.backward]
    words = " ".join(f"{layer.flop // 2}:{layer.bytes}:{layer.seconds:.9g}" for layer in convs)
    ppp, r2, worst = map(float, run(runner, f"paleo fit {roof.peak:g} {roof.bandwidth:g} {words}").stdout.split())
    return ppp, r2, convs[int(worst)].name


def is_conv(name: str) -> bool:
    return "conv" in name or name.endswith("projection")


def time_to_accuracy(runner: Runner, trainings: Sequence[Training]) -> list[float]:
    """What `tta` prints: runs, reached, mean, deviation, has_cov, cov, low, high, samples..."""
    curves = " ".join(",".join(f"{value:.4f}" for value in one.evaluations) + f"@{EVERY}" for one in trainings)
    return [float(word) for word in run(runner, f"tta {THRESHOLD} {curves}").stdout.split()]


def utilisation(runner: Runner, kernels: Sequence[Sequence[float]], bandwidth: float, windows: int = 40) -> list[list[float]]:
    """gpu, memory and occupancy of equal windows of one simulated step. The step ends a little before the last window, so that no
    rounding of the arguments makes another window."""
    end = max(start + us for _, _, us, start, *_ in kernels)
    words = " ".join(f"{start:.3f}:{us:.3f}:{size:.0f}:{occupancy:.4f}" for _, _, us, start, size, occupancy in kernels)
    out = run(runner, f"utilisation {end / windows:.9g} {end * (1 - 1e-6):.9g} {bandwidth / 1e6:.6g} {words}").stdout
    return [[float(word) for word in line.split()] for line in out.splitlines()]
