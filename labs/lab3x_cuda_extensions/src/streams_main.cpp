// Given, do not modify. Run: streams N
#include "extension.h"

int main(int argc, char** argv) {
  const int n = size_argument(argc, argv, 8);
  std::vector<float> in = make_data(static_cast<size_t>(n), 0);
  std::vector<float> out(in.size());
  update_in_chunks(in.data(), out.data(), n);
  CUDA_CHECK(cudaGetLastError());
  CUDA_CHECK(cudaDeviceSynchronize());
  hand_over(out.data(), out.size());
  return 0;
}
