// optimizers KIND STEPS H0 H1 M0 M1 LR MOMENTUM DECAY: the path from theta = (1, -1) with the gradient h * (theta - m),
// in float and in double, step by step; then the number of moments.
#include <array>

#include "harness/check.hpp"

template <class T>
void trace(const lab2::OptimizerOptions& options, int steps, std::array<double, 2> h, std::array<double, 2> m,
           check::Results& results) {
  std::vector<T> theta = {1, -1}, gradient(2), a(2), b(2);
  for (int t = 1; t <= steps; ++t) {
    for (size_t i = 0; i < 2; ++i) {
      gradient[i] = static_cast<T>(h[i]) * (theta[i] - static_cast<T>(m[i]));
    }
    lab2::optimizer_step<T>(options, t, theta, gradient, a, b);
    results.write(theta);
  }
}

int main(int argc, char** argv) {
  if (argc != 10) {
    check::fail("usage: optimizers KIND STEPS H0 H1 M0 M1 LR MOMENTUM DECAY");
  }
  lab2::OptimizerOptions options{.kind = static_cast<lab2::OptimizerKind>(std::atoi(argv[1])),
                                 .lr = std::atof(argv[7]),
                                 .momentum = std::atof(argv[8]),
                                 .weight_decay = std::atof(argv[9])};
  const int steps = std::atoi(argv[2]);
  const std::array h{std::atof(argv[3]), std::atof(argv[4])}, m{std::atof(argv[5]), std::atof(argv[6])};
  check::Results results;
  trace<float>(options, steps, h, m, results);
  trace<double>(options, steps, h, m, results);
  results.write(std::vector<double>{static_cast<double>(lab2::moments(options.kind))});
  return 0;
}
