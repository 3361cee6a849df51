"""Programs whose launches depend on their data, for a score of record: one that iterates until its data converges runs again
with other data; one that tells its GPU what the host has computed gets no verdict, however it does so."""
import pytest
from hpml_autograder import pipeline, sandbox
from hpml_autograder.assignment import Request
from hpml_autograder.case import Case
from hpml_autograder.check import load_data
from hpml_autograder.paths import find_lab

pytestmark = pytest.mark.skipif(sandbox.detect().level < "L3", reason="a score of record needs root and bubblewrap")
ITERATES, CHOOSES_KERNELS, CHOOSES_INPUTS, STOPS_EARLY = 1, 2, 3, 4  # the first argument: how z is made
PROGRAM = r"""
#include <stdlib.h>
#include <vector>
#include "cuda_check.h"
#include "partb.h"

__global__ void first(const float* x, float* z, float* rest, const float* y) {
  z[threadIdx.x] = x[threadIdx.x];
  rest[threadIdx.x] = y[threadIdx.x];
}
// Adds up to 8; says whether there is more.
__global__ void step(float* z, float* rest, int* more) {
  const float part = fminf(rest[threadIdx.x], 8.0f);
  z[threadIdx.x] += part;
  rest[threadIdx.x] -= part;
  if (rest[threadIdx.x] > 0) {
    *more = 1;
  }
}
__global__ void bit0(float* z) { z[0] *= 2; }
__global__ void bit1(float* z) { z[0] = 2 * z[0] + 1; }
// Six bits of the sum are where the part that was uploaded begins in x.
__global__ void look(const float* x, const float* part, float* z) {
  for (int i = 0; i < 64; ++i) {
    if (x[i] == part[0] && x[i + 1] == part[1]) {
      z[0] = 64 * z[0] + i;
    }
  }
}

int main(int argc, char** argv) {
  const Options options = read_gpu_options(argc, argv);
  const int n = static_cast<int>(options.n);
  std::vector<float> x(n), y(n), z(n);
  fill_inputs(x.data(), y.data(), n);
  float *dx, *dy, *dz, *rest, *part;
  int* more;
  for (float** vector : {&dx, &dy, &dz, &rest, &part}) {
    CUDA_CHECK(cudaMalloc(vector, n * sizeof(float)));
  }
  CUDA_CHECK(cudaMalloc(&more, sizeof(int)));
  CUDA_CHECK(cudaMemcpy(dx, x.data(), n * sizeof(float), cudaMemcpyHostToDevice));
  CUDA_CHECK(cudaMemcpy(dy, y.data(), n * sizeof(float), cudaMemcpyHostToDevice));
  first<<<1, n>>>(dx, dz, rest, dy);
  if (options.grid == 1 || options.grid == 4) {
    int going = options.grid == 1 || x[1] == 1;
    while (going != 0) {
      CUDA_CHECK(cudaMemset(more, 0, sizeof(int)));
      step<<<1, n>>>(dz, rest, more);
      CUDA_CHECK(cudaMemcpy(&going, more, sizeof(int), cudaMemcpyDeviceToHost));
    }
  }
  for (int i = 0; i < n && options.grid == 2; ++i) {
    CUDA_CHECK(cudaMemset(dz + i, 0, sizeof(float)));
    for (int bit = 11; bit >= 0; --bit) {
      (static_cast<int>(x[i] + y[i]) >> bit & 1 ? bit1 : bit0)<<<1, 1>>>(dz + i);
    }
  }
  for (int i = 0; i < n && options.grid == 3; ++i) {
    const int sum = static_cast<int>(x[i] + y[i]);
    CUDA_CHECK(cudaMemset(dz + i, 0, sizeof(float)));
    for (const int begin : {sum / 64, sum % 64}) {
      CUDA_CHECK(cudaMemcpy(part, x.data() + begin, 16 * sizeof(float), cudaMemcpyHostToDevice));
      look<<<1, 1>>>(dx, part, dz + i);
    }
  }
  CUDA_CHECK(cudaMemcpy(z.data(), dz, n * sizeof(float), cudaMemcpyDeviceToHost));
  print_checksum(z.data(), n);
}
"""


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    source = tmp_path_factory.mktemp("hand-in")
    (source / "vecaddgpu00.cu").write_text(PROGRAM, encoding="utf-8")
    request = Request("lab3", source, cuda="clang", only="B2.correct.one_block", trusted=True)
    prepared = pipeline.prepare(request, lambda text: None, tmp_path_factory.mktemp("scratch"))
    prepared.assignment.backends.take_data(load_data(find_lab("lab3").lab, prepared.context.spec), request.key, prepared.context.scope)

    def one(how: int, n: int):
        case = prepared.runner.resolve(Case("vecaddgpu00", f"{how} 32 1 --n {n}", dump=True))
        return prepared.runner.run_all([case])[case]
    return one


def test_who_iterates_until_it_converges_is_run_again_with_the_other_data(run):
    found = run(ITERATES, 10)
    assert (found.state, found.code, found.other_data, found.run_again) == ("exit", 0, True, True), found
    assert len(found.metrics.kernels) > 10, "the figures are those of the other data: the given data takes four launches"


@pytest.mark.parametrize("how, n", [(CHOOSES_KERNELS, 10), (CHOOSES_INPUTS, 80)])
def test_who_tells_the_gpu_a_result_by_its_choice_of_calls_is_pending(run, how, n):
    found = run(how, n)
    assert (found.state, found.run_again) == ("unrepeatable", False) and "makes other calls" in found.problem, found


def test_who_is_wrong_for_other_data_is_wrong(run):
    found = run(STOPS_EARLY, 10)
    assert (found.state, found.other_data, found.run_again) == ("exit", False, False), found
