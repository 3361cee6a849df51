"""The judges' own numbers against other sources: published values, plain loops, finite differences."""
import itertools
import json
import re
from types import SimpleNamespace

import lab2_batch_norm as batch_norm
import lab2_conv as conv
import lab2_costs as costs
import lab2_loading as loading
import lab2_models as models
import lab2_optimize as optimize
import lab2_optimizers as optimizers
import lab2_trace_file as trace_file
import lab2_training as training
import numpy
import pytest
from hpml_autograder.case import Case, Run
from hpml_autograder.labspec import Test as LabTest
from hpml_autograder.verdict import Verdict
from lab2_data import values
from lab2_watched import Watched

# theta after steps 2 and 20 of the path of the handout: doubles that LibTorch 1.13 gives to 12 digits, and float bits.
GOLDEN = {
    "sgd": ((0.859862502500, 0.425057497500, 0.672123549382, 0.046889214380), "3f5c1ff3 3ed9a124 3f2c1049 3d400ee4"),
    "nesterov": ((0.787346584025, -0.250085384025, 0.559708848758, -0.249987500625), "3f498f8c be800b32 3f0f4915 be7ffcba"),
    "adagrad": ((0.837525738982, -0.834506850267, 0.539492735778, -0.430808417688), "3f566816 bf55a23d 3f0a1c32 bedc92e9"),
    "adadelta": ((0.999359439546, -0.999359394269, 0.993047117493, -0.993035494127), "3f7fd605 bf7fd605 3f7e3856 bf7e3795"),
    "adam": ((0.801186435508, -0.800625566224, 0.552753101517, -0.089830114615), "3f4d1a8e bf4cf5cc 3f0d8139 bdb7f8e0")}


@pytest.mark.parametrize("kind", optimizers.KINDS)
def test_paths_are_those_of_pytorch(kind):
    doubles, bits = GOLDEN[kind]
    words = optimizers.GIVEN.split()
    assert optimizers.path(kind, numpy.float64, words)[[1, 19]].ravel() == pytest.approx(doubles, abs=1e-12)
    got = optimizers.path(kind, numpy.float32, words)[[1, 19]].view(numpy.uint32).ravel()
    assert " ".join(f"{word:08x}" for word in got) == bits


def test_values_are_floats_of_both_signs():
    found = values(7, 0, 10000)
    assert (found == found.astype(numpy.float32)).all() and -1 <= found.min() < -0.99 and 0.99 < found.max() < 1


@pytest.mark.parametrize("words", ["1 2 5 4 2 3 3 2 1", "2 1 4 4 1 1 1 1 0", "3 2 6 5 3 2 2 3 0"])
def test_gradients_are_differences_of_the_forward_pass(words):
    """The loss sum(dy * y) is linear in x and in w, so its differences are exact."""
    case = conv.Convolution(words)
    dx, dw = case.by_input(case.weights, case.dy), case.by_weights(case.x, case.dy)
    for array, gradient, loss in ((case.x, dx, lambda x: (case.forward(x, case.weights) * case.dy).sum()),
                                  (case.weights, dw, lambda w: (case.forward(case.x, w) * case.dy).sum())):
        for place in numpy.ndindex(array.shape):
            unit = numpy.zeros_like(array)
            unit[place] = 1
            assert loss(unit) == pytest.approx(gradient[place], abs=1e-12)


def test_the_forward_pass_is_the_sum_of_its_definition():
    case = conv.Convolution("5 1 5 4 2 2 3 2 1")
    y = case.forward(case.x, case.weights)
    for n, oh, ow, co in numpy.ndindex(y.shape):
        total = sum(case.x[n, oh * 2 - 1 + i, ow * 2 - 1 + j, ci] * case.weights[i, j, ci, co]
                    for i in range(3) for j in range(3) for ci in range(2)
                    if 0 <= oh * 2 - 1 + i < 5 and 0 <= ow * 2 - 1 + j < 4)
        assert y[n, oh, ow, co] == pytest.approx(total, abs=1e-12)


def test_batch_norm_gradient_is_a_finite_difference():
    words = "3 6 2"
    expected = batch_norm.expected_of(words)
    x, dy, gamma = values(3, 0, 6, 2), values(3, 2, 6, 2), values(3, 3, 2)
    x = (x.astype(numpy.float32) * numpy.array([1, 2], numpy.float32) + numpy.float32(3)).astype(numpy.float64)

    def loss(batch):
        return (dy * gamma * (batch - batch.mean(axis=0)) / numpy.sqrt(batch.var(axis=0) + batch_norm.EPS)).sum()
    for place in numpy.ndindex(x.shape):
        step = numpy.zeros_like(x)
        step[place] = 1e-5
        assert (loss(x + step) - loss(x - step)) / 2e-5 == pytest.approx(expected["dx"][place], abs=1e-6)


