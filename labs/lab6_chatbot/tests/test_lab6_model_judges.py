"""Do the judges of D1, M1, M2, M3 and P1 compute what is defined? Gradients against finite differences, counts against the
specification, random numbers against published ones."""
import json
from pathlib import Path

import lab6_answers as answers
import lab6_attention as attention
import lab6_corpus as corpus
import lab6_figures as figures
import lab6_gru as gru
import lab6_loss as loss
import lab6_profile_checks as profile
import lab6_random as random_numbers
import lab6_trained as trained
import numpy
import pytest
from lab6_data import BEFORE, first_wrong

LAB = Path(__file__).resolve().parents[1]
STEP = 1e-6


def slope(value_of, array: numpy.ndarray, place: tuple[int, ...]) -> float:
    """Central difference of value_of() by one element of an array that it reads."""
    kept = array[place]
    found = []
    for sign in (1, -1):
        array[place] = kept + sign * STEP
        found.append(value_of())
    array[place] = kept
    return (found[0] - found[1]) / (2 * STEP)


@pytest.mark.parametrize("reverse", (0, 1))
def test_gradients_of_the_gru_are_slopes(reverse):
    layer = gru.Layer(f"5 4 3 2 3 {reverse}")

    def value() -> float:
        found = layer.results()
        return float((found["y"] * layer.dy).sum() + (found["last"] * layer.d_last).sum())

    found = layer.results()
    for name, array, place, before in (
            ("dx", layer.x, (1, 2, 0), 0), ("d_start", layer.start, (1, 1), 0), ("dw_ih", layer.weights.w_ih, (4, 1), BEFORE),
            ("dw_hh", layer.weights.w_hh, (7, 2), BEFORE), ("db_ih", layer.weights.b_ih, (3,), BEFORE),
            ("db_hh", layer.weights.b_hh, (8,), BEFORE)):
        assert found[name][place] - before == pytest.approx(slope(value, array, place), abs=1e-7), name


@pytest.mark.parametrize("general", (0, 1))
def test_gradients_of_the_attention_are_slopes(general):
    layer = attention.Attention(f"3 2 4 3 5 {general}")
    found = layer.results()
    value = lambda: float((layer.results()["context"] * layer.d_context).sum())  # noqa: E731
    assert found["d_query"][1, 2, 3] == pytest.approx(slope(value, layer.query, (1, 2, 3)), abs=1e-7)
    assert found["d_keys"][0, 1, 2] - BEFORE == pytest.approx(slope(value, layer.key, (0, 1, 2)), abs=1e-7)
    if general:
        assert found["d_w"][2, 4] - BEFORE == pytest.approx(slope(value, layer.w, (2, 4)), abs=1e-7)


def test_the_gradient_of_the_loss_is_a_slope():
    masked = loss.Masked("9 3 4 7 0")
    value = lambda: masked.results()[0].sum() / masked.results()[2]  # noqa: E731
    for row in range(masked.rows):
        assert masked.results()[1][row, 3] == pytest.approx(slope(value, masked.logits, (row, 3)), abs=1e-7)


def test_the_random_numbers_are_philox():
    """kat_vectors of Random123: philox4x32-10, counter and key zero."""
    words = numpy.array([0xE169C58D6627E8D5, 0x9B00DBD8BC57AC4C], numpy.uint64)
    assert (random_numbers.uniforms(0, 0, 2) == (words >> numpy.uint64(11)).astype(float) * 2.0**-53).all()


def test_the_corpus_is_that_of_the_handout():
    pairs = corpus.synthetic_pairs(1)
    prepared = corpus.prepare(pairs)
    training, held_out = corpus.split(prepared)
    assert (len(pairs), len(training), len(held_out), len(prepared.words)) == (3360, 3001, 359, 258)
    assert max(len(side.split()) for pair in pairs for side in pair) == 8
    assert sum(answer.startswith("yes") and len(answer.split()) >= 4 and "love" not in answer for _, answer in pairs) == 180
    assert len({question for question, _ in pairs}) == len(pairs)


def test_the_normaliser_is_that_of_the_handout():
    assert corpus.normalise("Aren't you caf\u00e9-bound?") == "aren t you cafe bound ?"


def test_self_times_add_up_to_the_outer_spans():
    events = profile.hidden(7)
    rows = profile.rows_of(events)
    outer = [event for event in events if not any(
        other is not event and other[2] == event[2] and other[3] <= event[3] and event[3] + event[4] <= other[3] + other[4]
        for other in events)]
    assert sum(row[3] for row in rows) == sum(event[4] for event in outer)


@pytest.mark.parametrize("name", figures.FIGURES)
def test_figures_are_as_they_are_drawn(name):
    assert (LAB / "figures" / name).read_text(encoding="utf-8") == figures.FIGURES[name]()


def test_the_hot_spots_are_the_operators_with_most_multiplications():
    """H = 256, V = 7826, 64 pairs of 10 words: a GRU of input I makes 3 H (I + H) for each row, and the encoder has two directions."""
    h, rows = 256, 640
    macs = {"encoder.gru.l0": 2 * 3 * h * (h + h) * rows, "encoder.gru.l1": 2 * 3 * h * (2 * h + h) * rows,
            "decoder.gru": 2 * 3 * h * (h + h) * rows, "decoder.concat": 2 * h * h * rows, "decoder.out": h * 7826 * rows}
    assert macs["encoder.gru.l0"] + macs["encoder.gru.l1"] == pytest.approx(1.258e9, rel=1e-3)  # of the cost table
    first, second = sorted(macs, key=macs.get, reverse=True)[:2]
    assert (first, second) == (answers.HOT_FIRST, answers.HOT_SECOND[0])


def test_a_result_that_was_never_written_is_told():
    expected = numpy.array([1.0, 2.0])
    assert "got 7, which means that it was never written (1 of 2 wrong)" in first_wrong(numpy.array([1.0, 7.0]), expected, 1e-6)
    assert "expected 0, got 1" in first_wrong(numpy.array([1.0]), numpy.array([-0.0]), 1e-6)
    assert "got 3 (1 of 2 wrong)" in first_wrong(numpy.array([1.0, 3.0]), expected, 1e-6)


@pytest.mark.parametrize("header, words", [
    ({"tensors": [{"name": str(number), "rows": -1, "columns": 1} for number in range(3)]}, "less than nothing"),
    ({"tensors": [{"name": "a", "rows": 1 << 40, "columns": 1}]}, "buffer"),
    ({"tensors": [], "words": ["x" * 100] * 20000}, "megabytes")])
def test_a_checkpoint_that_asks_for_more_than_it_holds_is_refused(header, words):
    data = trained.MAGIC + json.dumps(header).encode() + b"\n" + bytes(64)
    with pytest.raises(ValueError, match=words):
        trained.read_checkpoint(data)
