// Given, do not modify. Run: m1 N
#include "extension.h"

int main(int argc, char** argv) {
  const int n = size_argument(argc, argv, 64);
  const size_t count = static_cast<size_t>(n) * n;
  float* c = unwritten(count);
  multiply(to_gpu(make_data(count, 0)), to_gpu(make_data(count, 1)), c, n);
  hand_over_from_gpu(c, count);
  return 0;
}
