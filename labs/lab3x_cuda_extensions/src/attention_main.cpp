// Given, do not modify. Run: flash N
#include "extension.h"

int main(int argc, char** argv) {
  const int n = size_argument(argc, argv, 64);
  const size_t count = static_cast<size_t>(n) * kHead;
  std::vector<float> data[3];
  for (unsigned long i = 0; i < 3; ++i) {
    data[i] = make_data(count, i);
    for (float& value : data[i]) {
      value /= 8.0f;
    }
  }
  float* out = unwritten(count);
  attention(to_gpu(data[0]), to_gpu(data[1]), to_gpu(data[2]), out, n);
  hand_over_from_gpu(out, count);
  return 0;
}
