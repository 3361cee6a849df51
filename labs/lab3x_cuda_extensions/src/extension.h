#pragma once
// Given, do not modify: what the programs of the extensions share, and the functions that you write.
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

#include <vector>

#define CUDA_CHECK(call)                                                                         \
  do {                                                                                           \
    const cudaError_t status_ = (call);                                                          \
    if (status_ != cudaSuccess) {                                                                \
      fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(status_));           \
      exit(1);                                                                                   \
    }                                                                                            \
  } while (0)

// M1 to M6. C = A * B, all n x n, row by row, on the GPU; n is a multiple of 64.
void multiply(const float* A, const float* B, float* C, int n);
// R. *sum (0 at the start) += x[0] + ... + x[n-1], on the GPU; n is a multiple of 4.
void reduce(const float* x, float* sum, int n);

// A convolution of 3 x 3 with a rim of zeros, as neural networks have it (the filter is not flipped):
// out[k][y][x] = sum over c, j, i of filter[k][c][j][i] * image[c][y + j - 1][x + i - 1]. H and W are multiples of 16.
struct Convolution {
  int C, H, W, K;
};
const int kTaps = 9;  // of a filter, per channel
// I, W. On the GPU. `scratch` has room for max(9 C H W, 16 K C) floats.
void convolve(const float* image, const float* filter, float* out, float* scratch, Convolution shape);

// P. x[i] = 2 x[i] + 1 on the GPU; x is managed memory that the CPU has just written and will read.
void update_managed(float* x, int n);
// S. out[i] = 2 in[i] + 1; both are ordinary memory of the CPU, n is a multiple of 8.
void update_in_chunks(float* in, float* out, int n);

const int kHead = 32;  // length of a row of Q, K, V and O
// F. O = softmax(Q K^T / sqrt(kHead)) V on the GPU, all n x kHead; the softmax goes along the rows. 64 divides n.
void attention(const float* Q, const float* K, const float* V, float* O, int n);

// ---- for the given main programs ----

// Whether the grader chooses the data (HPML_DATA="a,b"), and the two numbers that they are drawn from.
inline bool data_is_drawn(unsigned long long* a, unsigned long long* b) {
  const char* text = getenv("HPML_DATA");
  if (text != NULL && sscanf(text, "%llu,%llu", a, b) != 2) {
    fprintf(stderr, "HPML_DATA must hold two numbers with a comma between them\n");
    exit(2);
  }
  return text != NULL;
}

// Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators (2014), SplitMix64.
inline unsigned long long mix_bits(unsigned long long z) {
  z += 0x9E3779B97F4A7C15ULL;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
  return z ^ (z >> 31);
}

// From -8 to 8. The given data are whole numbers; what the grader draws uses all 24 bits of a float, unless `whole`: then
// sums are exact in any order. `which` makes arrays differ.
inline std::vector<float> make_data(size_t count, unsigned long which, bool whole = false) {
  unsigned long long a = 7, b = 3;
  const bool drawn = data_is_drawn(&a, &b);
  const unsigned long long start = mix_bits(mix_bits(mix_bits(a) + b) + which);
  std::vector<float> data(count);
  for (size_t i = 0; i < count; ++i) {
    const unsigned long long bits = mix_bits(start + i);
    if (!drawn) {
      data[i] = static_cast<float>(((a + which) * i + i / 11 * (b + which)) % 17) - 8.0f;
    } else if (whole) {
      data[i] = static_cast<float>(bits % 17) - 8.0f;
    } else {
      data[i] = static_cast<float>(static_cast<long>(bits >> 40) - (1L << 23)) / static_cast<float>(1 << 20);
    }
  }
  return data;
}

inline int size_argument(int argc, char** argv, int multiple) {
  const long n = argc == 2 ? strtol(argv[1], NULL, 10) : 0;
  if (n < multiple || n > 1 << 24 || n % multiple != 0) {
    fprintf(stderr, "usage: %s N, a multiple of %d\n", argv[0], multiple);
    exit(2);
  }
  return static_cast<int>(n);
}

inline float* to_gpu(const std::vector<float>& data) {
  float* there = NULL;
  CUDA_CHECK(cudaMalloc(&there, data.size() * sizeof(float)));
  CUDA_CHECK(cudaMemcpy(there, data.data(), data.size() * sizeof(float), cudaMemcpyHostToDevice));
  return there;
}

// Device memory of NaNs: what a kernel does not write stays one.
inline float* unwritten(size_t count) {
  float* there = NULL;
  CUDA_CHECK(cudaMalloc(&there, count * sizeof(float)));
  CUDA_CHECK(cudaMemset(there, 0xFF, count * sizeof(float)));
  return there;
}

// Hands a result over to the grader, which names the file in HPML_DUMP.
inline void hand_over(const float* result, size_t count) {
  const char* path = getenv("HPML_DUMP");
  FILE* file = path != NULL ? fopen(path, "wb") : NULL;
  if (path != NULL && (file == NULL || fwrite(result, sizeof(float), count, file) != count || fclose(file) != 0)) {
    fprintf(stderr, "cannot write the result to %s\n", path);
    exit(3);
  }
  printf("done, the first element is %g\n", static_cast<double>(result[0]));
}

inline void hand_over_from_gpu(const float* there, size_t count) {
  CUDA_CHECK(cudaGetLastError());
  CUDA_CHECK(cudaDeviceSynchronize());
  std::vector<float> result(count);
  CUDA_CHECK(cudaMemcpy(result.data(), there, count * sizeof(float), cudaMemcpyDeviceToHost));
  hand_over(result.data(), count);
}
