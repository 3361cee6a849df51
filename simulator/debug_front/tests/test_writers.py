"""Does `who` follow a value to where it comes from: through functions, memory of all kinds, launches, and to the host?"""
import functools
import re

import pytest
from debug_sessions import HERE, Session, compiled, line_of


line_with = functools.partial(line_of, (HERE / "chain.cu").read_text())
SQUARE, CALL, FILL, SHIFT, STEP, SCALE = map(line_with, (
    "return v * v", "= square(", "= in[blockIdx", "= tile[", "steps[k] =", "v[threadIdx.x] = v["))


@pytest.fixture(scope="module", params=["clang", "nvcc"])
def chain(request, tmp_path_factory):
    return compiled(request, tmp_path_factory, HERE / "chain.cu", "chain")


@pytest.fixture
def debug(chain):
    session = Session(chain, options=("--verify",))
    yield session
    session.close()


def places(text: str) -> list[tuple[str, int, str]]:
    """What, line, and thread of each writer."""
    return [(found[1].strip(), int(found[2]), found[3]) for found in re.finditer(
        r"^ *(?:from )?([^:\n]+): (?:launch \d+, )?chain\.cu:(\d+), block (\S+ thread \S+), state", text, re.MULTILINE)]


def test_a_value_is_followed_through_launches_shared_memory_and_a_function_to_the_host(debug):
    debug("break scale if threadIdx.x == 40")
    debug("run")
    text = debug("who/8 v[40]")
    steps = {(line, thread) for _, line, thread in places(text)}
    assert {(SHIFT, "(1,0,0) thread (8,0,0)"), (FILL, "(1,0,0) thread (9,0,0)"), (CALL, "(0,0,0) thread (41,0,0)"),
            (SQUARE, "(0,0,0) thread (41,0,0)")} <= steps
    assert "v[40]: launch 2, " in text and "from tile[9] = 1681: launch 2, " in text
    assert "from in[41] = 1681: launch 1, " in text
    assert "from in[41] = 41: written by a copy from the host, before the first launch" in text


def test_a_local_array_is_named_by_element_and_writer(debug):
    debug(f"tbreak chain.cu:{SCALE} if threadIdx.x == 41")
    debug("run")
    debug("next")
    text = debug("who v[41]")
    assert ("steps[1] = 11", STEP, "(0,0,0) thread (41,0,0)") in places(text)


def test_shared_memory_that_nobody_wrote_is_called_so(debug):
    debug(f"break chain.cu:{SHIFT} if blockIdx.x == 1 && threadIdx.x == 31")
    debug("run")
    assert "tile[32]: no thread of this block has written it: it is uninitialised shared memory" in debug("who tile[32]")


def test_memory_that_only_a_fill_has_written_is_the_hosts(debug):
    debug("break scale")
    debug("run")
    assert debug("who v[64]").strip() == "v[64]: written by a fill with 0x0 (cudaMemset), before the first launch"
    assert "neither a kernel nor a copy has written it" in debug("who v[80]")


def test_origin_begins_at_the_last_writer_whatever_launch_it_is_in(debug):
    address = re.search(r"at 0x([0-9a-f]+)", debug("run"))[1]
    debug("break squares")
    text = debug(f"origin 3 {int(address, 16) + 4 * 40} 4")
    assert "[launch 3: " in text and f"chain.cu:{SCALE}" in text and "thread (40,0,0)" in text
    assert "print" in debug("help print") and debug("print v[40]").strip().endswith("= 1681")  # in front of it
    text = debug(f"origin 3 {int(address, 16) + 4 * 64} 4")
    assert "written by a fill with 0x0" in text and "state 0]" in text
    assert "makes no launch 4" in debug(f"origin 4 {int(address, 16)} 4")
    assert "origin takes the number of a launch" in debug("origin 1")
    assert "Breakpoint 1" in debug("run")  # they are still there


def test_catch_end_stops_behind_each_kernel_from_where_one_can_go_back(debug):
    debug("catch end")
    assert "the end of the launch" in debug("run")
    assert f"chain.cu:{CALL}" in debug("reverse-step 3") or "squares" in debug("backtrace")
    assert "the end of the launch" in debug("continue")
    assert "[launch 2: shift" in debug("continue")
    debug("catch none")
    assert "ended with status 0" in debug("continue")


TWICE = """#include <cuda_runtime.h>
__global__ void twice(int* out) {
  __shared__ int tile[32];
  volatile int mine[2];
  int i = threadIdx.x;
  mine[1] = i; tile[i] = i; out[i] = i;
  int between = i;
  mine[1] = between + 1; tile[i] = between + 1; out[i] = between + 1;
  out[i + 32] = mine[1] + tile[i];
}
int main() {
  int* out;
  cudaMalloc(&out, 64 * sizeof *out);
  twice<<<1, 32>>>(out);
  return cudaDeviceSynchronize();
}
"""


@pytest.fixture(scope="module", params=["clang", "nvcc"])
def twice(request, tmp_path_factory):
    return compiled(request, tmp_path_factory, TWICE, "twice")


def test_of_several_writers_the_last_one_before_this_state_is_named(twice):
    debug = Session(twice)
    for stop, writer in (("out[i + 32]", "between + 1; tile"), ("int between", "mine[1] = i;")):
        line, wanted = (next(number for number, text in enumerate(TWICE.splitlines(), 1) if words in text) for words in (stop, writer))
        debug(f"tbreak twice.cu:{line} if i == 20")
        debug("run")
        for value in ("mine[1]", "tile[20]", "out[20]"):
            assert f"{value}: twice.cu:{wanted}, block (0,0,0) thread (20,0,0), state" in debug(f"who/1 {value}")
    debug.close()


def test_a_register_of_a_kernel_is_not_one_of_that_name_in_a_function_it_called(session):
    kernel, store = (line_of((HERE / "threads.cu").read_text(), text) for text in ("void work(", "out[i] = value;"))
    debug = session()
    debug(f"break threads.cu:{store}")
    debug("run")
    names = re.findall(r"^(%[rf]\d+) ", debug("info registers all"), re.MULTILINE)
    assert len(names) > 5
    for name in names:
        found = re.match(rf"{name}: threads\.cu:(\d+), block", debug(f"who/1 {name}"))
        assert not found or kernel <= int(found[1]) <= store, found[0]
