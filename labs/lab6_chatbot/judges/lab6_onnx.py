"""E1: the exported files. Read and run by lab6_onnx_file, compared with lab6_network."""
import itertools
import random
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy
from hpml_autograder.lab import Case, Context, Outcome, Run, Test, accepted, trouble, wrong
from lab6_network import START, Network, padded, question, weights
from lab6_onnx_file import Graph, Malformed, read, run, used

LOGITS = 1e-5  # as spec of E2: largest difference of a logit, relative to 1 + |logit|
FLOAT, INT32, INT64, BOOL = 1, 6, 7, 9
# A layer is one bidirectional node, or one node for each direction.
DIRECTIONS = {"forward": ("forward",), "reverse": ("reverse",), "bidirectional": ("forward", "reverse")}
EXPECTED = {"encoder": {"forward": 2, "reverse": 2}, "decoder": {"forward": 2}}


def plan(test: Test, context: Context) -> list[Case]:
    draw = random.Random(context.seed(test, 0))
    return [Case(test.params["program"], shape.format(seed=draw.randrange(1, 1 << 31)), dump=shape.startswith("files"))
            for shape in test.shapes]


def plan_open(test: Test, context: Context) -> list[Case]:
    """In a score of record also with seeds and sizes that are drawn."""
    draw = random.Random(context.seed(test, 0))
    drawn = (f"open {draw.randrange(1, 1 << 31)} {draw.randint(10, 300)} {draw.randint(2, 64)} {draw.randint(1, 9)} {draw.randint(1, 9)}"
             for _ in range(2 * context.for_record))
    return [Case(test.params["program"], words) for words in (*test.shapes, *drawn)]


def graphs_of(run_: Run) -> tuple[Graph, Graph]:
    data = run_.dump.read_bytes() if run_.dump is not None else b""
    if len(data) < 8:
        raise Malformed("no files were written")
    size = int.from_bytes(data[:8], "little")
    return read(data[8:8 + size]), read(data[8 + size:])


def judge_with(look: Callable[[Graph, Graph, Run], str], checked: str):
    def judge(test: Test, context: Context, runs: Sequence[Run]) -> Outcome:
        for one in runs:
            problem = trouble(one, context.spec.limits.wall_s)
            if problem:
                return problem
            try:
                said = look(*graphs_of(one), one)
            except (Malformed, UnicodeDecodeError) as error:
                said = f"the file cannot be used: {error}"
            if said:
                return wrong(f"`{one.case}`: {said}", checked)
        return accepted(checked)
    return judge


# ---- structure
def sizes(run_: Run) -> tuple[int, int, int]:
    _, seed, words, hidden = run_.case.args.split()
    return int(seed), int(words), int(hidden)


def interface(words: int, hidden: int) -> dict[str, dict[str, tuple[int, list[Any]]]]:
    return {
        "encoder inputs": {"tokens": (INT64, ["T", "B"]), "lengths": (INT32, ["B"])},
        "encoder outputs": {"outputs": (FLOAT, ["T", "B", hidden]), "state": (FLOAT, [2, "B", hidden])},
        "decoder inputs": {"tokens": (INT64, [1, "B"]), "state": (FLOAT, [2, "B", hidden]),
                           "encoder_outputs": (FLOAT, ["T", "B", hidden]), "mask": (BOOL, ["T", "B"])},
        "decoder outputs": {"logits": (FLOAT, ["B", words]), "next_state": (FLOAT, [2, "B", hidden])}}


def structure(encoder: Graph, decoder: Graph, run_: Run) -> str:
    seed, words, hidden = sizes(run_)
    found = {"encoder inputs": encoder.inputs, "encoder outputs": encoder.outputs, "decoder inputs": decoder.inputs,
             "decoder outputs": decoder.outputs}
    for place, expected in interface(words, hidden).items():
        got = {name: (value.type, value.extents) for name, value in found[place].items()}
        if got != expected:
            names = [name for name in expected if got.get(name) != expected[name]] or sorted(set(got) - set(expected))
            return f"{place}: '{names[0]}': expected (type, extents) {expected.get(names[0])}, got {got.get(names[0])}"
    for name, graph in (("encoder", encoder), ("decoder", decoder)):
        if graph.opset != 13 or graph.ir_version != 7:
            return f"{name}: expected opset 13 and ir_version 7, got {graph.opset} and {graph.ir_version}"
        nodes, names = used(graph)
        unread = [input_ for input_ in graph.inputs if input_ not in names]
        if unread:
            return f"{name}: no output depends on its input '{unread[0]}'"
        grus = [node for node in nodes if node.op == "GRU"]
        found_directions = Counter(one for node in grus for one in DIRECTIONS.get(node.attributes.get("direction", "forward"), ()))
        if found_directions != EXPECTED[name]:
            said = " and ".join(f"{found_directions[one]} {one}" for one in DIRECTIONS if one in found_directions) or "none"
            wanted = " and ".join(f"{count} {one}" for one, count in EXPECTED[name].items())
            return (f"{name}: its outputs depend on GRU layers of these directions: {said}; expected {wanted} (a bidirectional node has both; "
                    "an unrolled loop is frozen at the traced length)")
        if any(node.attributes.get("linear_before_reset", 0) != 1 for node in grus):
            return f"{name}: linear_before_reset must be 1: the reset gate multiplies after the recurrent product"
    if run_.stdout.split() != ["same"]:
        return "a second export of the same checkpoint gives other bytes"
    return ""