def test_layer_counts_of_published_layers():
    first_of_vgg = costs.expected_layer("conv2d 224 224 3 64 3 1 1 1 1")
    assert first_of_vgg["macs"] == 86704128 and first_of_vgg["parameters"] == 1792
    second_of_alexnet = costs.expected_layer("conv2d 27 27 96 256 5 1 2 2 1")
    assert second_of_alexnet["parameters"] == 307456


def test_exchanges_of_resnet18_s_gradients():
    """44 695 848 bytes among 8 workers at 10 GB/s, in ms."""
    found = [models.paleo(f"exchange {kind} 8 44695848 10e9".split())[0][0] * 1e3 for kind in range(4)]
    assert found == pytest.approx([62.57, 26.82, 13.41, 7.82], abs=0.01)


def test_time_to_accuracy_of_six_seeds():
    """Epochs 5 6 5 4 4 5 to the threshold: mean 4.83, coefficient of variation 15.6 %."""
    curves = [",".join(["0.1"] * (epoch - 1) + ["0.9"] * (7 - epoch)) + "@1" for epoch in (5, 6, 5, 4, 4, 5)]
    runs, reached, mean, _, enough, cov, *_ = models.tta(["0.8", *curves])[0]
    assert (runs, reached, enough) == (6, 6, 1.0)
    assert mean == pytest.approx(4.8333, abs=1e-4) and cov == pytest.approx(0.156, abs=1e-3)


def test_an_interval_that_is_too_narrow_is_seen():
    reached = [4.0, 4.0, 5.0, 5.0, 5.0, 6.0]
    assert models.interval_problem([13 / 3, 16 / 3], reached) == "" and "low" in models.interval_problem([4.7, 5.3], reached)


def test_fused_groups_of_a_basic_block():
    assert optimize.groups_of(optimize.chain(shortcut=False, batch_norm=True)) == [
        [0, 1, 2], [3, 4, 5], [6, 7, 8, 9], [10], [11]]
    assert len(optimize.groups_of(optimize.chain(shortcut=True, batch_norm=False))) == 6


def test_memory_of_a_chain_is_two_buffers():
    assert optimize.greedy_peak([(64, i, i + 1) for i in range(10)]) == 128


