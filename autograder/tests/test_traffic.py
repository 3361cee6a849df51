"""What moved, on counters made by hand: every path counts, and a technique must have left its trace."""
from types import SimpleNamespace

import pytest
from hpml_autograder.metrics import ApiCall, Kernel
from hpml_autograder.traffic import ARGUMENTS, COUNTERS, LOCAL, REGISTERS, REQUESTS, SECTORS, SHARED, traffic, uncounted


def kernel(threads=64, **counters) -> Kernel:
    names = {"ld": SECTORS.format("global_op_ld"), "atom": SECTORS.format("global_op_atom"), "spill": SECTORS.format("local_op_ld"),
             "st": SECTORS.format("global_op_st"), "red": SECTORS.format("global_op_red"), "asked": REQUESTS.format("global_op_ld"),
             "shared_ld": SHARED.format("ld"), "shared_st": SHARED.format("st"), "registers": REGISTERS,
             "local": LOCAL}
    values = dict.fromkeys(COUNTERS, 0.0) | {names[name]: float(value) for name, value in counters.items()}
    return Kernel("k", (threads // 32, 1, 1), (32, 1, 1), 1.0, False, values)


def test_every_way_of_reading_and_of_writing_counts_once():
    moved = traffic(kernel(ld=1, atom=10, spill=100, st=1000, red=10000), kernel(ld=2))
    assert moved.sectors("ld") == 113 and moved.sectors("ld", spilled=False) == 13
    assert moved.sectors("st") == 11010


def test_less_than_the_data_is_named_with_what_is_missing():
    assert traffic(kernel(ld=4, st=1)).unmoved(128, 32) == ""
    assert "loads 96 bytes" in traffic(kernel(ld=3, st=1)).unmoved(128, 32)
    assert "stores 0 bytes" in traffic(kernel(ld=4)).unmoved(128, 32)


def test_tiles_are_known_by_their_stores_and_loads():
    assert traffic(kernel(shared_st=1, shared_ld=8)).untiled(stored=128, loaded=1024) == ""  # four floats each
    assert "32 stores to shared" in traffic(kernel(shared_st=1, shared_ld=8)).untiled(129, 1024)
    assert "0 loads from shared" in traffic(kernel(shared_st=1)).untiled(128, 1024)
    assert "stores to" in traffic(kernel(shared_st=1, shared_ld=8)).untiled(128, 1024, element=8)  # two doubles each


def test_a_few_rows_may_be_arrays_and_arguments_of_calls_are_none():
    moved = traffic(kernel(64, local=5 * 32 * 4 + ARGUMENTS))  # one row for each thread
    assert moved.not_in_registers(rows=64, length=32) == ""
    assert "40960 bytes" in moved.not_in_registers(rows=63, length=32)
    assert traffic(kernel(4096, local=ARGUMENTS)).not_in_registers(rows=1, length=1) == ""  # a warp for each row, and calls


def test_results_are_kept_in_registers_that_there_are():
    assert traffic(kernel(64, registers=40)).unblocked(256, least=4) == ""
    assert "64 threads make 255 results" in traffic(kernel(64, registers=40)).unblocked(255, least=4)
    assert "3 registers" in traffic(kernel(64, registers=3)).unblocked(256, least=4)


@pytest.mark.parametrize("call, named", [("cudaMemcpyToSymbol", True), ("cudaGetSymbolAddress", True), ("cudaCreateTextureObject", True),
                                         ("cudaMemcpyAsync", False), ("cudaFuncSetAttribute", False)])
def test_data_that_no_counter_sees_is_named(call, named):
    said = uncounted(SimpleNamespace(api=[ApiCall("cudaMalloc", 1.0, "cudaSuccess"), ApiCall(call, 1.0, "cudaSuccess")]))
    assert (call in said) == named and bool(said) == named
