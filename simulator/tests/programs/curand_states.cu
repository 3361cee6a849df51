// Random numbers drawn in a kernel (curand_kernel.h) against the published generators: Philox 4x32-10 (Salmon et al.,
// "Parallel random numbers: as easy as 1, 2, 3", 2011) and xorwow (Marsaglia, "Xorshift RNGs", 2003).
#include <curand_kernel.h>

#include <math.h>

#include "check.cuh"

constexpr int kThreads = 256, kDraws = 6;
constexpr unsigned long long kSeed = 0x123456789abcdefull;

__global__ void philox(unsigned* out, float* uniform) {
  curandStatePhilox4_32_10_t state;
  curand_init(kSeed, threadIdx.x, 0, &state);
  for (int i = 0; i < kDraws; ++i) {
    out[threadIdx.x * kDraws + i] = curand(&state);
  }
  curand_init(kSeed, threadIdx.x, 4, &state);
  const float4 four = curand_uniform4(&state);
  uniform[threadIdx.x] = four.x;
}

struct Drawn {
  unsigned before[6];  // v[5], d
  unsigned numbers[kDraws];
  float normal;
};

__global__ void xorwow(Drawn* out) {
  curandState state;
  curand_init(kSeed, threadIdx.x, 3, &state);
  Drawn& mine = out[threadIdx.x];
  for (int i = 0; i < 5; ++i) {
    mine.before[i] = state.v[i];
  }
  mine.before[5] = state.d;
  for (int i = 0; i < kDraws; ++i) {
    mine.numbers[i] = curand(&state);
  }
  mine.normal = curand_normal(&state);
}

// Block `counter` of the stream `stream`.
void philox_on_host(unsigned long long counter, unsigned long long stream, unsigned out[4]) {
  unsigned c[4] = {static_cast<unsigned>(counter), static_cast<unsigned>(counter >> 32), static_cast<unsigned>(stream),
                   static_cast<unsigned>(stream >> 32)};
  unsigned key[2] = {static_cast<unsigned>(kSeed), static_cast<unsigned>(kSeed >> 32)};
  for (int round = 0; round < 10; ++round) {
    const unsigned long long a = 0xD2511F53ull * c[0], b = 0xCD9E8D57ull * c[2];
    const unsigned next[4] = {static_cast<unsigned>(b >> 32) ^ c[1] ^ key[0], static_cast<unsigned>(b),
                              static_cast<unsigned>(a >> 32) ^ c[3] ^ key[1], static_cast<unsigned>(a)};
    for (int i = 0; i < 4; ++i) {
      c[i] = next[i];
    }
    key[0] += 0x9E3779B9u;
    key[1] += 0xBB67AE85u;
  }
  for (int i = 0; i < 4; ++i) {
    out[i] = c[i];
  }
}

unsigned xorwow_on_host(unsigned s[6]) {
  const unsigned t = s[0] ^ (s[0] >> 2);
  for (int i = 0; i < 4; ++i) {
    s[i] = s[i + 1];
  }
  s[4] = (s[4] ^ (s[4] << 4)) ^ (t ^ (t << 1));
  s[5] += 362437;
  return s[4] + s[5];
}

int main() {
  unsigned* numbers = device_array<unsigned>(kThreads * kDraws);
  float* uniform = device_array<float>(kThreads);
  philox<<<1, kThreads>>>(numbers, uniform);
  check_launch();
  const std::vector<unsigned> drawn = to_host(numbers, kThreads * kDraws);
  const std::vector<float> fractions = to_host(uniform, kThreads);
  int right = 0, right_fractions = 0;
  for (int t = 0; t < kThreads; ++t) {
    unsigned blocks[8];
    philox_on_host(0, t, blocks);
    philox_on_host(1, t, blocks + 4);
    for (int i = 0; i < kDraws; ++i) {
      right += drawn[t * kDraws + i] == blocks[i];
    }
    right_fractions += fabs(fractions[t] - (blocks[4] + 0.5) / 4294967296.0) < 1e-7;  // in (0, 1]
  }
  printf("philox %d of %d, uniform %d\n", right, kThreads * kDraws, right_fractions);

  Drawn* states = device_array<Drawn>(kThreads);
  xorwow<<<1, kThreads>>>(states);
  check_launch();
  right = 0;
  double sum = 0, squares = 0;
  for (Drawn& mine : to_host(states, kThreads)) {
    for (const unsigned number : mine.numbers) {
      right += number == xorwow_on_host(mine.before);
    }
    sum += mine.normal;
    squares += mine.normal * mine.normal;
  }
  // 256 samples: the mean's deviation is 1/16, that of the variance 0.088; four of each.
  printf("xorwow %d of %d, normal %d\n", right, kThreads * kDraws,
         fabs(sum / kThreads) < 0.25 && fabs(squares / kThreads - 1) < 0.36);
}