def log_text(loss_of_epoch=2.0):
    lines = [json.dumps({"epoch": 0, "step": i, "samples": n, "loss": 2.0, "top1": 0.5})
             for i, n in enumerate([training.BATCH] * (training.TRAIN // training.BATCH) + [training.TRAIN % training.BATCH])]
    return "\n".join([*lines, json.dumps({"epoch": 0, "load_s": 1.0, "train_s": 2.0, "total_s": 3.1, "loss": loss_of_epoch,
                                          "top1": 0.5, "val_top1": 0.25})])


class Stdout:
    def __init__(self, text):
        self.stdout = text


def test_a_log_that_disagrees_with_its_steps_is_seen():
    assert training.log_problem(training.log_of(Stdout(log_text())), 1) == ""
    assert "loss" in training.log_problem(training.log_of(Stdout(log_text(loss_of_epoch=1.0))), 1)
    assert "expected 2 epochs" in training.log_problem(training.log_of(Stdout(log_text())), 2)


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity"])
def test_what_is_no_number_is_no_entry_of_a_log(number):
    """It is neither below nor above a bound, so a log of it would pass what compares it."""
    text = re.sub(r'"loss": [0-9.]+', f'"loss": {number}', log_text())
    assert training.log_of(Stdout(text)) == ([], [])


def test_counts_of_the_small_network_add_up():
    """12 501 632 MAC for width 16; a quarter of the products of all layers but the first and the last for width 8."""
    wide = {name: macs * (1 if name == "linear" else 4) for name, macs in trace_file.CONV_MACS.items()}
    wide["stem"], wide["linear"] = trace_file.CONV_MACS["stem"] * 2, trace_file.CONV_MACS["linear"] * 2
    assert sum(wide[name] * count for name, count in trace_file.COUNTS.items()) == 12501632


@pytest.mark.parametrize("wall_s, load_s, asleep_s, fine", [
    ((3.4, 1.2), (2.4, 0.3), (3.1, 2.8), True),    # 3 s of sleeps, hidden in part behind the training
    ((0.1, 0.1), (2.4, 0.3), (3.1, 2.8), False),   # a log that says more time than the program ran
    ((3.4, 3.4), (2.4, 2.3), (3.1, 0.0), False),   # eight workers that sleep one after the other
    ((9.4, 3.4), (8.4, 2.3), (3.1, 2.8), False),   # the same, beside one worker that is slow on purpose
    ((3.4, 1.2), (2.4, 0.3), (0.4, 0.4), False)])  # threads that sleep an eighth of the time
def test_times_of_a_log_are_held_against_the_grader_s_clock_and_the_kernel_s_word(monkeypatch, wall_s, load_s, asleep_s, fine):
    monkeypatch.setattr(training, "crowded", lambda said, checked: None)
    ends = [{"load_s": load, "train_s": 0.7, "total_s": load + 0.8} for load in load_s]
    seen = [Watched("", wall, 0.0, True, *asleep_s) for wall in wall_s]
    found = training.times_problem([Run(Case("lab2_worker", "watch {resnet} train"), "exit")] * 2, seen, ends, "")
    assert (found is None) == fine


@pytest.mark.parametrize("four_s, asleep_s, known, verdict", [
    (0.5, 1.6, True, Verdict.AC), (0.5, 0.4, True, Verdict.WA), (1.7, 1.6, True, Verdict.WA), (0.5, 0.0, False, Verdict.INC)])
def test_workers_overlap_if_their_sleeps_do(monkeypatch, four_s, asleep_s, known, verdict):
    """Whatever one worker takes."""
    monkeypatch.setattr(loading, "crowded", lambda said, checked: None)
    output = " ".join(map(str, loading.epoch_sums(7)))
    runs = [Run(Case("lab2_worker", "watch {loader} epoch 7"), "exit",
                stdout=json.dumps({"output": output, "wall_s": wall, "after_s": 0.0, "known": known, "asleep_s": asleep_s, "together_s": 0.0}))
            for wall in (0.05, 9.0, four_s)]
    context = SimpleNamespace(spec=SimpleNamespace(limits=SimpleNamespace(wall_s=9)))
    assert loading.judge_overlap(None, context, runs).verdict is verdict


def without_means(sums, scales=(0.02, 0.03, 0.05)):
    return [*sums[:2], *(sum * scale for sum, scale in zip(sums[2:], itertools.cycle(scales)))]


@pytest.mark.parametrize("change, loaded", [
    (without_means, True), (lambda sums: [*sums[:2], *([0.0] * len(sums[2:]))], False),
    (lambda sums: [sums[0] - 1, *sums[1:]], False), (lambda sums: [*sums[:5], *(1.01 * sum for sum in sums[5:])], False),
    (lambda sums: sums[:-1], False), (lambda sums: [*sums[:2], *([float("nan")] * len(sums[2:]))], False),
    (lambda sums: [*sums[:2], *sums[:1:-1]], False)])
def test_images_are_loaded_however_they_are_normalised(change, loaded):
    sums = loading.epoch_sums(7)
    assert loading.has_loaded(change(sums), sums) == loaded


def test_images_are_loaded_whichever_byte_stands_in_which_plane(monkeypatch):
    expected = loading.epoch_sums(7)
    monkeypatch.setattr(loading, "pixels", lambda rows: rows[:, 1:].reshape(-1, 32, 32, 3))
    interleaved = loading.epoch_sums(7)
    assert interleaved != expected and loading.has_loaded(without_means(interleaved), expected)


def batches_of(images: numpy.ndarray, order: numpy.ndarray):
    return SimpleNamespace(all=[[(None, order, images)]], images=len(order), shuffle=1, seed=7)


def test_batches_of_every_number_of_workers_are_made_of_the_images():
    rows, order = loading.records(7, 0, 40), numpy.random.default_rng(1).permutation(40)
    images = loading.normalised(loading.pixels(rows[order]))
    assert loading.made_of_nothing(batches_of(images, order)) == ""
    assert loading.made_of_nothing(batches_of(5 * images[..., ::-1] + 1, order)) == ""  # other mistakes cost other points
    nothing = "its images are not those of the records"
    for other in (0 * images, images[::-1], images * numpy.nan):
        assert loading.made_of_nothing(batches_of(other, order)) == nothing
    assert "at most once" in loading.made_of_nothing(batches_of(images, 0 * order))


@pytest.mark.parametrize("total, fine", [(1.02, True), (0.5, False), (2.0, False), (float("inf"), False), (float("nan"), False)])
def test_the_total_time_is_that_of_its_parts(total, fine):
    assert (loading.times_problem(0.4, 0.6, total, 0.4, 0.6) == "") == fine


def epochs(*totals_s: float, loss: float = 9 / 14) -> Run:
    text = "".join(f"step 3 0 10 0.5 0.1\nstep 3 1 4 1.0 0.5\nepoch 0.4 0.6 {total} {loss} {3 / 14}\nslept 0.4 0.6 updates 2\n"
                   for total in totals_s)
    return Run(Case("lab2_worker", "times {timers} 2 0 0 0"), "exit", stdout=text)


@pytest.mark.parametrize("run, verdict", [
    (epochs(1.0, 1.0, 1.0), Verdict.AC), (epochs(1.5, 1.0, 1.5), Verdict.AC), (epochs(1.5, 1.5, 1.5), Verdict.WA),
    (epochs(1.0, 1.0, 1.0, loss=0.75), Verdict.WA), (epochs(), Verdict.WA)])
def test_one_epoch_without_a_wait_is_enough_and_every_result_must_be_right(run, verdict):
    context = SimpleNamespace(spec=SimpleNamespace(limits=SimpleNamespace(wall_s=10)))
    assert loading.judge_times(SimpleNamespace(), context, [run]).verdict == verdict


@pytest.mark.parametrize("args, wall_s, after_s, said", [
    ("leave 2 10000", 1.4, 0.02, ""), ("leave 2 10000", 2.7, 0.02, "the epoch takes 2.56 s"),
    ("leave 8 2000", 9.0, 0.02, ""), ("leave 8 2000", 0.5, 0.3, "the destructor took 300 ms")])
def test_a_destructor_that_waits_for_the_epoch_is_seen_by_the_grader_s_clock(args, wall_s, after_s, said):
    own = loading.Watched(loading.LEAVES, wall_s, after_s, known=True, asleep_s=0.0, together_s=0.0)
    found = loading._stays(loading.watched(f"{{loader}} {args}"), own)
    assert said in found and bool(found) == bool(said)


def fake_steps(folder, case: Case, kind: str) -> Run:
    """A run of single steps with the results of `kind`, whichever optimizer was asked for."""
    path = folder / f"{case.args.split()[0]} {len(list(folder.iterdir()))}"
    steps = [optimizers.path(kind, dtype, case.args.split()[2:]) for dtype in (numpy.float32, numpy.float64)]
    path.write_bytes(b"".join(array.tobytes() for array in steps))
    return Run(case, "exit", dump=path)


@pytest.mark.parametrize("done_by, verdict, fraction, words", [
    ({}, Verdict.AC, 1.0, ""), ({"adam": "sgd"}, Verdict.PA, 0.8, "with adam do not count"),
    ({"adagrad": "sgd", "adadelta": "sgd", "adam": "sgd"}, Verdict.PA, 0.4, "with adagrad, adadelta, adam"),
    (dict.fromkeys(optimizers.KINDS, "none"), Verdict.WA, 0.0, "C6.sgd")])
def test_a_training_counts_if_its_optimizer_makes_the_right_steps(monkeypatch, tmp_path, done_by, verdict, fraction, words):
    """Plain SGD at another rate learns as little as Adam does, and its losses differ from those of all the others."""
    top1 = {"sgd": 0.5, "nesterov": 0.6}
    logs = [([{"epoch": 0, "loss": i}], [{"val_top1": top1.get(kind, 0.1)}]) for i, kind in enumerate(training.OPTIMIZERS)]
    monkeypatch.setattr(training, "logs_of", lambda context, runs, checked: logs)
    lab_test = LabTest("C6.training", "C6", "correct", "public", 2000, "train_optimizers")
    context = SimpleNamespace(for_record=False, seed=lambda test, i: 1, spec=SimpleNamespace(limits=SimpleNamespace(wall_s=1)))
    trainings = training.plan_optimizers(lab_test, context)
    steps = [case for case in trainings if case.program == "optimizers"]
    made = [fake_steps(tmp_path, case, kind if (kind := done_by.get(own, own)) != "none" else "adam" if own == "sgd" else "sgd")
            for case in steps for own in [optimizers.KINDS[int(case.args.split()[0])]]]
    runs = [*(Run(case, "exit") for case in trainings if case.program != "optimizers"), *made]
    outcome = training.judge_optimizers(lab_test, context, runs)
    assert (outcome.verdict, words in outcome.detail) == (verdict, True)
    assert verdict is Verdict.AC or outcome.fraction == pytest.approx(fraction)
