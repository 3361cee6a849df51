#pragma once
// A synthetic data set in the CIFAR-10 file format: class c is a grating of angle (c mod 5) * 36 degrees and of
// frequency 2.5 (c < 5) or 4.5 cycles per image, under a Gaussian window, with random colours and noise. Mirroring an
// image changes its class, so flips must be off.
#include <cstdint>
#include <string>

#include "common/base/result.hpp"
#include "common/nn/data/dataset.hpp"

namespace hpml::nn {

// `shift` changes the parameters for tests of generalisation.
struct SyntheticOptions {
  uint64_t seed = 1;
  int count = 2000;
  double frequency_factor = 1.0, noise = 0.5;
};
// Image i has class i mod 10 and depends on (seed, i) alone.
Dataset synthetic_dataset(const SyntheticOptions& options);

// Writes data_batch_1.bin (seed), test_batch.bin (seed + 1), batches.meta.txt and dataset.toml into `folder`, which is
// created. Errors name the file.
Result<void> write_synthetic(const std::string& folder, uint64_t seed, int train_count, int test_count);

}  // namespace hpml::nn
