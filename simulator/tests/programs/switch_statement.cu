// A dense and a sparse switch, with fall-through, one case per lane.
#include "check.cuh"

__device__ int dense(int x) {
  switch (x) {
    case 0: return 3;
    case 1: return x * 7;
    case 2: return x * x + 11;
    case 3: return -x;
    case 4: return x << 4;
    case 5: return x ^ 0x55;
    case 6: return 1000 / x;
    case 7: return x % 4;
    case 8: return ~x;
    default: return 99;
  }
}

__global__ void choose(int* out) {
  const int t = threadIdx.x;
  int value = dense(t % 11);
  switch (t * 1000) {
    case 3000: value += 1; [[fallthrough]];
    case 17000: value += 10; break;
    case 31000: value += 100; break;
    default: break;
  }
  out[t] = value;
}

int main() {
  int* out = device_array<int>(32);
  choose<<<1, 32>>>(out);
  check_launch();
  for (int value : to_host(out, 32)) {
    printf("%d ", value);
  }
  printf("\n");
}