def completeness(encoder: Graph, decoder: Graph, run_: Run) -> str:
    """Every weight travels: each number of the checkpoint is in a constant that an output depends on, as often as the checkpoint has
    it. The order is that of the graph; whether it is right, the logits say."""
    w = weights(*sizes(run_))
    for name, graph in (("encoder", encoder), ("decoder", decoder)):
        names = used(graph)[1]
        expected = numbers_in(array for key, array in w.items() if key.startswith((name, "embedding")))
        held = numbers_in(array for key, array in graph.constants.items() if array.dtype == numpy.float32 and key in names)
        missing = expected - held
        if missing:
            value = next(iter(missing))
            layer = next(key for key, array in w.items() if value in array)
            return (f"{name}: {missing.total()} of {expected.total()} weights are in no constant that its outputs depend on, for example "
                    f"{value:.6g} of {layer}")
    return ""


def numbers_in(arrays: Iterable[numpy.ndarray]) -> Counter[float]:
    return Counter(itertools.chain.from_iterable(array.ravel().tolist() for array in arrays))


# ---- values
def questions_of(seed: int, words: int, batch: int) -> list[list[int]]:
    return [question(seed, index, words) for index in range(batch)]


def differ(got: Any, expected: numpy.ndarray) -> str:
    if not isinstance(got, numpy.ndarray) or got.shape != expected.shape:
        return f"expected extents {list(expected.shape)}, got {list(numpy.shape(got))}"
    error = numpy.abs(got - expected) / (1 + numpy.abs(expected))
    if not numpy.all(error <= LOGITS):
        return f"differs from the network by {numpy.nanmax(error):.2g}, allowed {LOGITS:g}"
    return ""


def values(encoder: Graph, decoder: Graph, run_: Run) -> str:
    """Two batches of other sizes, and decoder steps behind each other."""
    seed, words, hidden = sizes(run_)
    network = Network(weights(seed, words, hidden))
    for batch in (1, 5):
        tokens, lengths, mask = padded(questions_of(seed + batch, words, batch))
        outputs, state = network.encode(tokens, lengths)
        own = run(encoder, {"tokens": tokens, "lengths": lengths})
        for name, expected in (("outputs", outputs), ("state", state)):
            said = differ(own.get(name), expected)
            if said:
                return f"encoder, T = {len(tokens)}, B = {batch}: {name}: {said}"
        fed = numpy.full(batch, START)
        for step in range(3):
            logits, after = network.step(fed, state, outputs, mask)
            own = run(decoder, {"tokens": fed[None], "state": state, "encoder_outputs": outputs, "mask": mask})
            for name, expected in (("logits", logits), ("next_state", after)):
                said = differ(own.get(name), expected)
                if said:
                    return f"decoder, step {step}, T = {len(tokens)}, B = {batch}: {name}: {said}"
            fed, state = logits.argmax(axis=1), after
    return ""


judge_structure = judge_with(structure, "names, types and extents, the GRU nodes that the outputs depend on, same bytes twice")
judge_weights = judge_with(completeness, "the checkpoint's weights in both files")
judge_values = judge_with(values, "outputs, states and logits of two batches, computed from the files")


def judge_open(test: Test, context: Context, runs: Sequence[Run]) -> Outcome:
    checked = f"{len(runs)} sizes in the given interpreter"
    for one in runs:
        problem = trouble(one, context.spec.limits.wall_s)
        if problem:
            return problem
        _, _, words, hidden, steps, batch = one.case.args.split()
        expected = [f"outputs [{steps}, {batch}, {hidden}]", f"state [2, {batch}, {hidden}]", f"logits [{batch}, {words}]",
                    f"next_state [2, {batch}, {hidden}]"]
        got = one.stdout.splitlines()
        if got != expected:
            line = next(pair for pair in itertools.zip_longest(expected, got, fillvalue="nothing") if pair[0] != pair[1])
            return wrong(f"`{one.case}`: expected {line[0]}, got {line[1]}", checked)
    return accepted(checked)


