"""Tables of `make lab2 bench`; pure functions of what the programs print."""
from collections.abc import Callable, Mapping, Sequence

from lab2_costs import FIELDS, NETWORKS

__all__ = ["NETWORKS", "count_rows", "counts_of", "curve_rows", "layer_rows", "layers_of", "predict", "prediction_rows",
           "worker_curve"]

BATCH = 128
WORKERS = (0, 1, 2, 4, 8, 12, 16)
# An epoch against a slow storage, on a simulated GPU that a few workers keep busy.
LATENCY_US, SAMPLES, LOADED, GPU, NETWORK = 5000, 320, 8, "k80", "resnet18"
EPOCH = (f"resnet train --model {NETWORK} --data synthetic:{SAMPLES}:{LOADED} --batch {LOADED} --epochs 1 --device sim:{GPU} "
         f"--io-latency-us {LATENCY_US}")

Counts = dict[str, int]
Devices = Mapping[str, tuple[float, float, float]]  # peak FP32 in FLOP/s, bytes/s, Hz


def devices_of(stdout: str) -> Devices:
    """Of `resnet devices`."""
    rows = [line.split() for line in stdout.splitlines()]
    return {name: (float(peak), float(bandwidth), float(clock)) for name, peak, bandwidth, clock in rows}


def counts_of(stdout: str) -> dict[str, Counts]:
    names = ("convolutions", "conv_macs", "conv_outputs", *FIELDS)
    return {words[0]: dict(zip(names, map(int, words[1:]))) for words in map(str.split, stdout.splitlines())}


def layers_of(stdout: str) -> list[tuple[str, str, Counts]]:
    return [(words[0], words[1], dict(zip(FIELDS, map(int, words[2:])))) for words in map(str.split, stdout.splitlines())]


def count_rows(counts: Mapping[str, Counts]) -> list[Sequence[str]]:
    return [("network", "MAC", "of convolutions", "%", "executed MAC", "parameters", "convolutions", "their outputs"),
            *((name, f"{c['macs']:,}", f"{c['conv_macs']:,}", f"{100 * c['conv_macs'] / c['macs']:.3f}", f"{c['executed_macs']:,}",
               f"{c['parameters']:,}", f"{c['convolutions']}", f"{c['conv_outputs']:,}") for name, c in counts.items())]


def layer_rows(layers: Sequence[tuple[str, str, Counts]]) -> list[Sequence[str]]:
    return [("layer", "operator", "MAC", "executed MAC", "other FLOP", "parameters", "bytes"),
            *((name, op, *(f"{c[key]:,}" for key in ("macs", "executed_macs", "other_flop", "parameters")),
               f"{c['bytes_in'] + c['bytes_w'] + c['bytes_out']:,}") for name, op, c in layers)]


def predict(run: Callable[[str], str], layers: Sequence[tuple[str, str, Counts]], devices: Devices) -> dict[str, float]:
    """ms of a forward pass of the convolutions, by the student's paleo(): the layers' times added up."""
    found = {}
    for name, (peak, bandwidth, clock) in devices.items():
        seconds = 0.0
        for layer in (c for _, op, c in layers if op == "conv2d"):
            size = BATCH * (layer["bytes_in"] + layer["bytes_out"]) + layer["bytes_w"]
            seconds += sum(map(float, run(f"paleo time {BATCH * layer['macs']} {size} {peak:g} {bandwidth:g} {clock:g} 1").split()))
        found[name] = round(1000 * seconds, 3)
    return found


def prediction_rows(predicted: Mapping[str, float], devices: Devices) -> list[Sequence[str]]:
    return [("device", "TFLOP/s", "GB/s", "ms"),
            *((name, f"{devices[name][0] / 1e12:.2f}", f"{devices[name][1] / 1e9:g}", f"{ms:.2f}") for name, ms in predicted.items())]


def step_of(stdout: str) -> float:
    """Seconds of a training step: the last line of `resnet paleo`, "sum FORWARD BACKWARD" in ms."""
    _, forward, backward = stdout.splitlines()[-1].split()
    return 1e-3 * (float(forward) + float(backward))


def worker_curve(seconds: Callable[[str], float]) -> dict[int, float]:
    return {workers: round(seconds(f"{EPOCH} --workers {workers}"), 4) for workers in WORKERS}


def model(workers: int, step_s: float) -> float:
    """Without workers, loading and training take turns; with them the slower of the two is the limit, after a first batch."""
    batches, load_s = SAMPLES / LOADED, LOADED * LATENCY_US * 1e-6
    if workers == 0:
        return batches * (step_s + load_s)
    return load_s + batches * max(step_s, load_s / workers)


def best(curve: Mapping[int, float]) -> int:
    """The smallest number of workers within 5 % of the shortest epoch."""
    return min(workers for workers, seconds in curve.items() if seconds <= 1.05 * min(curve.values()))


def curve_rows(curve: Mapping[int, float], step_s: float) -> list[Sequence[str]]:
    return [("workers", "seconds", "model"),
            *((str(workers), f"{s:.3f}", f"{model(workers, step_s):.3f}") for workers, s in curve.items())]
