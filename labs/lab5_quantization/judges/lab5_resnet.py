"""ResNet-8 as integers, in NumPy: the second implementation of README.md, "Integer inference"."""
import functools
from dataclasses import dataclass, field

import numpy as np
from lab5_data import DATA, multiplier, narrow, qparams, quantize, requantize, unsigned

EPS = np.float64(np.float32(1e-5))
WIDTHS = (16, 32, 64)


@dataclass
class Node:
    kind: str            # conv, add, pool, linear
    name: str            # of the last node that went into it
    inputs: list[int]    # places of nodes; -1: the image
    relu: bool
    k: int = 1
    stride: int = 1
    q: np.ndarray = field(default_factory=lambda: np.zeros(0, np.int64))
    bias: np.ndarray = field(default_factory=lambda: np.zeros(0, np.int64))
    multipliers: list[tuple[int, int]] = field(default_factory=list)
    scale: np.float32 = np.float32(1)
    zero: int = 0


class Weights:
    """The values of a file of weights, in the order of the graph."""

    def __init__(self) -> None:
        self.data, self.at = np.fromfile(DATA / "resnet8.f32", np.float32), 0

    def take(self, *shape: int) -> np.ndarray:
        size = int(np.prod(shape))
        self.at += size
        return self.data[self.at - size:self.at].reshape(shape).astype(np.float64)


class IntegerNet:
    def __init__(self) -> None:
        lines = [line.split() for line in (DATA / "resnet8_ranges.txt").read_text(encoding="utf-8").splitlines()]
        self.ranges = {name: (float(np.float32(float(lo))), float(np.float32(float(hi)))) for name, lo, hi in lines}
        self.weights, self.nodes = Weights(), []
        self.in_scale, self.in_zero = qparams(*self.ranges["input"], unsigned(8))
        at = self.conv(-1, "relu1", 3, WIDTHS[0], 3, 1, relu=True)
        channels = WIDTHS[0]
        for number, width in enumerate(WIDTHS, 1):
            at, channels = self.block(at, f"group{number}.block0", channels, width, 1 if number == 1 else 2), width
        self.pool(at, "pool", 64)
        self.linear(channels, 10)
        assert self.weights.at == self.weights.data.size

    def params_of(self, place: int) -> tuple[np.float32, int]:
        return (self.in_scale, self.in_zero) if place < 0 else (self.nodes[place].scale, self.nodes[place].zero)

    def append(self, node: Node) -> int:
        if node.kind != "linear":
            node.scale, node.zero = qparams(*self.ranges[node.name], unsigned(8))
        self.nodes.append(node)
        return len(self.nodes) - 1

    def block(self, at: int, name: str, channels: int, width: int, stride: int) -> int:
        first = self.conv(at, f"{name}.relu1", channels, width, 3, stride, relu=True)
        second = self.conv(first, f"{name}.norm2", width, width, 3, 1, relu=False)
        side = at if stride == 1 and channels == width else self.conv(at, f"{name}.projection_norm", channels, width, 1, stride, relu=False)
        return self.append(Node("add", f"{name}.relu", [second, side], True))

    def conv(self, at: int, name: str, ci: int, co: int, k: int, stride: int, relu: bool) -> int:
        w = self.weights.take(k * k, ci, co)
        gamma, beta, mean, var = (self.weights.take(co) for _ in range(4))
        factor = gamma / np.sqrt(var + EPS)
        place = self.append(Node("conv", name, [at], relu, k, stride))
        self.products(self.nodes[place], (factor * w).astype(np.float32), (beta - factor * mean).astype(np.float32))
        node = self.nodes[place]
        product = np.float64(self.params_of(at)[0]) * self.weight_scales.astype(np.float64)
        node.multipliers = [multiplier(float(m)) for m in product / np.float64(node.scale)]
        return place

    def products(self, node: Node, w: np.ndarray, bias: np.ndarray) -> None:
        co = w.shape[-1]
        self.weight_scales = np.array([qparams(-most, most, narrow(8))[0] for most in np.abs(w).reshape(-1, co).max(axis=0)], np.float32)
        node.q = quantize(w, self.weight_scales, 0, *narrow(8)[:2])
        in_scale = np.float64(self.params_of(node.inputs[0])[0])
        node.bias = np.rint(bias.astype(np.float64) / (in_scale * self.weight_scales.astype(np.float64))).astype(np.int64)

    def pool(self, at: int, name: str, area: int) -> None:
        node = self.nodes[self.append(Node("pool", name, [at], False))]
        node.multipliers = [multiplier(float(np.float64(self.params_of(at)[0]) / (area * np.float64(node.scale))))]

    def linear(self, inputs: int, outputs: int) -> None:
        node = self.nodes[self.append(Node("linear", "fc", [len(self.nodes) - 1], False))]
        self.products(node, self.weights.take(1, inputs, outputs).astype(np.float32), self.weights.take(outputs).astype(np.float32))

    @property
    def bytes(self) -> int:
        return sum(node.q.size + node.bias.size * 8 for node in self.nodes)

    def logits(self, image: np.ndarray) -> np.ndarray:
        """Accumulators of the linear node. image: 32 x 32 x 3 quantised bytes."""
        outputs: list[np.ndarray] = []
        for node in self.nodes:
            x = [(image if place < 0 else outputs[place]).astype(np.int64) - self.params_of(place)[1] for place in node.inputs]
            outputs.append(getattr(self, f"run_{node.kind}")(node, *x))
        return outputs[-1].reshape(-1)

    def run_conv(self, node: Node, x: np.ndarray) -> np.ndarray:
        pad = node.k // 2
        padded = np.pad(x, ((pad, pad), (pad, pad), (0, 0)))
        size = (padded.shape[0] - node.k) // node.stride + 1
        acc = np.zeros((size, size, node.q.shape[-1]), np.int64) + node.bias
        for tap in range(node.k * node.k):
            i, j = divmod(tap, node.k)
            part = padded[i:i + node.stride * size:node.stride, j:j + node.stride * size:node.stride]
            acc += np.rint(part.astype(np.float64) @ node.q[tap].astype(np.float64)).astype(np.int64)  # below 2^53: exact
        m0, n = np.array(node.multipliers).T
        return self.limited(node, requantize(acc, m0, n))

    def run_add(self, node: Node, a: np.ndarray, b: np.ndarray) -> np.ndarray:
        ra, rb = (self.params_of(place)[0] / node.scale for place in node.inputs)
        return self.limited(node, np.rint(ra * a.astype(np.float32) + rb * b.astype(np.float32)).astype(np.int64))

    def run_pool(self, node: Node, x: np.ndarray) -> np.ndarray:
        m0, n = node.multipliers[0]
        return self.limited(node, requantize(x.sum(axis=(0, 1)), np.int64(m0), np.int64(n))).reshape(1, 1, -1)

    def run_linear(self, node: Node, x: np.ndarray) -> np.ndarray:
        return x.reshape(-1) @ node.q[0] + node.bias

    @staticmethod
    def limited(node: Node, r: np.ndarray) -> np.ndarray:
        return np.clip(r + node.zero, node.zero if node.relu else 0, 255)


@functools.cache
def load() -> IntegerNet:
    return IntegerNet()
