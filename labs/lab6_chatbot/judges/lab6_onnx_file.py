"""ONNX files in Python: the wire format, the messages of onnx.proto, and the operators of the lab's graphs in NumPy. Written
from the specifications (protobuf.dev "Encoding", onnx.proto, ONNX operators), independently of common/onnx."""
import struct
from dataclasses import dataclass, field
from typing import Any

import numpy

TYPES = {1: numpy.float32, 6: numpy.int32, 7: numpy.int64, 9: numpy.bool_}


class Malformed(Exception):
    """The bytes are no ONNX file, or the graph cannot be run; the sentence says why."""


def varint(data: bytes, at: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        if at >= len(data) or shift > 63:
            raise Malformed("a number that does not end")
        value |= (data[at] & 0x7F) << shift
        shift += 7
        at += 1
        if data[at - 1] < 0x80:
            return value, at


def fields(data: bytes) -> dict[int, list[Any]]:
    found: dict[int, list[Any]] = {}
    at = 0
    while at < len(data):
        key, at = varint(data, at)
        if key & 7 == 0:
            value, at = varint(data, at)
            value -= (value >> 63) << 64
        else:
            size = {1: 8, 5: 4}.get(key & 7)
            if key & 7 == 2:
                size, at = varint(data, at)
            if size is None or at + size > len(data):
                raise Malformed("a field that does not fit its message")
            value, at = data[at:at + size], at + size
        found.setdefault(key >> 3, []).append(value)
    return found


def text(message: dict[int, list[Any]], number: int) -> str:
    return message.get(number, [b""])[0].decode()


@dataclass
class Node:
    op: str
    inputs: list[str]
    outputs: list[str]
    attributes: dict[str, Any]


@dataclass
class Value:
    name: str
    type: int
    extents: list[int | str]


@dataclass
class Graph:
    opset: int = 0
    ir_version: int = 0
    nodes: list[Node] = field(default_factory=list)
    constants: dict[str, numpy.ndarray] = field(default_factory=dict)
    inputs: dict[str, Value] = field(default_factory=dict)
    outputs: dict[str, Value] = field(default_factory=dict)
    metadata: dict[str, str] = field(default_factory=dict)


def read_attribute(data: bytes) -> tuple[str, Any]:
    message = fields(data)
    kind = message.get(20, [0])[0]
    if kind == 1:
        return text(message, 1), struct.unpack("<f", message[2][0])[0]
    if kind == 2:
        return text(message, 1), message.get(3, [0])[0]
    if kind == 3:
        return text(message, 1), text(message, 4)
    if kind == 7:
        return text(message, 1), message.get(8, [])
    raise Malformed(f"attribute {text(message, 1)} of type {kind}")


def read_tensor(data: bytes) -> tuple[str, numpy.ndarray]:
    message = fields(data)
    kind, raw, name = message.get(2, [0])[0], message.get(9, [b""])[0], text(message, 8)
    if kind not in TYPES:
        raise Malformed(f"constant {name} has element type {kind}")
    try:
        return name, numpy.frombuffer(raw, TYPES[kind]).reshape(message.get(1, []))
    except ValueError as error:
        raise Malformed(f"constant {name}: {error}") from error


def read_value(data: bytes) -> Value:
    message = fields(data)
    tensor = fields(fields(message.get(2, [b""])[0]).get(1, [b""])[0])
    dims = [fields(dim) for dim in fields(tensor.get(2, [b""])[0]).get(1, [])]
    return Value(text(message, 1), tensor.get(1, [0])[0], [dim[1][0] if 1 in dim else text(dim, 2) for dim in dims])


def read(data: bytes) -> Graph:
    message = fields(data)
    graph = Graph(ir_version=message.get(1, [0])[0])
    for opset in map(fields, message.get(8, [])):
        graph.opset = opset.get(2, [0])[0] if text(opset, 1) == "" else graph.opset
    for entry in map(fields, message.get(14, [])):
        graph.metadata[text(entry, 1)] = text(entry, 2)
    parts = fields(message.get(7, [b""])[0])
    for part in map(fields, parts.get(1, [])):
        graph.nodes.append(Node(text(part, 4), [name.decode() for name in part.get(1, [])],
                                [name.decode() for name in part.get(2, [])], dict(map(read_attribute, part.get(5, [])))))
    graph.constants = dict(map(read_tensor, parts.get(5, [])))
    graph.inputs = {value.name: value for value in map(read_value, parts.get(11, []))}
    graph.outputs = {value.name: value for value in map(read_value, parts.get(12, []))}
    return graph


def used(graph: Graph) -> tuple[list[Node], set[str]]:
    """The nodes that an output depends on, and the names of all values on the way. What nothing reads computes nothing."""
    makers = {name: i for i, node in enumerate(graph.nodes) for name in node.outputs if name}
    waiting, names, found = list(graph.outputs), set(), set()
    while waiting:
        name = waiting.pop()
        if name and name not in names:
            names.add(name)
            if name in makers and makers[name] not in found:
                found.add(makers[name])
                waiting += graph.nodes[makers[name]].inputs
    return [graph.nodes[i] for i in sorted(found)], names


# ---- operators
def sigmoid(x: numpy.ndarray) -> numpy.ndarray:
    return 1 / (1 + numpy.exp(-x))


def gru(node: Node, x, w, r, b=None, lengths=None, initial=None):
    steps, batch, _ = x.shape
    count, _, hidden = r.shape
    y, last = numpy.zeros((steps, count, batch, hidden)), numpy.zeros((count, batch, hidden))
    kind = node.attributes.get("direction", "forward")
    b = numpy.zeros((count, 6 * hidden)) if b is None else b
    lengths = numpy.full(batch, steps) if lengths is None else lengths
    for d in range(count):
        h = numpy.zeros((batch, hidden)) if initial is None else initial[d]
        wz, wr, wh = numpy.split(w[d], 3)
        rz, rr, rh = numpy.split(r[d], 3)
        bz, br, bh, cz, cr, ch = numpy.split(b[d], 6)
        for t in (range(steps - 1, -1, -1) if d == 1 or kind == "reverse" else range(steps)):
            z = sigmoid(x[t] @ wz.T + bz + h @ rz.T + cz)
            reset = sigmoid(x[t] @ wr.T + br + h @ rr.T + cr)
            late = reset * (h @ rh.T + ch) if node.attributes.get("linear_before_reset", 0) else (reset * h) @ rh.T + ch
            new = (1 - z) * numpy.tanh(x[t] @ wh.T + bh + late) + z * h
            alive = (t < lengths)[:, None]
            h = numpy.where(alive, new, h)
            y[t, d] = numpy.where(alive, h, 0)
        last[d] = h
    return y, last


def softmax(node: Node, x):
    axis = node.attributes.get("axis", -1)
    share = numpy.exp(x - x.max(axis=axis, keepdims=True))
    return share / share.sum(axis=axis, keepdims=True)


def gemm(node: Node, a, b, c=0.0):
    product = (a.T if node.attributes.get("transA", 0) else a) @ (b.T if node.attributes.get("transB", 0) else b)
    return node.attributes.get("alpha", 1) * product + node.attributes.get("beta", 1) * c


def reshape(node: Node, x, shape):
    return x.reshape([x.shape[i] if extent == 0 else extent for i, extent in enumerate(shape)])


def squeeze(node: Node, x, axes=None):
    return numpy.squeeze(x, None if axes is None else tuple(int(axis) for axis in axes))


def slice_(node: Node, x, starts, ends, axes=None, steps=None):
    cut = [slice(None)] * x.ndim
    for i, (start, end) in enumerate(zip(starts, ends)):
        cut[int(axes[i]) if axes is not None else i] = slice(int(start), int(end), int(steps[i]) if steps is not None else 1)
    return x[tuple(cut)]


def flatten(node: Node, x):
    axis = node.attributes.get("axis", 1)
    return x.reshape(int(numpy.prod(x.shape[:axis])), -1)


# Those of common/onnx/ops, without the operators of images and the forms that export.hpp cannot write
# (tests/test_lab6_onnx_judges.py compares).
OPERATORS = {
    "Gather": lambda node, data, indices: numpy.take(data, indices, axis=node.attributes.get("axis", 0)),
    "GRU": gru, "Softmax": softmax, "Gemm": gemm, "Reshape": reshape, "Squeeze": squeeze, "Slice": slice_,
    "Unsqueeze": lambda node, x, axes: numpy.expand_dims(x, tuple(int(axis) for axis in axes)),
    "Transpose": lambda node, x: numpy.transpose(x, node.attributes.get("perm")),
    "Concat": lambda node, *parts: numpy.concatenate(parts, axis=node.attributes["axis"]),
    "ReduceSum": lambda node, x, axes=None: x.sum(axis=None if axes is None else tuple(int(axis) for axis in axes),
                                                  keepdims=bool(node.attributes.get("keepdims", 1))),
    "MatMul": lambda node, a, b: a @ b, "Add": lambda node, a, b: a + b, "Sub": lambda node, a, b: a - b,
    "Mul": lambda node, a, b: a * b, "Div": lambda node, a, b: a / b, "Where": lambda node, c, a, b: numpy.where(c, a, b),
    "Tanh": lambda node, x: numpy.tanh(x), "Sigmoid": lambda node, x: sigmoid(x), "Identity": lambda node, x: x,
    "Cast": lambda node, x: x.astype({1: float, 7: numpy.int64, 6: numpy.int32, 9: bool}[node.attributes["to"]]),
    "Relu": lambda node, x: numpy.maximum(x, 0), "Flatten": flatten,
}


def run(graph: Graph, given: dict[str, numpy.ndarray]) -> dict[str, numpy.ndarray]:
    """All values of the graph, in float64."""
    values = {name: array.astype(float) if array.dtype == numpy.float32 else array for name, array in graph.constants.items()}
    values |= given
    for node in graph.nodes:
        if node.op not in OPERATORS:
            raise Malformed(f"operator {node.op} is none of the lab's")
        try:
            with numpy.errstate(all="ignore"):
                results = OPERATORS[node.op](node, *(values[name] if name else None for name in node.inputs))
        except (KeyError, ValueError, IndexError, TypeError, AttributeError) as error:
            raise Malformed(f"{node.op} -> {', '.join(filter(None, node.outputs))}: {type(error).__name__} {error}") from error
        for name, result in zip(node.outputs, results if node.op == "GRU" else [results]):
            values[name] = result
    return values
