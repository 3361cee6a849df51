"""C5: the table of a network's layers on a GPU and on the CPU, recomputed from the network's shapes."""
import json
import random
from collections.abc import Sequence
from pathlib import Path

from hpml_autograder.lab import Case, Context, Outcome, Run, Test, accepted
from lab2_data import near, problem_of, wrong_at
from lab2_networks import Layer, resnet_cifar

SIMULATED = Path(__file__).resolve().parents[1] / "reference" / "simulated.json"
NETWORKS = {"resnet8": resnet_cifar((16, 32, 64), 1), "resnet18": resnet_cifar((64, 128, 256, 512), 2)}
COLUMNS = ("paleo", "bound", "gpu", "cpu")
Row = tuple[float, float, float, float]


def spans(draw: random.Random, network: str) -> list[str]:
    """One CPU span per layer and pass; on the GPU none to three kernels, in any order."""
    places = [(layer, backward) for layer in range(len(NETWORKS[network])) for backward in (0, 1)]
    words = [f"cpu:{layer}:{backward}:{draw.uniform(1, 900):.3f}" for layer, backward in places]
    words += [f"gpu:{layer}:{backward}:{draw.uniform(1, 90):.3f}" for layer, backward in places for _ in range(draw.randint(0, 3))]
    draw.shuffle(words)
    return words


def simulated(gpu: str, batch: int) -> list[str]:
    """The reference's kernels: what gpu/resnet_gpu.cu took on the simulated GPU."""
    rows = json.loads(SIMULATED.read_text(encoding="utf-8"))["kernels"][gpu][str(batch)]
    return [f"gpu:{layer}:{backward}:{us:g}" for layer, backward, us, *_ in rows]


def plan(test: Test, context: Context) -> list[Case]:
    """shapes: NETWORK BATCH PEAK BANDWIDTH CLOCK PPP [GPU whose simulated times it gets]; none: a hidden one."""
    draw = random.Random(context.seed(test, 0))
    lines = list(test.shapes) or [f"resnet18 {draw.randint(1, 64)} {draw.uniform(1e12, 1e14):.6g} {draw.uniform(1e11, 3e12):.6g} "
                                  f"1.4e9 {draw.uniform(0.3, 0.9):.4f}"]
    cases = []
    for line in lines:
        words = line.split()
        own = simulated(words[6], int(words[1])) if len(words) > 6 else []
        measured = [word for word in spans(draw, words[0]) if not own or word.startswith("cpu")]
        cases.append(Case("compare", " ".join(["table", *words[:6], *own, *measured])))
    return cases


def modelled(layer: Layer, batch: int, times: int, device: Sequence[float], ppp: float) -> tuple[float, float]:
    peak, bandwidth, clock = device
    flop, size = 2 * times * batch * layer.macs, 4 * times * (batch * (layer.inputs + layer.outputs) + layer.parameters)
    memory = size / bandwidth
    return max(1 / clock, flop / (peak * ppp)) + memory, max(1 / clock, flop / peak, memory)


def expected(words: Sequence[str]) -> dict[tuple[str, int], Row]:
    layers, batch, ppp = NETWORKS[words[0]], int(words[1]), float(words[5])
    device = [float(word) for word in words[2:5]]
    found: dict[tuple[str, int], list[float]] = {}
    for backward, name in enumerate(("forward", "backward")):
        for i, layer in enumerate(layers):
            found[name, i] = [*modelled(layer, batch, 2 if backward and i else 1, device, ppp), 0.0, 0.0]
    for word in words[6:]:
        where, place, backward, us = word.split(":")
        found["backward" if int(backward) else "forward", int(place)][2 if where == "gpu" else 3] += float(us) * 1e-6
    found["total", 0] = [sum(column) for column in zip(*found.values())]
    return {key: tuple(row) for key, row in found.items()}  # type: ignore[misc]


def judge(test: Test, context: Context, runs: Sequence[Run]) -> Outcome:
    checked = "every layer, forward and backward, and the total"
    for run in runs:
        problem = problem_of(run, context)
        if problem:
            return problem
        got = {}
        for words in map(str.split, run.stdout.splitlines()):
            try:
                got[words[0], int(words[1])] = tuple(map(float, words[2:]))
            except (ValueError, IndexError):
                return wrong_at(run, "its lines cannot be read", checked)
        for key, row in expected(run.case.args.split()[1:]).items():
            own = got.get(key, ())
            for column, wanted, value in zip(COLUMNS, row, [*own, *[float("nan")] * 4]):
                if not near([value], [wanted], 1e-6):
                    return wrong_at(run, f"{key[0]} {key[1]}, {column}: expected {wanted:.6g} s, got {value:.6g}", checked)
    return accepted(checked)
