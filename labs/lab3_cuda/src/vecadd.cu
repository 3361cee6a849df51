// Given, do not modify: launches the AddVectors() it is linked with. Run: vecadd00 V, vecadd01 V (V elements per thread)
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <vector>

#include "cuda_check.h"
#include "harness.h"
#include "timer.h"
#include "vecaddKernel.h"

namespace {

const int kBlocks = 60;
const int kThreads = 128;
const long kMostPerThread = 65536;
const float kTolerance = 1e-5f;

// A[i] = i, B[i] = n - i: every sum is n. That is exact up to n = 2^24 only, and it cannot tell one element from another:
// the grader chooses A[i] = (a i + b) mod 1009, B[i] = (c i + d) mod 2003.
void fill(std::vector<float>& a, std::vector<float>& b) {
  unsigned long f[4];
  const bool chosen = chosen_numbers(f, 4);
  const size_t n = a.size();
  for (size_t i = 0; i < n; ++i) {
    a[i] = static_cast<float>(chosen ? (f[0] * i + f[1]) % 1009 : i);
    b[i] = static_cast<float>(chosen ? (f[2] * i + f[3]) % 2003 : n - i);
  }
}

// Before the data is there: what a kernel remembers of its warm-up is of no use to the launch that counts.
void warm_up(const float* a, const float* b, float* c, int per_thread) {
  AddVectors<<<kBlocks, kThreads>>>(a, b, c, per_thread);
  CUDA_CHECK(cudaGetLastError());
  CUDA_CHECK(cudaDeviceSynchronize());
}

double launch_timed(const float* a, const float* b, float* c, size_t bytes, int per_thread) {
  guarded_poison(c, bytes);
  CUDA_CHECK(cudaDeviceSynchronize());
  start_timer();
  AddVectors<<<kBlocks, kThreads>>>(a, b, c, per_thread);
  CUDA_CHECK(cudaGetLastError());
  CUDA_CHECK(cudaDeviceSynchronize());
  stop_timer();
  return elapsed_seconds();
}

long count_errors(const std::vector<float>& a, const std::vector<float>& b, const std::vector<float>& c) {
  long errors = 0;
  for (size_t i = 0; i < c.size(); ++i) {
    errors += !(fabsf(c[i] - (a[i] + b[i])) <= kTolerance);  // NaN is an error, too
  }
  return errors;
}

}  // namespace

int main(int argc, char** argv) {
  const long per_thread = read_number(argv[0], "V, the elements per thread,", argc == 2 ? argv[1] : NULL, 1,
                                      kMostPerThread);
  const size_t n = static_cast<size_t>(kBlocks) * kThreads * static_cast<size_t>(per_thread);
  const size_t bytes = n * sizeof(float);
  std::vector<float> a(n), b(n), c(n);
  fill(a, b);

  float* on_gpu[3];
  for (float*& vector : on_gpu) {
    vector = static_cast<float*>(guarded_alloc(bytes));
  }
  warm_up(on_gpu[0], on_gpu[1], on_gpu[2], static_cast<int>(per_thread));
  CUDA_CHECK(cudaMemcpy(on_gpu[0], a.data(), bytes, cudaMemcpyHostToDevice));
  CUDA_CHECK(cudaMemcpy(on_gpu[1], b.data(), bytes, cudaMemcpyHostToDevice));
  const double seconds = launch_timed(on_gpu[0], on_gpu[1], on_gpu[2], bytes, static_cast<int>(per_thread));
  CUDA_CHECK(cudaMemcpy(c.data(), on_gpu[2], bytes, cudaMemcpyDeviceToHost));
  const long outside = guarded_written(on_gpu[2], bytes);
  for (float* vector : on_gpu) {
    guarded_free(vector);
  }

  const double flops = static_cast<double>(n);
  const double moved = 3.0 * sizeof(float) * static_cast<double>(n);
  printf("Total vector size: %zu\n", n);
  printf("Time: %.9f (sec), GFlopsS: %.6f, GBytesS: %.6f\n", seconds, flops / seconds * 1e-9, moved / seconds * 1e-9);
  dump_result(c.data(), bytes);
  const long errors = count_errors(a, b, c);
  if (errors > 0 || outside != 0) {
    printf("Test FAILED: number of errors: %ld", errors);
    if (outside != 0) {
      printf("; C[%ld] was written, but C has the elements 0 to %zu", outside, n - 1);
    }
    printf("\n");
    return 1;
  }
  printf("Test PASSED\n");
  return 0;
}
