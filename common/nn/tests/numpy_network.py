#!/usr/bin/python3
"""Recomputes one training step of a network in NumPy, from its graph and in double, and compares.

The folder holds graph.json, images, labels, loss, and per parameter its value (<node>.<param>) and the gradient that
the library found (gradient.<node>.<param>); after.<node>.running_* are batch statistics after the step.
Exit codes: 0 all agree, 1 something differs, 2 usage.
"""

import json
import sys
from pathlib import Path

import numpy as np

Array = np.ndarray
TOLERANCE = 2e-5  # of the largest value of a tensor: float32 sums against double


class Conv2d:
    """Windows by strided slices: nothing in common with the library's loops."""

    def __init__(self, attrs: dict, params: dict[str, Array]):
        self.k, self.stride, self.pad = (attrs[name] for name in ("kernel", "stride", "pad"))
        self.w = params["weight"].reshape(self.k, self.k, -1, attrs["channels"])

    def _window(self, x: Array, kh: int, kw: int) -> tuple[slice, ...]:
        s, h, w = self.stride, self.out[0], self.out[1]
        return (slice(None), slice(kh, kh + s * (h - 1) + 1, s), slice(kw, kw + s * (w - 1) + 1, s))

    def forward(self, x: Array) -> Array:
        p = self.pad
        self.x = np.pad(x, ((0, 0), (p, p), (p, p), (0, 0)))
        self.out = [(extent - self.k) // self.stride + 1 for extent in self.x.shape[1:3]]
        taps = np.ndindex(self.k, self.k)
        return sum(self.x[self._window(x, *tap)] @ self.w[tap] for tap in taps)

    def backward(self, dy: Array) -> tuple[list[Array], dict[str, Array]]:
        dx, dw = np.zeros_like(self.x), np.zeros_like(self.w)
        for tap in np.ndindex(self.k, self.k):
            window = self._window(dx, *tap)
            dx[window] += dy @ self.w[tap].T
            dw[tap] = np.einsum("nhwi,nhwo->io", self.x[window], dy)
        p = self.pad
        return [dx[:, p:dx.shape[1] - p, p:dx.shape[2] - p]], {"weight": dw}


class BatchNorm:
    def __init__(self, attrs: dict, params: dict[str, Array]):
        self.eps, self.momentum = attrs["eps"], attrs["momentum"]
        self.gamma, self.beta = params["gamma"], params["beta"]

    def forward(self, x: Array) -> Array:
        axes, count = (0, 1, 2), x.size // x.shape[-1]
        mean, var = x.mean(axes), x.var(axes)
        self.after = {"running_mean": self.momentum * mean,
                      "running_var": 1 - self.momentum + self.momentum * var * count / (count - 1)}
        self.sigma = np.sqrt(var + self.eps)
        self.xhat = (x - mean) / self.sigma
        return self.gamma * self.xhat + self.beta

    def backward(self, dy: Array) -> tuple[list[Array], dict[str, Array]]:
        axes = (0, 1, 2)
        dgamma, dbeta = (dy * self.xhat).sum(axes), dy.sum(axes)
        dx = self.gamma / self.sigma * (dy - dy.mean(axes) - self.xhat * (dy * self.xhat).mean(axes))
        return [dx], {"gamma": dgamma, "beta": dbeta}


class Relu:
    def __init__(self, attrs: dict, params: dict[str, Array]):
        pass

    def forward(self, x: Array) -> Array:
        self.mask = x > 0
        return x * self.mask

    def backward(self, dy: Array) -> tuple[list[Array], dict[str, Array]]:
        return [dy * self.mask], {}


class Add(Relu):
    def forward(self, a: Array, b: Array) -> Array:
        return a + b

    def backward(self, dy: Array) -> tuple[list[Array], dict[str, Array]]:
        return [dy, dy], {}


class GlobalAvgPool(Relu):
    def forward(self, x: Array) -> Array:
        self.shape = x.shape
        return x.mean((1, 2), keepdims=True)

    def backward(self, dy: Array) -> tuple[list[Array], dict[str, Array]]:
        return [np.broadcast_to(dy / (self.shape[1] * self.shape[2]), self.shape)], {}


class Linear:
    def __init__(self, attrs: dict, params: dict[str, Array]):
        self.w, self.b = params["weight"].reshape(-1, attrs["features"]), params["bias"]

    def forward(self, x: Array) -> Array:
        self.x = x
        return (x.reshape(len(x), -1) @ self.w + self.b)[:, None, None, :]

    def backward(self, dy: Array) -> tuple[list[Array], dict[str, Array]]:
        flat = dy.reshape(len(dy), -1)
        dx = (flat @ self.w.T).reshape(self.x.shape)
        return [dx], {"weight": self.x.reshape(len(dy), -1).T @ flat, "bias": flat.sum(0)}


OPS = {"conv2d": Conv2d, "batch_norm": BatchNorm, "relu": Relu, "add": Add, "avg_pool": GlobalAvgPool,
       "linear": Linear}
PARAMS = {"conv2d": ["weight"], "batch_norm": ["gamma", "beta"], "linear": ["weight", "bias"]}


class Comparison:
    def __init__(self, folder: Path):
        self.folder = folder
        self.differences = 0

    def floats(self, name: str) -> Array:
        return np.fromfile(self.folder / name, np.float32).astype(np.float64)

    def compare(self, name: str, expected: Array) -> None:
        got = self.floats(name)
        error = np.abs(got - expected.ravel()).max() / np.abs(expected).max()
        if not error <= TOLERANCE:
            print(f"{name}: differs by {error:.2e} of the largest value")
            self.differences += 1


def run(folder: Path) -> int:
    check = Comparison(folder)
    graph = json.loads((folder / "graph.json").read_text(encoding="utf-8"))
    labels = np.fromfile(folder / "labels", np.int32)
    images = check.floats("images").reshape(len(labels), *graph["input"])
    values, layers = {"input": images}, {}
    for node in graph["nodes"]:
        params = {name: check.floats(f"{node['name']}.{name}") for name in PARAMS.get(node["op"], [])}
        layers[node["name"]] = OPS[node["op"]](node["attrs"], params)
        values[node["name"]] = layers[node["name"]].forward(*(values[name] for name in node["inputs"]))
    logits = values[graph["nodes"][-1]["name"]].reshape(len(labels), -1)
    probabilities = np.exp(logits - logits.max(1, keepdims=True))
    probabilities /= probabilities.sum(1, keepdims=True)
    rows = np.arange(len(labels))
    loss = -np.log(probabilities[rows, labels]).mean()
    if abs(loss - np.fromfile(folder / "loss")[0]) > TOLERANCE * loss:
        print(f"loss: {np.fromfile(folder / 'loss')[0]}, expected {loss}")
        check.differences += 1
    probabilities[rows, labels] -= 1
    gradients = {graph["nodes"][-1]["name"]: (probabilities / len(labels))[:, None, None, :]}
    for node in reversed(graph["nodes"]):
        inputs, params = layers[node["name"]].backward(gradients.pop(node["name"]))
        for name, gradient in zip(node["inputs"], inputs):
            gradients[name] = gradients.get(name, 0) + gradient
        for name, gradient in params.items():
            check.compare(f"gradient.{node['name']}.{name}", gradient)
        for name, value in getattr(layers[node["name"]], "after", {}).items():
            check.compare(f"after.{node['name']}.{name}", value)
    return 1 if check.differences else 0


if __name__ == "__main__":
    if len(sys.argv) != 2:
        print("usage: numpy_network.py FOLDER", file=sys.stderr)
        sys.exit(2)
    sys.exit(run(Path(sys.argv[1])))
