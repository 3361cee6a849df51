// batch_norm SEED PIXELS CHANNELS: y of two training batches, running statistics, y with these, dx, dgamma, dbeta.
#include "harness/check.hpp"

int main(int argc, char** argv) {
  if (argc != 4) {
    check::fail("usage: batch_norm SEED PIXELS CHANNELS");
  }
  const auto seed = static_cast<uint64_t>(std::atoll(argv[1]));
  const int64_t pixels = std::atoll(argv[2]);
  const int channels = std::atoi(argv[3]);
  const int64_t size = pixels * channels;
  std::vector<float> x = check::values(seed, 0, size), x2 = check::values(seed, 1, size),
                     dy = check::values(seed, 2, size);
  std::vector<float> gamma = check::values(seed, 3, channels), beta = check::values(seed, 4, channels);
  std::vector<float> mean(static_cast<size_t>(channels)), var(static_cast<size_t>(channels), 1.0F);
  for (int64_t i = 0; i < size; ++i) {
    x[static_cast<size_t>(i)] = x[static_cast<size_t>(i)] * static_cast<float>(1 + i % channels) + 3;
  }
  lab2::BatchNorm norm{channels, 1e-5F, 0.1F, gamma.data(), beta.data(), mean.data(), var.data(), {}, {}};
  check::Results results;
  std::vector<float> y(static_cast<size_t>(size), 7.0F), dgamma(gamma.size()), dbeta(beta.size());
  lab2::batch_norm_forward(norm, pixels, x2.data(), true, y.data());
  results.write(y);
  lab2::batch_norm_forward(norm, pixels, x.data(), true, y.data());
  results.write(y);
  results.write(mean);
  results.write(var);
  lab2::batch_norm_backward(norm, pixels, x.data(), dy.data(), dy.data(), dgamma.data(), dbeta.data());
  results.write(dy);
  results.write(dgamma);
  results.write(dbeta);
  lab2::batch_norm_forward(norm, pixels, x2.data(), false, y.data());
  results.write(y);
  results.write(mean);
  results.write(var);
  return 0;
}
