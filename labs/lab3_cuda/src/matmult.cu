// Given, do not modify: launches the MatMulKernel() it is linked with. Run: matmult00 B, matmult01 B; the matrices have
// B * FOOTPRINT_SIZE rows and columns.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <vector>

#include "cuda_check.h"
#include "harness.h"
#include "matmultKernel.h"
#include "timer.h"

namespace {

const long kMostBlocks = 512;
const double kTolerance = 1e-4;  // relative to the element; to the largest one on data that the grader chooses

struct Problem {
  int n;
  bool chosen;
  std::vector<float> a, b, expected;
};

// A[y][x] = y, B[y][x] = x, so that C[y][x] = n x y: these matrices have rank one, any row of A and any column of B would
// do. The grader chooses floats from -8 to 8 without a pattern, and allows for any order of the additions.
Problem make_problem(int n) {
  const size_t count = static_cast<size_t>(n) * static_cast<size_t>(n);
  Problem p = {n, false, std::vector<float>(count), std::vector<float>(count), std::vector<float>(count)};
  unsigned long f[4];
  const bool chosen = p.chosen = chosen_numbers(f, 4);
  for (size_t i = 0; i < count; ++i) {
    const size_t y = i / static_cast<size_t>(n);
    const size_t x = i % static_cast<size_t>(n);
    p.a[i] = chosen ? full_float(f[0] * y + f[2] * x, scattered(i, f[1])) : static_cast<float>(y);
    p.b[i] = chosen ? full_float(f[2] * y + f[0] * x, scattered(i, f[3])) : static_cast<float>(x);
    p.expected[i] = static_cast<float>(n) * static_cast<float>(x) * static_cast<float>(y);
  }
  if (chosen) {  // the grader computes the product itself, too
    for (int y = 0; y < n; ++y) {
      for (int x = 0; x < n; ++x) {
        float sum = 0;
        for (int k = 0; k < n; ++k) {
          sum += p.a[static_cast<size_t>(y) * n + k] * p.b[static_cast<size_t>(k) * n + x];
        }
        p.expected[static_cast<size_t>(y) * n + x] = sum;
      }
    }
  }
  return p;
}

Matrix on_gpu(int n) {
  const size_t bytes = static_cast<size_t>(n) * static_cast<size_t>(n) * sizeof(float);
  return {n, n, n, static_cast<float*>(guarded_alloc(bytes))};
}

void upload(Matrix matrix, const std::vector<float>& data) {
  CUDA_CHECK(cudaMemcpy(matrix.elements, data.data(), data.size() * sizeof(float), cudaMemcpyHostToDevice));
}

// Before the data is there: what a kernel remembers of its warm-up is of no use to the launch that counts.
void warm_up(Matrix a, Matrix b, Matrix c, dim3 grid, dim3 block) {
  MatMulKernel<<<grid, block>>>(a, b, c);
  CUDA_CHECK(cudaGetLastError());
  CUDA_CHECK(cudaDeviceSynchronize());
}

double launch_timed(Matrix a, Matrix b, Matrix c, dim3 grid, dim3 block, size_t bytes) {
  guarded_poison(c.elements, bytes);
  CUDA_CHECK(cudaDeviceSynchronize());
  start_timer();
  MatMulKernel<<<grid, block>>>(a, b, c);
  CUDA_CHECK(cudaGetLastError());
  CUDA_CHECK(cudaDeviceSynchronize());
  stop_timer();
  return elapsed_seconds();
}

// Returns the number of wrong elements.
int check(const Problem& problem, const std::vector<float>& got, double* worst) {
  double largest = 0;
  for (const float value : problem.expected) {
    largest = fabs(value) > largest ? fabs(value) : largest;
  }
  int errors = 0;
  *worst = 0;
  for (size_t i = 0; i < got.size(); ++i) {
    const double difference = fabs(static_cast<double>(got[i]) - problem.expected[i]);
    const double of = problem.chosen ? largest : problem.expected[i];
    const double relative = of != 0 ? difference / of : difference;
    if (!(relative <= kTolerance)) {  // NaN is an error, too
      ++errors;
      *worst = relative > *worst || isnan(relative) ? relative : *worst;
    }
  }
  return errors;
}

}  // namespace

int main(int argc, char** argv) {
  const long blocks = read_number(argv[0], "B, the blocks in each direction,", argc == 2 ? argv[1] : NULL, 1,
                                  kMostBlocks);
  const int n = static_cast<int>(blocks) * FOOTPRINT_SIZE;
  const dim3 grid(static_cast<unsigned>(blocks), static_cast<unsigned>(blocks));
  const dim3 block(BLOCK_SIZE, BLOCK_SIZE);
  const Problem problem = make_problem(n);
  const Matrix a = on_gpu(n);
  const Matrix b = on_gpu(n);
  const Matrix c = on_gpu(n);
  std::vector<float> result(problem.expected.size());
  const size_t bytes = result.size() * sizeof(float);
  warm_up(a, b, c, grid, block);
  upload(a, problem.a);
  upload(b, problem.b);
  const double seconds = launch_timed(a, b, c, grid, block, bytes);
  CUDA_CHECK(cudaMemcpy(result.data(), c.elements, bytes, cudaMemcpyDeviceToHost));
  const long outside = guarded_written(c.elements, bytes);
  guarded_free(a.elements);
  guarded_free(b.elements);
  guarded_free(c.elements);

  const double flops = 2.0 * n * n * n;
  printf("Data dimensions: %dx%d\n", n, n);
  printf("Grid Dimensions: %ux%u\n", grid.x, grid.y);
  printf("Block Dimensions: %ux%u\n", block.x, block.y);
  printf("Footprint Dimensions: %dx%d\n", FOOTPRINT_SIZE, FOOTPRINT_SIZE);
  printf("Time: %.9f (sec), nFlops: %.0f, GFlopsS: %.6f\n", seconds, flops, flops / seconds * 1e-9);
  dump_result(result.data(), bytes);
  double worst = 0;
  const int errors = check(problem, result, &worst);
  if (errors > 0 || outside != 0) {
    printf("TEST FAILED: number of errors:  %d, max rel error: %f", errors, worst);
    if (outside != 0) {
      printf("; C.elements[%ld] was written, but C has the elements 0 to %d", outside, n * n - 1);
    }
    printf("\n");
    return 1;
  }
  printf("Test PASSED\n");
  return 0;
}
