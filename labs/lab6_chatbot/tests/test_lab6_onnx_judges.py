"""What of an exported graph counts: the nodes and numbers that an output depends on."""
import re
from pathlib import Path
from types import SimpleNamespace

import lab6_onnx as onnx
import lab6_onnx_file as onnx_file
import numpy
from lab6_network import weights

ROOT = Path(__file__).resolve().parents[3]
IMAGES = {"BatchNormalization", "Conv", "GlobalAveragePool", "MaxPool", "QuantizeLinear", "DequantizeLinear"}  # of lab 2
UNWRITTEN = {"Constant"}  # its value is a tensor, which no GraphWriter can write
RUN = SimpleNamespace(case=SimpleNamespace(args="files 5 9 4"), stdout="same")


def test_the_judge_runs_the_operators_of_the_given_interpreter():
    given = set(re.findall(r'Operator\{"(\w+)"', (ROOT / "common/onnx/ops/operator.cpp").read_text(encoding="utf-8")))
    assert set(onnx_file.OPERATORS) == given - IMAGES - UNWRITTEN


def test_flatten_joins_the_dimensions_on_both_sides_of_its_axis():
    x = numpy.zeros((2, 3, 4))
    assert [onnx_file.flatten(onnx_file.Node("Flatten", [], [], {"axis": axis}), x).shape for axis in (0, 1, 2, -1, 3)] == [
        (1, 24), (2, 12), (6, 4), (6, 4), (24, 1)]


def graph_of(part: str, *, connected: bool = True, directions: str = "both", zero: bool = False) -> onnx_file.Graph:
    """Names, types and weights of a part of the network; the operators are only what the structure asks for."""
    found = onnx_file.Graph(opset=13, ir_version=7)
    interface = onnx.interface(9, 4)
    found.inputs = {name: onnx_file.Value(name, *of) for name, of in interface[f"{part} inputs"].items()}
    found.outputs = {name: onnx_file.Value(name, *of) for name, of in interface[f"{part} outputs"].items()}
    w = weights(5, 9, 4)
    found.constants = {name: array.astype(numpy.float32) * (not zero) for name, array in w.items() if name.startswith((part, "embedding"))}
    ways = ["forward"] if part == "decoder" else ["bidirectional"] if directions == "both" else ["forward", "reverse"]
    last = "tokens"
    for layer in range(2):
        for way in ways:
            name = f"{layer}{way}"
            found.nodes.append(onnx_file.Node("GRU", [last, "w"], [name], {"direction": way, "linear_before_reset": 1}))
            last = name
    found.nodes.append(onnx_file.Node("Concat", [last if connected else "tokens", *found.inputs, *found.constants], ["all"], {"axis": 0}))
    found.nodes += [onnx_file.Node("Identity", ["all"], [name], {}) for name in found.outputs]
    return found


def structure(**changed) -> str:
    return onnx.structure(graph_of("encoder", **changed), graph_of("decoder"), RUN)


def test_a_layer_is_one_bidirectional_node_or_two():
    assert structure() == structure(directions="two") == ""


def test_nodes_and_inputs_that_no_output_depends_on_do_not_count():
    assert "none; expected 2 forward and 2 reverse" in structure(connected=False)
    encoder = graph_of("encoder")
    encoder.nodes[-3].inputs.remove("lengths")
    assert onnx.structure(encoder, graph_of("decoder"), RUN) == "encoder: no output depends on its input 'lengths'"


def test_weights_count_by_their_values_and_where_something_reads_them():
    decoder = graph_of("decoder")
    assert onnx.completeness(graph_of("encoder"), decoder, RUN) == ""
    assert "encoder" in onnx.completeness(graph_of("encoder", zero=True), decoder, RUN)
    encoder = graph_of("encoder")
    encoder.nodes[-3].inputs.remove("embedding.weight")
    assert onnx.completeness(encoder, decoder, RUN).startswith("encoder: 36 of ")
    encoder = graph_of("encoder")
    encoder.constants["embedding.weight"] = encoder.constants["embedding.weight"].T[::-1]  # another order is no loss
    assert onnx.completeness(encoder, decoder, RUN) == ""
