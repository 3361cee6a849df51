"""The judges of sweep and export against figures that were worked out by hand, and against what must not pass."""
import json
import math
import random
import re
from types import SimpleNamespace

import lab6_analysis as analysis
import lab6_bayes as bayes
import lab6_evidence as evidence
import lab6_greedy as greedy_judge
import lab6_hyperband as hyperband
import lab6_latency_chart as latency_chart
import lab6_network as network
import lab6_onnx_file as onnx_file
import lab6_search as search
import lab6_sweep_file as sweep_file
import lab6_sweep_page as page
import numpy
import pytest
from hpml_autograder.lab import Case, Run, Verdict


def test_the_table_has_40_valid_and_60_invalid_files():
    entries = sweep_file.table()
    assert [sum(entry.valid for entry in entries), sum(not entry.valid for entry in entries)] == [40, 60]
    assert len({entry.name for entry in entries}) == len({entry.text for entry in entries}) == 100


def test_lines_of_errors_are_lines_of_the_file():
    assert all(1 <= entry.line <= max(1, entry.text.count("\n")) for entry in sweep_file.table() if not entry.valid)


def test_the_course_space_has_384_runs_in_the_order_of_the_specification():
    runs = search.grid(search.COURSE)
    assert len(runs) == 384
    assert runs[0] == {"clip": 0, "decoder_learning_ratio": 1, "lr": 1e-4, "optimizer": "adam", "teacher_forcing_ratio": 0}
    assert runs[1]["teacher_forcing_ratio"] == 0.5 and runs[3]["optimizer"] == "sgd"
    assert sum(run["clip"] == 0 for run in runs) == 96


def test_q_uniform_of_a_grid_ends_below_its_limit():
    assert search.steps({"distribution": "q_uniform", "min": 0, "max": 6, "q": 2}) == [0, 2, 4]


@pytest.mark.parametrize("u, a, b, expected", [(0.5, 1, 1, 0.5), (0.25, 2, 1, 0.5), (0.75, 1, 2, 0.5), (0.5, 3, 3, 0.5)])
def test_inverse_beta(u, a, b, expected):
    assert search.inverse_beta(u, a, b) == pytest.approx(expected, rel=1e-12)


def test_hyperband_example():
    table = hyperband.EXAMPLE
    assert hyperband.bands(table["rule"]) == [1, 2]
    assert [hyperband.threshold(table, band) for band in (1, 2)] == [8, 7]
    assert [hyperband.stopped(table, run) for run in table["runs"]] == [False, True, True, False, False]


def test_importance_of_a_perfect_order_and_of_perfect_groups():
    runs = [{"run": i, "state": "finished", "config": {"x": x, "kind": kind}, "history": [float(loss)]}
            for i, (x, kind, loss) in enumerate([(1, "a", 5), (2, "a", 4), (3, "b", 3), (4, "b", 1)])]
    rows = {row[0]: row for row in analysis.importance({"name": "loss"}, runs)}
    assert rows["x"][1:3] == ["spearman", pytest.approx(-1)]
    # groups (5, 4) and (3, 1): between 2 * (4.5 - 3.25)^2 * 2 = 6.25 of 8.75
    assert rows["kind"][1:3] == ["eta_squared", pytest.approx(6.25 / 8.75)]


def test_a_score_is_the_best_value_and_ties_go_to_the_lower_index():
    runs = [{"run": 5, "state": "finished", "history": [1, 3]}, {"run": 2, "state": "stopped", "history": [1, None]},
            {"run": 0, "state": "failed", "history": [0]}]
    assert analysis.best({"name": "loss"}, runs) == 1


def test_every_run_of_a_sweep_depends_on_earlier_ones_alone():
    sweep = {**analysis.SWEEP, "early_terminate": {"min_iter": 1, "eta": 2}}
    states = [run["state"] for run in analysis.expected_runs(sweep)]
    assert len(states) == 14 and states.count("failed") == 1 and 0 < states.count("stopped") < 13


