// conv forward|backward|weights SEED N H W CI CO K STRIDE PAD: y, or dx and dw, or dw alone.
#include <string_view>

#include "harness/check.hpp"

int main(int argc, char** argv) {
  if (argc != 11) {
    check::fail("usage: conv forward|backward|weights SEED N H W CI CO K STRIDE PAD");
  }
  const std::string_view what = argv[1];
  const auto number = [&](int i) { return std::atoi(argv[i]); };
  const auto seed = static_cast<uint64_t>(std::atoll(argv[2]));
  const lab2::ConvShape s{number(3), number(4), number(5), number(6), number(7), number(8), number(9), number(10)};
  const int64_t images = int64_t{s.n} * s.h * s.w * s.ci, weights = int64_t{s.k} * s.k * s.ci * s.co,
                outputs = int64_t{s.n} * lab2::out_h(s) * lab2::out_w(s) * s.co;
  const std::vector<float> x = check::values(seed, 0, images), w = check::values(seed, 1, weights),
                           dy = check::values(seed, 2, outputs);
  check::Results results;
  if (what == "forward") {
    std::vector<float> y(static_cast<size_t>(outputs), 7.0F);  // every element must be written
    lab2::conv2d_forward(s, x.data(), w.data(), y.data());
    results.write(y);
    return 0;
  }
  std::vector<float> dx(static_cast<size_t>(images), 7.0F), dw(static_cast<size_t>(weights), 7.0F);
  lab2::conv2d_backward(s, x.data(), w.data(), dy.data(), what == "backward" ? dx.data() : nullptr, dw.data());
  if (what == "backward") {
    results.write(dx);
  }
  results.write(dw);
  return 0;
}
