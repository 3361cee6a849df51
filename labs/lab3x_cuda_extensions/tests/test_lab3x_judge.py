"""The extensions' own quantities, on traces whose answer is known."""
from types import SimpleNamespace

import lab3x_judge
import lab3x_ways
import numpy
import pytest
from hpml_autograder import pipeline, sandbox
from hpml_autograder.case import Case, Run
from hpml_autograder.case import Copy as GpuCopy
from hpml_autograder.metrics import ApiCall, Copy, Metrics
from hpml_autograder.verdict import Verdict
from lab3x_judge import UPLOADED, copies_overlap, data, inputs, judge, plan


def trace(copies: list[float], *calls: tuple[str, float, float]) -> Metrics:
    api = tuple(ApiCall(name, duration, "cudaSuccess", start) for name, start, duration in calls)
    return Metrics("t4", (), tuple(Copy("HtoD", 4, duration) for duration in copies), api, {}, ())


def test_copies_that_run_at_once_take_less_than_their_sum():
    overlapped = trace([10, 10], ("cudaMalloc", 0, 5), ("cudaMemcpyAsync", 5, 1), ("cudaMemcpyAsync", 6, 1),
                       ("cudaStreamSynchronize", 7, 6), ("cudaStreamSynchronize", 13, 2), ("cudaFree", 15, 300))
    assert copies_overlap(overlapped) == pytest.approx((15 - 5) / 20)


def test_copies_in_a_row_take_their_sum_and_more_whatever_follows():
    in_a_row = trace([10, 10], ("cudaMemcpy", 5, 11), ("cudaMemcpy", 20, 11), ("cudaFree", 31, 300))
    assert copies_overlap(in_a_row) == pytest.approx((31 - 5) / 20)


def test_a_wait_that_another_call_hides_counts():
    hidden = trace([10, 10], ("cudaMemcpyAsync", 0, 1), ("cudaMemcpyAsync", 1, 1), ("cudaFree", 2, 20))
    assert copies_overlap(hidden) == pytest.approx(22 / 20)
    assert copies_overlap(trace([])) == 1.0


def test_every_program_has_inputs_of_its_own_numbers():
    sizes = {"im2col": "1,16,16,1", "winograd": "1,16,16,1"}
    for program in UPLOADED:
        given, other = (inputs(Case(program, sizes.get(program, "64"), env)) for env in ((), (("HPML_DATA", "5,6"),)))
        assert given and given != other and all(len(one) % 4 == 0 for one in given)


def test_drawn_data_follow_from_no_few_of_them_and_are_no_whole_numbers():
    drawn = data(4096, 1, (5, 6))
    assert len(set(drawn)) > 4090 and (drawn % 1 != 0).mean() > 0.99 and abs(drawn).max() <= 8
    assert (drawn.astype("float32") == drawn).all()
    whole = data(4096, 1, (5, 6), whole=True)
    assert (whole % 1 == 0).all() and sorted(set(whole)) == list(range(-8, 9))
    assert any((whole[:-17] != whole[17:])[:100])  # no period


@pytest.mark.parametrize("code, verdict", [(0, Verdict.AC), (1, Verdict.WA)])
def test_a_race_that_gives_the_right_numbers_is_wrong(code, verdict):
    context = SimpleNamespace(target="sim", spec=SimpleNamespace(limits=SimpleNamespace(wall_s=9)))
    test = SimpleNamespace(params={"program": "m6"}, shapes=["64"])
    watched = [case for case in plan(test, context) if case.check]
    runs = [Run(case, "exit", code, stderr="gpusim: racecheck: write after read hazard\n" * code) for case in watched]
    outcome = judge(test, context, runs)
    assert len(runs) == 1 and outcome.verdict is verdict and ("write after read hazard" in outcome.detail) == bool(code)
    assert not any(case.check for case in plan(test, SimpleNamespace(target="gpu")))  # the check tools are the simulator's


@pytest.mark.skipif(sandbox.detect().level < "L3", reason="a score of record needs root and bubblewrap")
def test_a_replay_takes_registered_memory_for_pinned_as_the_program_did(tmp_path):
    lasting = []
    for trusted in (False, True):
        request = pipeline.Request("lab3x", solution=True, cuda="clang", only="S.target", trusted=trusted)
        graded = pipeline.grade(request, scratch=tmp_path / str(trusted))
        assert all(outcome.verdict is Verdict.AC for outcome in graded.outcomes.values())
        run = next(run for case, run in graded.runner.runs.items() if case.args == "1048576")
        lasting.append([copy.duration_us for copy in run.metrics.copies])
    assert graded.standing == "record"
    assert lasting[0] == lasting[1] and len(lasting[0]) == 16


def test_about_half_of_the_numbers_change_in_shared_memory_once_and_no_index():
    values, key = data(4096, 0, (5, 6)), (0x9E3779B9 << 32) + 0x85EBCA6B
    there = lab3x_ways.changed(values, key)
    assert 0.4 < (there != values).mean() < 0.6 and set((there - values).round(3)) == {0, 16}
    assert (lab3x_ways.changed(there, key) == there).all()  # through shared memory a second time
    assert (lab3x_ways.changed(values, key + 2) != there).any()
    index = numpy.arange(4096, dtype=numpy.uint32).view(numpy.float32)
    assert (lab3x_ways.changed(index, key) == index).all()


def in_memory(tmp_path, values):
    path = tmp_path / "copy"
    numpy.asarray(values, dtype=numpy.float32).tofile(path)
    return [GpuCopy(path, 1)]


def test_a_product_follows_its_factors_in_shared_memory_or_is_made_another_way(tmp_path):
    case, seed = Case("m2", "64", (("HPML_DATA", "5,6"),)), 77
    words, wanted = lab3x_ways.technique(case, seed)
    a, b = lab3x_judge.matrices("64", (5, 6))
    through = lab3x_ways.changed
    assert words == ("--perturb", "shared:77")
    for right in (through(a, seed) @ through(b, seed), through(a, seed) @ b, a @ through(b, seed)):
        assert wanted.is_in(in_memory(tmp_path, right), 1)
    for other in (a @ b, 4 * (a @ b), numpy.full((64, 64), numpy.nan), through(a, seed + 2) @ through(b, seed + 2)):
        assert not wanted.is_in(in_memory(tmp_path, other), 1)


def test_a_sum_grows_by_what_shuffles_deliver(tmp_path):
    words, wanted = lab3x_ways.technique(Case("reduction", "1024", (("HPML_DATA", "5,6"),)), 1003)
    total = lab3x_judge.total("1024", (5, 6))[0]
    assert words == ("--perturb", "shuffles:1003")
    assert wanted.is_in(in_memory(tmp_path, [total + 31 * 503]), 1) and wanted.is_in(in_memory(tmp_path, [numpy.nan]), 1)
    assert not wanted.is_in(in_memory(tmp_path, [total]), 1) and not wanted.is_in([], 1)


def test_other_exercises_may_go_any_way():
    assert lab3x_ways.technique(Case("m1", "64"), 1) is None and lab3x_ways.technique(Case("flash", "64"), 1) is None