def test_a_gru_of_the_file_is_the_network_s_cell():
    w = network.weights(3, 9, 4)
    net, x = network.Network(w), numpy.linspace(-1, 1, 8).reshape(2, 1, 4)

    def permuted(name):
        r, z, n = numpy.split(w[f"decoder.gru.{name}_l0"], 3)
        return numpy.concatenate([z, r, n])

    node = onnx_file.Node("GRU", [], [], {"linear_before_reset": 1})
    b = numpy.concatenate([permuted("bias_ih"), permuted("bias_hh")])[None]
    y, last = onnx_file.gru(node, x, permuted("weight_ih")[None], permuted("weight_hh")[None], b)
    expected = net.cell("decoder.gru", "l0", x[1], net.cell("decoder.gru", "l0", x[0], numpy.zeros((1, 4))))
    assert numpy.allclose(last[0], expected, atol=1e-14) and numpy.allclose(y[1, 0], expected, atol=1e-14)


def test_malformed_files_are_named_so():
    for data in (b"\xff", b"\x3a\x05ab", b"\x08" + b"\x80" * 12):
        with pytest.raises(onnx_file.Malformed):
            onnx_file.read(data)


def test_padding_changes_no_reply():
    net = network.Network(network.weights(5, 30, 8))
    questions = [network.question(5, i, 30) for i in range(6)]
    together, margins = network.greedy(net, questions)
    alone = [network.greedy(net, [words])[0][0] for words in questions]
    assert all(margin < 1e-9 or a == b for a, b, margin in zip(together, alone, margins))


def test_scripted_replies_have_all_lengths():
    lengths = {len(greedy_judge.scripted_reply(1, network.question(1, i, 24))) for i in range(200)}
    assert lengths == set(range(11))


def test_made_files_are_right_about_their_errors():
    draw = random.Random(1)
    made = [sweep_file.made(number, draw) for number in range(30)]
    for entry in made:
        assert entry.valid or entry.text.split("\n")[entry.line - 1].startswith(entry.words)


def test_the_page_of_a_sweep_needs_no_network_and_shows_every_run():
    runs = [{"run": i, "state": "finished", "config": {"lr": 10.0 ** -i, "optimizer": "a<b" if i else "adam"}, "history": [3.0, 2.0 - i],
             "metrics": {"loss": 1.0, "exact_match": 0.5 - 0.1 * i}} for i in range(3)]
    summary = {"metric": "loss", "goal": "minimize", "name": "s", "method": "grid", "best": 2,
               "importance": [{"parameter": "lr", "measure": "spearman", "value": 1.0, "runs": 3}]}
    text = page.page(runs, summary)
    assert "Run 2 has the best loss. Run 0 answers the most questions right: exact_match 0.5." in text
    assert not re.search(r"(src|href)=|https?:", text) and "a<b" not in text
    assert {int(number) for number in re.findall(r'<path data-run="(\d+)"', text)} == {0, 1, 2}
    assert json.loads(json.dumps(summary)) == summary and math.isfinite(page.Axis([1e-4, 1.0]).at(0.01))


def best_point(secret: int, seed: int) -> tuple[float, float]:
    grid = [(-5 + 15 * i / 60, 15 * j / 60) for i in range(61) for j in range(61)]
    return min(grid, key=lambda point: bayes.value_of(secret, seed, *point))


def test_the_minima_of_two_seeds_or_secrets_lie_apart():
    found = {best_point(secret, seed) for secret in (3, 4) for seed in range(7, 12)}
    assert len(found) > 7 and all(bayes.value_of(3, 7, *best_point(3, 7)) <= bayes.value_of(3, 7, *point) for point in found)


def bayes_verdict(points: list[tuple[float, float]]) -> Verdict:
    """What a program earns that proposes these points, all in all."""
    text = "".join(f"{x!r} {y!r}\n" for x, y in points)
    run = Run(Case("bayes", f"7 {bayes.SEEDS} {bayes.RUNS} 3"), "exit", 0, text)
    context = SimpleNamespace(spec=SimpleNamespace(limits=SimpleNamespace(wall_s=1)))
    return bayes.judge_bayes(None, context, [run]).verdict


