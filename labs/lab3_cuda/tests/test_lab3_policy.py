"""The policy judges, on records made by hand."""
import dataclasses
from types import SimpleNamespace

import lab3_policy as policy
import pytest
from hpml_autograder import traffic
from hpml_autograder.case import Case, Run
from hpml_autograder.metrics import ApiCall, Copy, Kernel, Metrics

LOADS, STORES = (traffic.SECTORS.format(f"global_op_{op}") for op in ("ld", "st"))
N = 1_000_000


def kernel(duration_us=63.0, grid=3907, block=256, faults=0.0, sectors=4.0, additions=N) -> Kernel:
    made = {f"smsp__sass_thread_inst_executed_op_{name}_pred_on.sum": count for name, count in (("fadd", additions), ("ffma", 0))}
    return Kernel("add", (grid, 1, 1), (block, 1, 1), duration_us, False,
                  {**dict.fromkeys(traffic.COUNTERS, 0.0), LOADS: sectors * 2 * N / 32, STORES: sectors * N / 32,
                   policy.FAULTS: faults, **made})


def call(name, result="cudaSuccess", duration_us=5.0) -> ApiCall:
    return ApiCall(name, duration_us, result)


EXPLICIT = Metrics("t4", (kernel(),), (Copy("HtoD", 4 * N), Copy("HtoD", 4 * N), Copy("DtoH", 4 * N)),
                   (call("cudaFree"), call("cudaMalloc"), call("cudaLaunchKernel")), {}, ())
MANAGED = Metrics("t4", (kernel(2500.0, faults=50.0), kernel()), (), (call("cudaFree"), call("cudaMallocManaged")),
                  {"host_to_device_bytes": 8 * N, "demand_paging": True}, ())
OLD = {"host_to_device_bytes": 12 * N, "demand_paging": False}
TEST = SimpleNamespace(params={"launches": 1, "limit": 4.5})
PRINTED00 = "GPU Memory Allocation Time : 0.005000 millisec\nExecution Time             : 0.070000 millisec\n"
PRINTED01 = ("Unified Memory Allocation Time : 0.005000 millisec\nExecution Time             : 2.510000 millisec\n"
             "Execution Time (warm)      : 0.070000 millisec\n")


def judge(function, metrics, stdout="", program="vecaddgpu00") -> str:
    return function(TEST, None, Run(Case(program, "0 256 1"), "exit", stdout=stdout), metrics)


def but(metrics: Metrics, **changes) -> Metrics:
    return dataclasses.replace(metrics, **changes)


def test_good_records_pass_every_judge():
    for function in (policy.launch, policy.sectors, policy.explicit):
        assert judge(function, EXPLICIT) == ""
    for function in (policy.managed, policy.faults):
        assert judge(function, MANAGED) == ""
    assert judge(policy.time, EXPLICIT, PRINTED00) == ""
    assert judge(policy.time, MANAGED, PRINTED01, "vecaddgpu01") == ""


@pytest.mark.parametrize("changes, words", [
    ({"kernels": (kernel(grid=3),)}, "expected 3907 blocks of 256 threads, got 3 blocks"),
    ({"kernels": (kernel(block=128),)}, "got 3907 blocks of 128"),
    ({"kernels": ()}, "expected at least 1 kernel launch"),
])
def test_a_wrong_launch_shape_is_named(changes, words):
    assert words in judge(policy.launch, but(EXPLICIT, **changes))


def test_a_launch_that_reads_or_writes_less_than_the_data_is_not_timed():
    assert "it loads 4000000 bytes" in judge(policy.time, but(EXPLICIT, kernels=(kernel(sectors=2.0),)), PRINTED00)


def test_what_is_read_by_atomics_counts_as_read():
    atomic = kernel()
    atomic.metrics[traffic.SECTORS.format("global_op_atom")] = atomic.metrics[LOADS]
    assert "8.00 sectors" in judge(policy.sectors, but(EXPLICIT, kernels=(atomic,)))


def test_scattered_accesses_are_named():
    assert judge(policy.sectors, but(EXPLICIT, kernels=(kernel(sectors=4.5),))) == ""
    assert "32.00 sectors" in judge(policy.sectors, but(EXPLICIT, kernels=(kernel(sectors=32.0),)))


