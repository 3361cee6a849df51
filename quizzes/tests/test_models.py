"""Does the command hpml-model compute what an independent implementation computes, and refuse what it cannot?"""
import json
import math
import subprocess
from fractions import Fraction

import pytest
from hpml_quizzes.models import ModelError
from hpml_quizzes.paths import build_dir
from hpml_quizzes.rng import Draws, seed_of
from second_models import SECOND, exact

PROGRAM = build_dir() / "bin/hpml-model"
INTEGER_TOPS = {"width": 60, "in_channels": 40, "out_channels": 40, "filter": 9, "window": 4, "taps": 30, "outputs": 30,
                "operands": 5000, "arity": 9, "layers": 200, "count": 200_000, "bytes": 50_000_000, "processes": 300,
                "registers_per_thread": 128, "rank": 64, "stages": 12, "micro_batches": 40, "updates": 3, "k": 2}


def listing():
    return json.loads(subprocess.run([PROGRAM, "--list", "--json"], capture_output=True, text=True, check=True).stdout)


MODELS = {entry["model"]: entry for entry in listing()}


def run(*arguments, stdin=""):
    return subprocess.run([PROGRAM, *arguments], input=stdin, capture_output=True, text=True, check=False)


def test_every_model_has_a_second_implementation():
    assert set(SECOND) == set(MODELS)


def number(draws, entry, name, whole):
    low, high = entry["min"], entry["max"] if entry["max"] is not None else math.inf
    if whole:
        top = min(high, INTEGER_TOPS.get(name, 1000))
        return math.ceil(low) + draws.below(int(top) - math.ceil(low) + 1)
    if high <= 1:
        return low + (high - low) * (1 + draws.below(998)) / 1000
    value = (1 + draws.below(9999)) / 100
    return max(low, min(high, -value if low < 0 and draws.below(2) else value))


def value(draws, name, entry):
    kind = entry["kind"]
    if kind == "flag":
        return draws.below(2) == 1
    if kind == "word":
        return draws.choose(entry["words"])
    if kind == "rows":
        return [[number(draws, entry, name, False) for _ in range(8)] for _ in range(3)]
    if kind in ("numbers", "integers"):
        count = 25 if name == "image" else 4
        return [number(draws, entry, name, kind == "integers") for _ in range(count)]
    return number(draws, entry, name, kind == "integer")


def sensible(model, inputs):
    """What holds between inputs, and the listing of bounds cannot say."""
    if model == "arrival" or model == "staleness_of_arrivals":
        rows = [sorted(row) for row in inputs["arrival_times"]]
        return {"arrival_times": [[t + place / 1000 + who / 7000 for place, t in enumerate(row)] for who, row in enumerate(rows)]}
    if model == "staleness":
        return {**inputs, "versions_read": [min(v, inputs["server_version"]) for v in inputs["versions_read"]]}
    if model == "quantise_asymmetric":
        return {**inputs, "x_min": -abs(inputs["x_min"]), "x_max": abs(inputs["x_max"]) + 0.5}
    if model == "float_counter":
        return {"count": inputs["count"], "step": 1 << inputs["step"] % 12}
    if model == "amdahl_best":
        return {"serial_fraction": inputs["serial_fraction"], "overhead_per_processor": 1e-6 + inputs["overhead_per_processor"] / 1e4}
    if model in ("convolution", "im2col"):
        return {**inputs, "width": inputs["width"] + 9}
    return inputs


def agree(left, right):
    if isinstance(left, list):
        return len(left) == len(right) and all(map(agree, left, right))
    if isinstance(left, (str, bool)) or isinstance(right, (str, bool)):
        return left == right
    return math.isclose(left, float(right), rel_tol=1e-11, abs_tol=1e-11)


def agreed(model, inputs, got):
    """What a tie leaves open need not be the same."""
    again = SECOND[model](**inputs)
    for name in got:
        if not (got.get("tie") and name.startswith("k_batch")):
            assert agree(got[name], again[name]), (model, inputs, name, got[name], again[name])


@pytest.mark.parametrize("model", sorted(MODELS))
def test_two_implementations_agree_on_random_inputs(model, solver):
    draws = Draws(seed_of("models", model))
    for _ in range(60):
        inputs = sensible(model, {name: value(draws, name, entry) for name, entry in MODELS[model]["inputs"].items()})
        got = solver(model, inputs)
        assert list(got) == MODELS[model]["outputs"]
        agreed(model, inputs, got)


@pytest.mark.parametrize(("arguments", "says"), [
    (["amdahl", "serial_fraction=1.5", "processors=4", "overhead_per_processor=0"], "'serial_fraction' is 1.5, must be between 0 and 1"),
    (["amdahl", "serial_fraction=0.5", "processors=4"], "missing input 'overhead_per_processor'"),
    (["gustafson", "serial_fraction=0.5", "processors=4", "procesors=5"], "unknown input 'procesors'; did you mean 'processors'?"),
    (["gustafson", "serial_fracton=0.5", "processors=4"], "there is 'serial_fracton'"),
    (["gustafson", '{"serial_fraction": "half", "processors": 4}'], "'serial_fraction' must be a number, not \"half\""),
    (["convolution", "width=3", "in_channels=1", "out_channels=1", "filter=5", "stride=1", "padding=0", "bias=true"], "'filter' is larger than the padded image"),
    (["network", "network=vgg11"], "must be one of vgg16, vgg19, resnet18_cifar10"),
    (["ampdahl"], "did you mean 'amdahl'?"), (["amdahl", "x"], "'x' is not NAME=VALUE"), ([], "no model named"),
    (["update_times", "batch_times=[[1,2],[3]]", "updates=2", "k=1"], "must have updates * k entries"),
    (["--nonsense"], "see hpml-model --help")])
def test_bad_input_is_one_clear_line(arguments, says):
    done = run(*arguments)
    assert done.returncode == 2 and done.stdout == ""
    assert says in done.stderr and done.stderr.count("\n") == 1 and done.stderr.startswith("hpml-model: ")


def test_json_comes_and_goes():
    assert json.loads(run("gustafson", '{"serial_fraction": 0.1, "processors": 11}').stdout) == {"speedup": 10.0, "efficiency": 10 / 11}
    assert json.loads(run("gustafson", stdin='{"serial_fraction": 0.1, "processors": 11}').stdout)["speedup"] == 10.0
    lines = run("--lines", stdin='{"model": "winograd", "in": {"outputs": 4, "taps": 3}}\nnonsense\n').stdout.splitlines()
    assert json.loads(lines[0]) == {"multiplications": 6, "direct": 12} and "error" in json.loads(lines[1])


def test_a_model_error_names_the_model(solver):
    with pytest.raises(ModelError, match="model gustafson: missing input 'processors'"):
        solver("gustafson", {"serial_fraction": Fraction(1, 2)})


def test_exact_inputs_stay_exact():
    assert exact([1, 0.5, "x"]) == [Fraction(1), Fraction(1, 2), "x"]
