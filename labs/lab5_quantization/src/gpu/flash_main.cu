// X. Given, do not modify. Run: flash N LENGTH CAUSAL OFFSET SCALE [backward]
#include <string.h>

#include "flash.h"

namespace {

// Numbers between -scale and scale, multiples of scale / 2^23.
std::vector<float> numbers(size_t count, uint64_t which, float scale) {
  std::vector<float> data(count);
  for (size_t i = 0; i < count; ++i) {
    const int32_t whole = static_cast<int32_t>(random_bits(data_seed(), which, i) >> 40) - (1 << 23);
    data[i] = static_cast<float>(whole) / static_cast<float>(1 << 23) * scale;
  }
  return data;
}

}  // namespace

int main(int argc, char** argv) {
  const bool backward = argc == 7 && strcmp(argv[6], "backward") == 0;
  const int n = argc == 6 || backward ? atoi(argv[1]) : 0;
  if (n < kBlock || n > 8192 || n % kBlock != 0 || atoi(argv[2]) < 0 || atoi(argv[2]) > n || atof(argv[5]) <= 0) {
    fprintf(stderr, "usage: %s N LENGTH CAUSAL OFFSET SCALE [backward]; N a multiple of %d up to 8192, LENGTH 0 to N\n",
            argv[0], kBlock);
    return 2;
  }
  const Mask mask = {atoi(argv[2]), atoi(argv[3]), atoi(argv[4])};
  const size_t count = static_cast<size_t>(n) * kHead;
  const float scale = static_cast<float>(atof(argv[5]));
  const float *q = to_gpu(numbers(count, 0, scale)), *k = to_gpu(numbers(count, 1, scale)),
              *v = to_gpu(numbers(count, 2, 1));
  // The result: O, or the derivatives by Q, K and V one after the other.
  const size_t results = backward ? 3 * count : count;
  float* out = unwritten<float>(results);
  if (backward) {
    flash_backward(q, k, v, to_gpu(numbers(count, 3, 1)), {out, out + count, out + 2 * count}, unwritten<float>(2 * n), n,
                   mask);
  } else {
    flash_attention(q, k, v, out, n, mask);
  }
  hand_over(out, results);
  return 0;
}