@pytest.mark.parametrize("changes, words", [
    ({"copies": (Copy("HtoD", 4), Copy("DtoH", 4))}, "expected 2 copies"),
    ({"copies": (Copy("HtoD", 4), Copy("HtoD", 4))}, "expected 1 copy back"),
    ({"api": EXPLICIT.api + (call("cudaMallocManaged"),)}, "cudaMallocManaged"),
    ({"api": (call("cudaFree"),)}, "expected cudaMalloc"),
    ({"api": EXPLICIT.api + (call("cudaFree", "cudaErrorInvalidValue"),)}, "cudaFree failed with cudaErrorInvalidValue"),
    ({"leaks": (4, 8)}, "2 of its GPU allocations are never freed by cudaFree (12 bytes)"),
])
def test_a_wrong_use_of_explicit_memory_is_named(changes, words):
    assert words in judge(policy.explicit, but(EXPLICIT, **changes))


@pytest.mark.parametrize("changes, words", [
    ({"api": (call("cudaFree"),)}, "expected cudaMallocManaged"),
    ({"api": MANAGED.api + (call("cudaMemcpy"),)}, "expected no cudaMemcpy, got 1 call"),
    ({"api": MANAGED.api + (call("cudaMalloc"),)}, "it calls cudaMalloc"),
    ({"leaks": (4,)}, "never freed"),
])
def test_a_wrong_use_of_managed_memory_is_named(changes, words):
    assert words in judge(policy.managed, but(MANAGED, **changes))


@pytest.mark.parametrize("changes, words", [
    ({"kernels": (kernel(),)}, "expected a cold and a warm launch"),
    ({"kernels": (kernel(), kernel())}, "got 0: the data was moved before"),
    ({"kernels": (kernel(faults=5), kernel(faults=2))}, "got 2: something took the pages back"),
    ({"unified": {"host_to_device_bytes": 8 * N - 1, "demand_paging": True}}, f"expected {8 * N} to"),
    ({"unified": {"host_to_device_bytes": 12 * N + (6 << 20) + 1, "demand_paging": True}}, "moved to the GPU"),
    ({"gpu": "k80", "unified": OLD}, "expected no GPU page faults on k80"),
])
def test_faults_out_of_place_are_named(changes, words):
    assert words in judge(policy.faults, but(MANAGED, **changes))


def test_a_gpu_without_page_faults_passes_without_them():
    assert judge(policy.faults, but(MANAGED, gpu="k80", unified=OLD, kernels=(kernel(), kernel()))) == ""


@pytest.mark.parametrize("printed_us, right", [(89.2, True), (89.4, False), (36.8, True), (36.6, False)])
def test_a_printed_time_may_be_10_percent_and_20_us_off(printed_us, right):
    text = PRINTED00.replace("0.070000", f"{printed_us / 1000:.6f}")
    assert (judge(policy.time, EXPLICIT, text) == "") is right


def test_set_up_inside_the_allocation_time_is_named():
    metrics = but(EXPLICIT, api=(call("cudaMalloc"),))
    assert "call cudaFree(0) before the first timer" in judge(policy.time, metrics, PRINTED00)


def test_a_launch_that_leaves_work_out_is_not_timed():
    metrics = but(EXPLICIT, kernels=(kernel(additions=N - 1),))
    assert f"makes {N - 1} additions, {N} are needed at least" in judge(policy.time, metrics, PRINTED00)


def test_a_thread_that_adds_one_element_only_loses_no_time():
    metrics = but(EXPLICIT, kernels=(kernel(grid=1, additions=256),))
    run = Run(Case("vecaddgpu00", "1 256 1"), "exit", stdout=PRINTED00)
    assert policy.time(TEST, None, run, metrics) == ""


def test_a_warm_time_sold_as_cold_is_named():
    text = PRINTED01.replace("2.510000", "0.070000")
    assert "it prints Execution Time 0.070000 ms, the simulator measured 2.5" in judge(policy.time, MANAGED, text,
                                                                                     "vecaddgpu01")
