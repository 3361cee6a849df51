// E8. Given, do not modify. Run: qgemm_... M,N,K [fused]
#include <string.h>

#include "qgemm.h"

namespace {

std::vector<int8_t> numbers(size_t count, uint64_t which) {
  std::vector<int8_t> data(count);
  for (size_t i = 0; i < count; ++i) {
    data[i] = static_cast<int8_t>(random_bits(data_seed(), which, i) & 0xFF);
  }
  return data;
}

Requant scale_of() {
  const uint64_t bits = random_bits(data_seed(), 2, 0);
  return {static_cast<int32_t>(0x40000000u | (bits & 0x3FFFFFFFu)), 42, static_cast<int32_t>((bits >> 40) % 21) - 10};
}

}  // namespace

int main(int argc, char** argv) {
  Gemm shape = {0, 0, 0};
  const bool fused = argc == 3 && strcmp(argv[2], "fused") == 0;
  if (argc < 2 || argc > 3 || (argc == 3 && !fused) || sscanf(argv[1], "%d,%d,%d", &shape.m, &shape.n, &shape.k) != 3 ||
      shape.m < 64 || shape.n < 64 || shape.k < 64 || (shape.m | shape.n | shape.k) % 64 != 0 ||
      (shape.m | shape.n | shape.k) > 8191) {
    fprintf(stderr, "usage: %s M,N,K [fused], multiples of 64 up to 8128\n", argv[0]);
    return 2;
  }
  const size_t count = static_cast<size_t>(shape.m) * shape.n;
  const int8_t* a = to_gpu(numbers(static_cast<size_t>(shape.m) * shape.k, 0));
  const int8_t* bt = to_gpu(numbers(static_cast<size_t>(shape.n) * shape.k, 1));
  int8_t* small = fused ? unwritten<int8_t>(count) : NULL;
  int32_t* large = fused ? NULL : unwritten<int32_t>(count);
  const char* refused = fused ? qgemm_fused(a, bt, small, shape, scale_of()) : qgemm(a, bt, large, shape);
  if (refused != NULL) {
    fprintf(stderr, "%s: refused: %s\n", argv[0], refused);
    return 2;
  }
  if (fused) {
    hand_over(small, count);
  } else {
    hand_over(large, count);
  }
  return 0;
}
