// Integer atomics in global and shared memory, all operations, old values included.
#include "check.cuh"

__global__ void work(int* g, unsigned int* u, unsigned long long* big) {
  __shared__ int local;
  const int t = blockIdx.x * blockDim.x + threadIdx.x;  // 0 .. 255
  if (threadIdx.x == 0) {
    local = 0;
  }
  __syncthreads();
  atomicAdd(&g[0], t);
  atomicSub(&g[1], t);
  atomicMin(&g[2], 100 - t);
  atomicMax(&g[3], t * 3);
  atomicAnd(&g[4], ~(1 << (t % 8)));
  atomicOr(&g[5], 1 << (t % 10));
  atomicXor(&g[6], t);
  atomicInc(&u[0], 9);
  atomicDec(&u[1], 9);
  atomicMax(&u[2], 0x80000000u + t);
  atomicAdd(&big[0], 0x100000000ull);
  atomicMax(&big[1], static_cast<unsigned long long>(t) << 33);
  atomicAdd_block(&local, 2);
  for (int seen = g[7], assumed;;) {  // a CAS loop: multiply nothing, count threads
    assumed = seen;
    seen = atomicCAS(&g[7], assumed, assumed + 1);
    if (seen == assumed) {
      break;
    }
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    atomicAdd(&g[8], local);
    atomicExch(&g[9], 77);
  }
}

int main() {
  int* g = to_device(std::vector<int>{0, 0, 0, 0, 255, 0, 0, 0, 0, 0});
  unsigned int* u = device_array<unsigned int>(3);
  unsigned long long* big = device_array<unsigned long long>(2);
  work<<<4, 64>>>(g, u, big);
  check_launch();
  for (int value : to_host(g, 10)) {
    printf("%d\n", value);
  }
  for (unsigned int value : to_host(u, 3)) {
    printf("%u\n", value);
  }
  for (unsigned long long value : to_host(big, 2)) {
    printf("%llu\n", value);
  }
}