def test_bayes_is_judged_by_its_points_alone():
    good = [point for seed in range(7, 7 + bayes.SEEDS) for point in [best_point(3, seed)] * bayes.RUNS]
    assert bayes_verdict(good) is Verdict.AC
    assert bayes_verdict([best_point(3, 7)] * len(good)) is Verdict.WA  # the minimum of one seed for all
    assert bayes_verdict([(-20.0, 0.0), *good[1:]]) is Verdict.WA       # outside the limits
    assert bayes_verdict(good[1:]) is Verdict.WA                        # a run is missing


def speed_verdict(eager: int, plain: int, exported: int) -> Verdict:
    """Of replies that are right and take this much processor time by each way."""
    seed, words, hidden, count, rounds = 3, 12, 4, 3, 5
    replies, _ = network.greedy(network.Network(network.weights(seed, words, hidden)),
                                [network.question(seed, i, words) for i in range((rounds - 1) * count, rounds * count)])
    lines = [f"{way} {time} {time}" for way, time in (("eager", eager), ("plain", plain), ("exported", exported))] * rounds
    text = "\n".join([*lines, *(" ".join(map(str, ("reply", *reply))) for reply in replies)])
    run = Run(Case("latency", f"{seed} {words} {hidden} {count} {rounds}"), "exit", 0, text)
    context = SimpleNamespace(spec=SimpleNamespace(limits=SimpleNamespace(wall_s=1)))
    return greedy_judge.judge_ratio(None, context, [run]).verdict


def test_files_must_be_as_fast_as_the_network_and_as_a_plain_loop():
    assert speed_verdict(eager=1000, plain=300, exported=400) is Verdict.AC
    assert speed_verdict(eager=1000, plain=900, exported=1150) is Verdict.PA  # slower than the network
    assert speed_verdict(eager=1000, plain=900, exported=1300) is Verdict.WA
    assert speed_verdict(eager=9000, plain=300, exported=900) is Verdict.WA   # a slow network excuses no slow loop


def test_the_latency_chart_has_a_bar_and_both_numbers_for_each_part_of_an_answer():
    table = ("median and p95, ms batch samples encoder decoder step sentence\n"
             "exported + fused 1 200 0.028 0.03 0.008 0.009 0.112 0.176\neager 64 200 1.1 1.2 0.2 0.3 4.904 6.674\n")
    rows = latency_chart.rows_of(table)
    assert [(row.name, row.batch) for row in rows] == [("exported + fused", 1), ("eager", 64)]
    assert rows[0].times_ms == ((0.028, 0.03), (0.008, 0.009), (0.112, 0.176))
    drawn = latency_chart.chart(rows)
    assert drawn.count("<rect") == 1 + 3 * len(rows) and "0.112 / 0.176" in drawn and "4.9 / 6.67" in drawn


def test_the_stored_evidence_has_a_row_for_every_configuration_and_says_what_the_handout_says():
    stored = (page.Path(evidence.__file__).parents[1] / "reference" / "evidence.tsv").read_text(encoding="utf-8")
    head, *lines = stored.splitlines()
    assert head == evidence.HEAD
    assert [line.split("\t")[:6] for line in lines] == [row.key.split("\t") for row in evidence.ROWS]
    last = {line.rsplit("\t", 2)[0]: float(line.split("/")[-1]) for line in lines}
    assert all(value < 0.1 for key, value in last.items() if "\tsgd\t" in key)  # sgd learns nothing in ten epochs
    assert last["0.005\tadam\t50\t1\t3\t0.1"] >= 0.9 > last["0.001\tadam\t50\t1\t1\t0.1"]
    assert evidence.differences(stored, stored) == []
    assert len(evidence.differences(stored, stored.replace("/0.95\n", "/0.20\n", 1))) == 1


def test_evidence_is_read_from_what_training_prints():
    printed = "epoch  5 of 10   loss 0.5   exact match 0.114   1.0 s, about 1 s left\nepoch 10 of 10   loss 0.1   exact match 0.950   2.0 s\n"
    assert evidence.results_of(printed, (5, 10)) == "0.11/0.95"
