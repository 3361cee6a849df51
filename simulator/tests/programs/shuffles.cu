// The four shuffles at every width, 32 and 64 bits: errors in the segment arithmetic are invisible at width 32.
#include "check.cuh"

template <int kWidth>
__device__ int* run(int* out, int lane) {
  const unsigned int all = 0xffffffffu;
  const int value = 1000 + lane;
  for (int k = 0; k < 5; ++k) {
    *out = __shfl_sync(all, value, lane * 5 + k, kWidth);
    out += 32;
    *out = __shfl_up_sync(all, value, k, kWidth);
    out += 32;
    *out = __shfl_down_sync(all, value, k, kWidth);
    out += 32;
    *out = __shfl_xor_sync(all, value, k, kWidth);
    out += 32;
    *out = static_cast<int>(__shfl_down_sync(all, value * 4294967296.0, k, kWidth) / 4294967296.0);
    out += 32;
  }
  return out;
}

__global__ void shuffle(int* out) {
  const int lane = threadIdx.x;
  out += lane;
  out = run<2>(out, lane);
  out = run<4>(out, lane);
  out = run<8>(out, lane);
  out = run<16>(out, lane);
  run<32>(out, lane);
}

// What the programming guide says each lane reads.
int expected(int mode, int lane, int k, int width) {
  const int first = lane / width * width;
  int source = lane;
  switch (mode) {
    case 0: source = first + (lane * 5 + k) % width; break;
    case 1: source = lane - k < first ? lane : lane - k; break;
    case 3: source = (lane ^ k) >= first + width ? lane : lane ^ k; break;
    default: source = lane + k >= first + width ? lane : lane + k; break;
  }
  return 1000 + source;
}

int main() {
  const int n = 5 * 5 * 5 * 32;
  int* out = device_array<int>(n);
  shuffle<<<1, 32>>>(out);
  check_launch();
  const std::vector<int> got = to_host(out, n);
  int i = 0, wrong = 0;
  for (int width = 2; width <= 32; width *= 2) {
    for (int k = 0; k < 5; ++k) {
      for (int mode = 0; mode < 5; ++mode) {
        for (int lane = 0; lane < 32; ++lane, ++i) {
          if (got[i] != expected(mode, lane, k, width)) {
            printf("width %d mode %d k %d lane %d: %d\n", width, mode, k, lane, got[i]);
            ++wrong;
          }
        }
      }
    }
  }
  printf("%d shuffled, %d wrong\n", i, wrong);
}
