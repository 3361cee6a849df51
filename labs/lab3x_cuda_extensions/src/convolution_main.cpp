// Given, do not modify. Run: im2col C,H,W,K
#include <algorithm>

#include "extension.h"

int main(int argc, char** argv) {
  Convolution s = {0, 0, 0, 0};
  if (argc != 2 || sscanf(argv[1], "%d,%d,%d,%d", &s.C, &s.H, &s.W, &s.K) != 4 || s.C < 1 || s.K < 1 || s.H < 1 ||
      s.W < 1 || s.H % 16 != 0 || s.W % 16 != 0) {
    fprintf(stderr, "usage: %s C,H,W,K with H and W multiples of 16\n", argv[0]);
    return 2;
  }
  const size_t pixels = static_cast<size_t>(s.H) * s.W;
  const size_t scratch = std::max(kTaps * s.C * pixels, static_cast<size_t>(16) * s.K * s.C);
  float* out = unwritten(s.K * pixels);
  convolve(to_gpu(make_data(s.C * pixels, 0)), to_gpu(make_data(static_cast<size_t>(s.K) * s.C * kTaps, 1)), out,
           unwritten(scratch), s);
  hand_over_from_gpu(out, s.K * pixels);
  return 0;
}
