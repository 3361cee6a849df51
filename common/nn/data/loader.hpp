#pragma once
// Batches of a data set, made by worker threads. The order of epoch e is a permutation from (seed, e) and the
// augmentation of a sample depends on (seed, e, sample), so batches are byte-identical for every number of workers.
#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include "common/nn/data/dataset.hpp"
#include "common/nn/tensor.hpp"

namespace hpml::nn {

struct LoaderOptions {
  int batch = 128;
  int workers = 2;   // 0: next() itself decodes
  int prefetch = 4;  // batches that may be ready or in the making at once, >= 1
  uint64_t seed = 1;
  bool shuffle = true;
  bool drop_last = false;  // leave out a last batch that is not full
  bool augment = false;    // random crop 32 out of the image with 4 zero pixels around it; mirrored half of the time
  int io_latency_us = 0;   // sleep per sample: storage that is slower than memory
};

struct Batch {
  View<const float> images;          // n x 32 x 32 x 3, normalised
  std::span<const int32_t> labels;   // n
  std::span<const int32_t> samples;  // n, which images of the data set they are
};

class DataLoader {
 public:
  virtual ~DataLoader() = default;  // joins the workers within 100 ms
  virtual int batches_per_epoch() const = 0;
  // Starts epoch `epoch` (>= 0): the next call of next() gives its first batch.
  virtual void start_epoch(int epoch) = 0;
  // The next batch, or nothing at the end of the epoch. The memory stays valid until the next call. An exception of a
  // worker is thrown here.
  virtual std::optional<Batch> next() = 0;
};

}  // namespace hpml::nn
