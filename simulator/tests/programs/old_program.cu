// A program in the style of course solutions: no headers but stdio, removed names, short macros, exit in a cleanup.
// CHECK double_free
#define H 4
#define W 8
#define C 3
#define K 2
#define P 1
#define N 32
#define M 16
#define TILE 16
#define BLOCK_SIZE 16
#include <cuda_runtime.h>
#include <stdio.h>

float* d_data;

__global__ void fill(float* data) {
  const int i = blockIdx.x * BLOCK_SIZE + threadIdx.x;
  if (i < N) {
    data[i] = (float)(i * K) / H + C - P;
  }
}

void cleanup(int status) {
  cudaFree(d_data);
  exit(status);
}

int main() {
  float* data = (float*)malloc(N * sizeof(float));
  cudaMalloc((void**)&d_data, N * sizeof(float));
  fill<<<W, TILE>>>(d_data);
  cudaThreadSynchronize();
  cudaMemcpy(data, d_data, N * sizeof(float), cudaMemcpyDeviceToHost);
  float worst = 0;
  for (int i = 0; i < N; ++i) {
    worst = fmaxf(worst, fabs(data[i] - (i * 0.5f + 2)));
  }
  float* hint = NULL;
  cudaMallocManaged(&hint, 4096);
  cudaMemPrefetchAsync(hint, 4096, 0);
  cudaMemAdvise(hint, 4096, cudaMemAdviseSetReadMostly, 0);
  cudaFree(hint);
  printf("last %.1f, worst error %.1f, macros %d %s\n", data[N - 1], worst, M, cudaGetErrorString(cudaGetLastError()));
  free(data);
  cudaThreadExit();
  cleanup(0);
}
