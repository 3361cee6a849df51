"""Does the debugger say why a warp waits, from a run with time?"""
import functools
import re

import pytest
from debug_sessions import Session, compile_program, line_of

SOURCE = r"""
#include <cuda_runtime.h>
__global__ void pull(const float* in, float* out, int rows) {
  __shared__ float tile[64];
  float sum = 0;
  for (int row = 0; row < rows; ++row) {
    float value = in[row * 4096 + threadIdx.x];
    sum += value;
  }
  if (threadIdx.x < 32) {
    for (int k = 0; k < 3000; ++k) {
      sum = sum * 0.5f + 1;
    }
  }
  tile[threadIdx.x] = sum;
  __syncthreads();
  out[threadIdx.x] = tile[63 - threadIdx.x];
}
int main() {
  float *in, *out;
  cudaMalloc(&in, 8 * 4096 * sizeof(float));
  cudaMalloc(&out, 64 * sizeof(float));
  cudaMemset(in, 0, 8 * 4096 * sizeof(float));
  pull<<<1, 64>>>(in, out, 8);
  cudaDeviceSynchronize();
}
"""


line_with = functools.partial(line_of, SOURCE)


@pytest.fixture(scope="module")
def pull(tmp_path_factory):
    source = tmp_path_factory.mktemp("pull") / "pull.cu"
    source.write_text(SOURCE, encoding="utf-8")
    return compile_program(source, source.with_suffix(""), "clang", "-g")


def shares(text: str) -> dict[int, tuple[float, str]]:
    return {int(found[2]): (float(found[1]), found[3]) for found in re.finditer(r"([\d.]+) %  pull\.cu:(\d+) +(.*)", text)}


def cycles(text: str, reason: str) -> int:
    found = re.search(rf"(\d+) cycles .*\({reason}\)", text)
    return int(found[1]) if found else 0


def test_a_warp_waits_for_its_load_and_for_a_barrier(pull):
    """The debugger stands in the order of a run without time: what it says is of the same instruction of the warp."""
    debug = Session(pull)
    debug(f"break pull.cu:{line_with('sum += value')} if threadIdx.x == 40")
    debug("run")
    debug("delete")
    text = debug("stalls")
    while not cycles(text, "long_scoreboard") and f"pull.cu:{line_with('sum += value')}" in debug("stepi"):
        text = debug("stalls")
    assert "From one run of the whole launch with time" in text
    assert 10 < cycles(text, "long_scoreboard") < 2000 and "it uses what pull.cu:" in text
    debug(f"break pull.cu:{line_with('out[threadIdx.x]')} if threadIdx.x == 40")
    debug("continue")
    text = debug("stalls")
    used = shares(text)
    assert cycles(text, "barrier") > 10_000  # for the other warp, which computes
    assert used[line_with("out[threadIdx.x]")][1] == "100 % barrier" and used[line_with("out[threadIdx.x]")][0] > 30
    assert sum(share for share, _ in used.values()) <= 100.5
    assert debug("stalls") == text  # the same run every time
    assert debug.close() == 0


def test_without_a_thread_there_is_nothing_to_wait(pull):
    debug = Session(pull)
    assert "not running" in debug("stalls")
    debug("catch end")
    debug("run")
    assert "it waits for nothing" in debug("stalls")
    debug.close()
