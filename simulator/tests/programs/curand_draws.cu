// Every generator and distribution that a kernel can draw from (curand_kernel.h), from states that jumps have moved far.
// What is printed was recorded from NVIDIA's header: bits, uniform and Poisson numbers have to be the same, normal
// numbers, which come from the compiler's mathematical functions, but for their last places.
#include <curand_kernel.h>

#include "check.cuh"

constexpr int kThreads = 64;

struct Drawn {
  unsigned long long exact[12];
  double normal[8];
};

template <class State>
__device__ void draw(State* state, Drawn& out) {
  for (int i = 0; i < 3; ++i) {
    out.exact[i] = curand(state);
  }
  out.exact[3] = __float_as_uint(curand_uniform(state));
  out.exact[4] = __double_as_longlong(curand_uniform_double(state));
  out.normal[0] = curand_normal(state);
  out.normal[1] = curand_normal_double(state);
  out.normal[2] = curand_log_normal(state, 0.5f, 0.25f);  // another kind than the one kept: a new pair
  out.normal[3] = curand_normal_double(state);
  out.normal[4] = curand_log_normal_double(state, 0.5, 0.25);
  const double means[] = {0.3, 60, 700, 5000};
  for (int i = 0; i < 4; ++i) {
    out.exact[5 + i] = curand_poisson(state, means[i]);
  }
  out.exact[9] = curand(state);
}

template <class State>
__global__ void pseudorandom(Drawn* out, unsigned long long seed) {
  const unsigned long long t = threadIdx.x;
  State state;
  curand_init(seed, t * t * t * 1000003, t * 0x123456789ab, &state);
  skipahead(t * 123456789012, &state);
  skipahead_sequence(t % 8, &state);
  draw(&state, out[t]);
}

template <class State, class Directions, class Word>
__global__ void plain(Drawn* out, Directions* directions, Word offset) {
  State state;
  curand_init(directions[threadIdx.x % 4], offset * threadIdx.x, &state);
  draw(&state, out[threadIdx.x]);
}

template <class State, class Directions, class Word>
__global__ void scrambled(Drawn* out, Directions* directions, Word scramble) {
  State state;
  curand_init(directions[threadIdx.x % 4], scramble, Word(threadIdx.x), &state);
  skipahead(Word(1000), &state);
  draw(&state, out[threadIdx.x]);
}

__global__ void four_at_a_time(Drawn* out) {
  Drawn& mine = out[threadIdx.x];
  curandStatePhilox4_32_10_t state;
  curand_init(99, threadIdx.x, threadIdx.x, &state);
  const float4 uniform = curand_uniform4(&state);
  const double2 fine = curand_uniform2_double(&state);
  const uint4 counts = curand_poisson4(&state, 10), many = curand_poisson4(&state, 5000);
  const float4 normal = curand_normal4(&state), log_normal = curand_log_normal4(&state, 1, 0.5f);
  const float2 two = curand_normal2(&state), log_two = curand_log_normal2(&state, 1, 0.5f);
  const double2 fine_two = curand_normal2_double(&state), log_fine_two = curand_log_normal2_double(&state, 1, 0.5);
  mine.exact[0] = __float_as_uint(uniform.x) + __float_as_uint(uniform.w);
  mine.exact[1] = __double_as_longlong(fine.x) + __double_as_longlong(fine.y);
  mine.exact[2] = counts.x + 100 * counts.y + 10000 * counts.z + 1000000 * counts.w;
  mine.exact[3] = many.x + many.y * 10000ull + many.w * 100000000ull;
  mine.normal[0] = normal.x + 2 * normal.w;
  mine.normal[1] = log_normal.y + 2 * log_normal.z;
  mine.normal[2] = two.x + 2 * two.y;
  mine.normal[3] = log_two.x + 2 * log_two.y;
  mine.normal[4] = fine_two.x + 2 * fine_two.y;
  mine.normal[5] = log_fine_two.x + 2 * log_fine_two.y;
  const uint4 last = curand4(&state);
  mine.exact[4] = last.x ^ last.w;
}

void show(const char* name, Drawn* drawn) {
  check_launch();
  unsigned long long hash = 14695981039346656037ull;
  double sum = 0;
  for (const Drawn& one : to_host(drawn, kThreads)) {
    for (const unsigned long long word : one.exact) {
      hash = (hash ^ word) * 1099511628211ull;
    }
    for (const double number : one.normal) {
      sum += number;
    }
  }
  printf("%-20s %016llx %.3f\n", name, hash, sum);
  CHECK(cudaMemset(drawn, 0, kThreads * sizeof *drawn));
}

// Direction numbers: any odd number below 2^(k + 1) for the k-th one, at the upper end of the word.
template <class Word>
Word (*directions())[8 * sizeof(Word)] {
  constexpr int kBits = 8 * sizeof(Word);
  Word(*made)[kBits] = nullptr;
  CHECK(cudaMallocManaged(&made, 4 * sizeof *made));
  unsigned long long random = 1;
  for (int dimension = 0; dimension < 4; ++dimension) {
    for (int k = 0; k < kBits; ++k) {
      random = random * 6364136223846793005ull + 1442695040888963407ull;
      made[dimension][k] = (Word(random >> (64 - kBits)) | 1) << (kBits - 1 - k);
    }
  }
  return made;
}

int main() {
  Drawn* drawn = device_array<Drawn>(kThreads);
  pseudorandom<curandStateXORWOW_t><<<1, kThreads>>>(drawn, 0x123456789abcdef);
  show("XORWOW", drawn);
  pseudorandom<curandStatePhilox4_32_10_t><<<1, kThreads>>>(drawn, 0x123456789abcdef);
  show("Philox 4x32-10", drawn);
  pseudorandom<curandStateMRG32k3a_t><<<1, kThreads>>>(drawn, 0x123456789abcdef);
  show("MRG32k3a", drawn);
  pseudorandom<curandStateMRG32k3a_t><<<1, kThreads>>>(drawn, 0);
  show("MRG32k3a, seed 0", drawn);
  four_at_a_time<<<1, kThreads>>>(drawn);
  show("Philox, vectors", drawn);
  auto* words = directions<unsigned>();
  auto* long_words = directions<unsigned long long>();
  plain<curandStateSobol32_t><<<1, kThreads>>>(drawn, words, 1000u);
  show("Sobol32", drawn);
  plain<curandStateSobol64_t><<<1, kThreads>>>(drawn, long_words, 1000ull);
  show("Sobol64", drawn);
  scrambled<curandStateScrambledSobol32_t><<<1, kThreads>>>(drawn, words, 0x1234567u);
  show("Sobol32, scrambled", drawn);
  scrambled<curandStateScrambledSobol64_t><<<1, kThreads>>>(drawn, long_words, 0x123456789abcdefull);
  show("Sobol64, scrambled", drawn);
}
