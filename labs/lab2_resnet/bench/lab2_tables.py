"""Tables of `make lab2 bench`; pure functions of what the programs print."""
from collections.abc import Callable, Mapping, Sequence

from lab2_costs import FIELDS, NETWORKS

__all__ = ["NETWORKS", "count_rows", "counts_of", "curve_rows", "layer_rows", "layers_of", "predict", "prediction_rows",
           "worker_curve"]

BATCH = 128
# Name: (peak FP32 in FLOP/s, bytes/s, Hz), rounded nominal figures at boost clock, not checked against a source here.
DEVICES = {"K80, one GPU": (4.37e12, 240e9, 875e6), "T4": (8.1e12, 320e9, 1590e6), "V100-SXM2": (15.7e12, 900e9, 1530e6),
           "A100-40": (19.5e12, 1555e9, 1410e6), "H100 SXM": (66.9e12, 3350e9, 1980e6)}
WORKERS = (0, 1, 2, 4, 8, 12, 16)
LATENCY_US, SAMPLES, LOADED = 5000, 320, 8

Counts = dict[str, int]


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


def predict(run: Callable[[str], str], layers: Sequence[tuple[str, str, Counts]]) -> dict[str, float]:
    """ms of a forward pass of the convolutions, by the student's paleo(): the layers' times added up."""
    found = {}
    for name, (peak, bandwidth, clock) in DEVICES.items():
        seconds = 0.0
        for layer in (c for _, op, c in layers if op == "conv2d"):
            size = BATCH * (layer["bytes_in"] + layer["bytes_out"]) + layer["bytes_w"]
            seconds += sum(map(float, run(f"paleo time {BATCH * layer['macs']} {size} {peak:g} {bandwidth:g} {clock:g} 1").split()))
        found[name] = round(1000 * seconds, 3)
    return found


def prediction_rows(predicted: Mapping[str, float]) -> list[Sequence[str]]:
    return [("device", "TFLOP/s", "GB/s", "ms"),
            *((name, f"{DEVICES[name][0] / 1e12:g}", f"{DEVICES[name][1] / 1e9:g}", f"{ms:.2f}") for name, ms in predicted.items())]


def worker_curve(seconds: Callable[[str], float]) -> dict[int, float]:
    return {workers: round(seconds(f"loader epoch {workers} {LATENCY_US} {SAMPLES} {LOADED}"), 4) for workers in WORKERS}


def model(workers: int) -> float:
    """Sleeps of one worker after the other; no training, so more workers only divide them."""
    return SAMPLES * LATENCY_US * 1e-6 / max(1, workers)


def curve_rows(curve: Mapping[int, float]) -> list[Sequence[str]]:
    return [("workers", "seconds", "model"), *((str(workers), f"{s:.3f}", f"{model(workers):.3f}") for workers, s in curve.items())]
