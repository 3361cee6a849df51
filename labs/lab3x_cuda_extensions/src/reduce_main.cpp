// Given, do not modify. Run: reduction N
#include "extension.h"

int main(int argc, char** argv) {
  const int n = size_argument(argc, argv, 4);
  float* sum = to_gpu(std::vector<float>(1, 0.0f));
  reduce(to_gpu(make_data(static_cast<size_t>(n), 0, true)), sum, n);
  hand_over_from_gpu(sum, 1);
  return 0;
}
