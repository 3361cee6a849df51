"""Inputs that the judges draw for a score of record: they are right about what must come of them, and no list of the given ones."""
import json
import random
import re

import lab6_drawn_files as drawn_files
import lab6_gru as gru
import lab6_hyperband as hyperband
import lab6_sweep_file as sweep_file
import lab6_sweep_varied as varied
import lab6_vocab as vocab
import numpy
import pytest

SEEDS = range(5)
ENDING = re.compile(rf"_[{varied.LETTERS}]{{3}}\b")


@pytest.mark.parametrize("seed", SEEDS)
def test_a_sweep_file_in_another_shape_is_another_text_with_the_same_wrong_line(seed):
    draw = random.Random(seed)
    for entry in sweep_file.table():
        other = sweep_file.drawn(entry, draw)
        assert other.valid == entry.valid
        assert other.text != entry.text
        if not entry.valid and not entry.of_file:
            given, found = (text.split("\n")[line - 1] for text, line in ((entry.text, entry.line), (other.text, other.line)))
            assert ENDING.sub("", found) == given, entry.name
        if entry.of_file:
            assert other.line == 1


def test_names_of_parameters_change_everywhere_or_nowhere():
    text = "method: random\nrun_cap: 3\nparameters:\n  a: {distribution: beta, a: 2, b: 0.5}\n  g:\n    parameters:\n      b: {value: 1}\n"
    expected = {"parameters": {"a": {"a": 2.0}, "g.b": {}}, "run_cap": 3}
    other, _, content, _ = varied.varied(text, 0, expected, "", random.Random(1))
    first, second = content["parameters"]
    assert first != "a" and content["parameters"][first] == {"a": 2.0}
    assert f"  {first}: {{distribution: beta, a: 2, b: 0.5}}" in other
    assert all(f"{part}:" in other for part in second.split(".")) and f"run_cap: {content['run_cap']}\n" in other


@pytest.mark.parametrize("name", vocab.GOOD)
def test_pairs_of_the_given_files_are_those_worked_out_by_hand(name):
    lines, expected = vocab.GOOD[name]
    assert drawn_files.pairs_of(drawn_files.text_of(lines)) == expected


@pytest.mark.parametrize("kind", vocab.DAMAGED)
def test_a_damaged_file_is_damaged_in_the_line_that_is_named(kind):
    for seed in SEEDS:
        text, number = drawn_files.damaged(kind, random.Random(seed))
        lines = text.split("\n")[:-1]
        if kind == "malformed":
            with pytest.raises(ValueError):
                json.loads(lines[number - 1])
            continue
        found = [json.loads(line) for line in lines]
        wrong, others = found[number - 1], found[:number - 1] + found[number:]
        ids = [one["id"] for one in others if isinstance(one, dict) and "id" in one]
        if kind in ("cycle", "self_reply"):
            way = [wrong["id"]]
            while (target := next(one for one in found if one["id"] == way[-1])["reply-to"]) not in way:
                way.append(target)
            assert target == way[0] and all(found.index(one) >= number - 1 for one in found if one["id"] in way)
        else:
            assert {"no_object": lambda: not isinstance(wrong, dict), "no_id": lambda: "id" not in wrong, "no_text": lambda: "text" not in wrong,
                    "text_is_number": lambda: isinstance(wrong["text"], int), "unknown_target": lambda: wrong["reply-to"] not in ids,
                    "duplicate": lambda: wrong["id"] in [one["id"] for one in found[:number - 1]]}[kind]()


def test_bands_that_end_too_early_are_wrong():
    table = hyperband.EXAMPLE
    right = {"bands": [1, 2], "thresholds": [8, 7], "stop": [False, True, True, False, False]}
    assert hyperband.difference(table, right) == ""
    assert hyperband.difference(table, right | {"bands": [1], "thresholds": [8]}).startswith("bands")
    assert hyperband.difference(table, right | {"bands": [], "thresholds": []}).startswith("bands")
    endless = {**table, "rule": {"min_iter": 1, "eta": 2}}
    assert hyperband.near_bands(endless) == [1, 2, 4]  # the first that is beyond all histories is printed as well


@pytest.mark.parametrize("first", ("longest", "own"))
def test_marks_tell_in_which_step_a_sequence_begins(first):
    """Sequences of equal length begin together; of others the marks of the products differ."""
    words = "3 4 3 5 6 1"
    layers = [gru.Layer(words, gru.Marks(9, 18, one)) for one in ("all", first)]
    assert layers[0].lengths.tolist() != [4, 4, 4]
    states = [layer.results()["y"] for layer in layers]
    same = [b for b in range(3) if numpy.allclose(states[0][:, b], states[1][:, b])]
    shift = {"longest": layers[0].lengths.max() == 4, "own": False}[first]
    assert same == [b for b in range(3) if shift or layers[0].lengths[b] == 4]
