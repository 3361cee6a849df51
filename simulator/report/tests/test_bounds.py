"""Does each kernel get the bound, the stalls and the hint that its figures call for?"""

import pytest
from hpml_report import stalls
from hpml_report.bounds import bounds, nearest, nearest_roof, verdict
from hpml_report.hints import hints
from hpml_report.metrics import outside_brackets


def launch(metrics, record, **what):
    return metrics(record(**what)).launches[0]


# 10 us at 100 GB/s of DRAM are 1,000,000 bytes, at 400 GB/s of L2 4,000,000, at 1000 GFLOP/s 10,000,000 operations.
@pytest.mark.parametrize("what, title, percent", [
    ({"dram": 900_000, "l2": 900_000}, "DRAM", 90), ({"dram": 1000, "l2": 3_000_000}, "L2", 75),
    ({"dram": 0, "l2": 0, "l1": 8_000_000}, "L1", 80), ({"flops": 7_000_000}, "FP32", 70),
    ({"flops": 4_000_000, "precision": "fp64"}, "FP64", 80), ({"flops": 64_000_000, "precision": "tensor"}, "tensor", 80)])
def test_the_nearest_bound_is_the_limit_used_most(metrics, record, what, title, percent):
    near = nearest(launch(metrics, record, **what))
    assert (near.title, near.percent) == (title, pytest.approx(percent))
    assert verdict(launch(metrics, record, **what)) == f"{title} {percent} %"


def test_a_kernel_far_from_every_limit_is_bound_by_latency(metrics, record):
    assert verdict(launch(metrics, record, dram=590_000, l2=0, l1=0)) == "latency (nearest limit: DRAM 59 %)"


def test_levels_that_were_not_modelled_are_no_bound(metrics, record):
    of = launch(metrics, record, dram=None, l2=None, l1=2_000_000)
    assert {bound.title for bound in bounds(of)} == {"L1", "FP32", "SM issue or pipe"}


def test_only_lines_of_the_chart_are_its_roofs(metrics, record):
    of = launch(metrics, record, **{"sm__throughput.avg.pct_of_peak_sustained_elapsed": 95.0})
    assert (nearest(of).title, nearest_roof(of).title) == ("SM issue or pipe", "DRAM")


def test_every_reason_belongs_to_one_group():
    named = [reason for group in stalls.GROUPS for reason in group.reasons]
    assert sorted(named) == sorted(stalls.MEANING)
    assert len(named) == len(set(named))


def test_groups_share_out_all_of_the_time(metrics, record):
    of = launch(metrics, record, stalls={"selected": 10, "barrier": 30, "long_scoreboard": 50, "short_scoreboard": 5,
                                         "something_new": 5})
    shares = {group.title: share for group, share in stalls.grouped(of)}
    assert sum(shares.values()) == pytest.approx(100)
    assert (shares["memory data"], shares["synchronisation"], shares["other"]) == pytest.approx((55, 30, 5))
    assert stalls.top(of)[0] == ("long_scoreboard", pytest.approx(50))


@pytest.mark.parametrize("what, word", [
    ({"l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum": 10,
      "l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_ld.ratio": 32.0,
      "smsp__sass_average_data_bytes_per_sector_mem_global_op_ld.pct": 12.5}, "neighbouring addresses"),
    ({"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum": 320,
      "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum": 310}, "97 % of the shared-memory passes are bank conflicts"),
    ({"smsp__thread_inst_executed_per_inst_executed.ratio": 4.0}, "4.0 of 32 lanes"),
    ({"launch__waves_per_multiprocessor": 0.1}, "10 % of the blocks"),
    ({"gpusim__fault_time_us.sum": 9.0, "gpusim__fault_groups.sum": 3}, "cudaMemPrefetchAsync"),
    ({"sm__maximum_warps_per_active_cycle_pct": 25.0, "launch__occupancy_limit_registers": 1,
      "launch__occupancy_limit_warps": 4}, "limited by registers"),
    ({"dram": 900_000}, "move fewer bytes"), ({"flops": 9_000_000}, "fewer or cheaper operations"),
    ({"stalls": {"selected": 1, "barrier": 99}}, "more work between barriers")])
def test_the_hint_names_what_is_wrong(metrics, record, what, word):
    assert word in " ".join(hints(launch(metrics, record, **what)))


def test_a_good_kernel_gets_no_false_hint(metrics, record):
    of = launch(metrics, record, **{"smsp__thread_inst_executed_per_inst_executed.ratio": 32.0,
                                    "launch__waves_per_multiprocessor": 8.0,
                                    "sm__maximum_warps_per_active_cycle_pct": 100.0})
    assert hints(of) == []


@pytest.mark.parametrize("full, head", [
    ("void matmul<16, (Kind)0>(float const*, int)", "void matmul<16,\u00a0(Kind)0>"), ("add", "add"),
    ("void (anonymous namespace)::f(int)", "void f"), ("a::b(int)", "a::b")])
def test_names_are_cut_at_their_arguments(full, head):
    assert outside_brackets(full) == head
