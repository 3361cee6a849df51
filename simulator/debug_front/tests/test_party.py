"""Does a step of a warp or a block end when each of its threads has made it, and not before?"""
import re

import pytest
from debug_sessions import Session, compiled, line_of

SOURCE = """#include <cuda_runtime.h>
__global__ void parts(int* out) {
  __shared__ int tile[96];
  int i = threadIdx.x;
  if (i % 2 == 0) {
    tile[i] = i;
  } else {
    tile[i] = -i;
  }
  __syncthreads();
  out[i] = tile[95 - i];
}
int main() {
  int* out;
  cudaMalloc(&out, 96 * sizeof(int));
  parts<<<1, 96>>>(out);
  return cudaDeviceSynchronize();
}
"""
BRANCH, EVEN, ODD, BARRIER, STORE = (line_of(SOURCE, text) for text in ("if (i % 2", "= i;", "= -i;", "__syncthreads", "out[i] = tile"))


@pytest.fixture(scope="module", params=["clang", "nvcc"])
def parts(request, tmp_path_factory):
    return compiled(request, tmp_path_factory, SOURCE, "parts")


@pytest.fixture
def debug(parts):
    session = Session(parts, options=("--verify",))
    yield session
    session.close()


def lines(text: str) -> list[int]:
    """Where the groups of `warps` stand."""
    return [int(found) for found in re.findall(r"parts\.cu:(\d+)", text)]


def test_a_step_of_the_warp_takes_both_sides_of_a_branch(debug):
    debug(f"tbreak parts.cu:{BRANCH}")
    debug("run")
    debug("next warp")
    warps = debug("warps").splitlines()
    own = [int(re.search(r"parts\.cu:(\d+)", line)[1]) for line in warps[1:] if re.match(r"\*|     [.#]", line)]
    assert BRANCH not in own and min(own) > BRANCH, warps
    assert BRANCH - 2 in lines("\n".join(warps)) or BRANCH - 3 in lines("\n".join(warps))  # other warps have not begun


def test_a_step_of_the_block_takes_all_its_warps(debug):
    debug(f"tbreak parts.cu:{BRANCH}")
    debug("run")
    text = debug("barrier block")
    assert "thread (0,0,0)" in text  # the focus stays
    warps = debug("warps")
    assert min(lines(warps)) >= BARRIER and len(lines(warps)) == 3 and "waits" not in warps  # it has just opened
    debug("delete")
    assert "ended with status 0" in "".join(debug("next block") for _ in range(3))


def test_going_back_follows_one_thread_and_says_so(debug):
    debug(f"tbreak parts.cu:{STORE}")
    debug("run")
    assert "leave out `warp` and `block`" in debug("reverse-next block") and "'x' is no count" in debug("step warp x")
    assert f"parts.cu:{STORE}" in debug("stepi warp") and "ended with status 0" in debug("continue")
