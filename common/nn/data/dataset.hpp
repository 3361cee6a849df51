#pragma once
// Images in the CIFAR-10 binary format: records of 3073 bytes, one label (0..9), then 1024 red, 1024 green and 1024
// blue values, each plane row-major 32x32. A folder holds data_batch_*.bin (training) and test_batch.bin.
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "common/base/result.hpp"

namespace hpml::nn {

constexpr int kImageSide = 32, kImagePlanes = 3, kClasses = 10;
constexpr int kImageBytes = kImageSide * kImageSide * kImagePlanes;
constexpr int kRecordBytes = kImageBytes + 1;

enum class Split : uint8_t { train, test };

struct Dataset {
  std::vector<uint8_t> records;  // count() * kRecordBytes, as in the files, in the order of their names

  int count() const { return static_cast<int>(records.size() / kRecordBytes); }
  int label(int i) const { return records[static_cast<size_t>(i) * kRecordBytes]; }
  std::span<const uint8_t> image(int i) const {
    return {records.data() + static_cast<size_t>(i) * kRecordBytes + 1, kImageBytes};
  }
};

// Normalisation of the original lab: (value/255 - mean) / deviation per channel (red, green, blue).
constexpr float kChannelMean[kImagePlanes] = {.4914F, .4822F, .4465F};
constexpr float kChannelDeviation[kImagePlanes] = {.2023F, .1994F, .2010F};

}  // namespace hpml::nn
