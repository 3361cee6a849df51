// Files, synthetic images, and the loader.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <numeric>
#include <set>

#include "common/nn/baseline/slots.hpp"
#include "common/nn/data/synthetic.hpp"

namespace hpml::nn {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

class DataFolder : public ::testing::Test {
 protected:
  // A blank and a letter that is no ASCII: paths are bytes.
  fs::path folder = fs::path(::testing::TempDir()) / ("hpml nn dätä " + std::to_string(::getpid()));
  Slots slots = baseline_slots();

  void SetUp() override { fs::create_directories(folder); }
  void TearDown() override { fs::remove_all(folder); }

  void write(const std::string& name, const std::vector<uint8_t>& bytes) const {
    std::ofstream(folder / name, std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  }
  std::string error(Split split) const {
    const auto dataset = slots.read_dataset(folder.string(), split);
    return dataset.ok() ? "" : dataset.error().to_string();
  }
};

TEST_F(DataFolder, WritesAndReadsTheSyntheticSet) {
  ASSERT_TRUE(write_synthetic(folder.string(), 1, 30, 20).ok());
  const auto train = slots.read_dataset(folder.string(), Split::train);
  const auto test = slots.read_dataset(folder.string(), Split::test);
  ASSERT_TRUE(train.ok() && test.ok());
  EXPECT_EQ(train->records, synthetic_dataset({.seed = 1, .count = 30}).records);
  EXPECT_EQ(test->records, synthetic_dataset({.seed = 2, .count = 20}).records);
  EXPECT_EQ(train->label(13), 3);
  EXPECT_TRUE(fs::exists(folder / "batches.meta.txt") && fs::exists(folder / "dataset.toml"));
}

// SHA-256 by tests/synthetic.py, which draws the images again in Python.
TEST_F(DataFolder, TheSyntheticSetHasItsGoldenHashInTwoImplementations) {
  ASSERT_TRUE(write_synthetic(folder.string(), 1, 40, 20).ok());
  const std::string command =
      "/usr/bin/python3 \"" HPML_SOURCE_DIR "/common/nn/tests/synthetic.py\" \"" + folder.string() + "\"";
  EXPECT_EQ(std::system(command.c_str()), 0);
}

TEST(Synthetic, AnImageDoesNotDependOnHowManyThereAre) {
  const Dataset few = synthetic_dataset({.seed = 1, .count = 3}), more = synthetic_dataset({.seed = 1, .count = 9});
  EXPECT_TRUE(std::equal(few.records.begin(), few.records.end(), more.records.begin()));
}

TEST_F(DataFolder, ReadsTrainingFilesInTheOrderOfTheirNames) {
  std::vector<uint8_t> record(kRecordBytes, 7);
  for (const int file : {2, 1, 3}) {
    record[0] = static_cast<uint8_t>(file);
    write("data_batch_" + std::to_string(file) + ".bin", record);
  }
  const auto dataset = slots.read_dataset(folder.string(), Split::train);
  ASSERT_TRUE(dataset.ok());
  ASSERT_EQ(dataset->count(), 3);
  EXPECT_EQ(dataset->label(0) * 100 + dataset->label(1) * 10 + dataset->label(2), 123);
  EXPECT_EQ(dataset->image(2)[0], 7);
}

TEST_F(DataFolder, HostileFilesAreNamedWithTheByte) {
  EXPECT_THAT(error(Split::train), HasSubstr("holds no training file"));
  EXPECT_THAT(error(Split::test), HasSubstr("test_batch.bin: error: byte 0: there is no such file"));
  write("test_batch.bin", {});
  EXPECT_THAT(error(Split::test), HasSubstr("byte 0: the file is empty"));
  std::vector<uint8_t> bytes(3 * kRecordBytes);
  bytes[2 * kRecordBytes] = 10;
  write("test_batch.bin", bytes);
  EXPECT_THAT(error(Split::test), HasSubstr("test_batch.bin: error: byte 6146: label 10 of record 2"));
  bytes[2 * kRecordBytes] = 9;
  bytes.pop_back();
  write("test_batch.bin", bytes);
  EXPECT_THAT(error(Split::test), HasSubstr("byte 6146: the last record has 3072 bytes"));
  fs::create_directory(folder / "data_batch_1.bin");
  EXPECT_THAT(error(Split::train), HasSubstr("data_batch_1.bin"));
  fs::remove_all(folder);
  EXPECT_THAT(error(Split::train), HasSubstr("cannot be listed"));
}

struct Epoch {
  std::vector<float> images;
  std::vector<int32_t> labels, samples;
  std::vector<int> sizes;
  bool operator==(const Epoch&) const = default;
};

Epoch run_epoch(DataLoader& loader, int epoch) {
  Epoch result;
  loader.start_epoch(epoch);
  while (const auto batch = loader.next()) {
    result.images.insert(result.images.end(), batch->images.data, batch->images.data + batch->images.size());
    result.labels.insert(result.labels.end(), batch->labels.begin(), batch->labels.end());
    result.samples.insert(result.samples.end(), batch->samples.begin(), batch->samples.end());
    result.sizes.push_back(batch->images.shape.n);
  }
  return result;
}

class LoaderTest : public ::testing::Test {
 protected:
  Dataset dataset = synthetic_dataset({.seed = 1, .count = 50});
  Slots slots = baseline_slots();
};

TEST_F(LoaderTest, BatchesAreTheSameForEveryNumberOfWorkersAndDifferByEpoch) {
  std::vector<Epoch> reference;
  for (const int workers : {0, 1, 2, 7}) {
    const auto loader = slots.loader(dataset, {.batch = 8, .workers = workers, .prefetch = 3, .augment = true});
    for (int epoch = 0; epoch < 2; ++epoch) {
      const Epoch got = run_epoch(*loader, epoch);
      if (workers == 0) {
        reference.push_back(got);
      }
      EXPECT_EQ(got, reference[static_cast<size_t>(epoch)]) << workers << " workers, epoch " << epoch;
    }
  }
  EXPECT_NE(reference[0].samples, reference[1].samples);
}

TEST_F(LoaderTest, AnEpochShowsEverySampleOnceAndEndsWithAShortBatchUnlessDropped) {
  const auto loader = slots.loader(dataset, {.batch = 8});
  const Epoch epoch = run_epoch(*loader, 0);
  EXPECT_EQ(std::set<int32_t>(epoch.samples.begin(), epoch.samples.end()).size(), 50U);
  EXPECT_EQ(epoch.sizes, (std::vector<int>{8, 8, 8, 8, 8, 8, 2}));
  EXPECT_EQ(loader->batches_per_epoch(), 7);
  const auto dropping = slots.loader(dataset, {.batch = 8, .drop_last = true});
  EXPECT_EQ(run_epoch(*dropping, 0).sizes, (std::vector<int>{8, 8, 8, 8, 8, 8}));
}

TEST_F(LoaderTest, NormalisesPlanesToChannels) {
  const auto loader = slots.loader(dataset, {.batch = 50, .shuffle = false});
  const Epoch epoch = run_epoch(*loader, 0);
  for (const int sample : {0, 49}) {
    for (const int pixel : {0, 31, 32, 1023}) {
      for (int plane = 0; plane < kImagePlanes; ++plane) {
        const double byte = dataset.image(sample)[static_cast<size_t>(plane * 1024 + pixel)];
        const double expected = (byte / 255 - kChannelMean[plane]) / kChannelDeviation[plane];
        EXPECT_NEAR(epoch.images[static_cast<size_t>((sample * 1024 + pixel) * 3 + plane)], expected, 1e-6);
      }
    }
    EXPECT_EQ(epoch.labels[static_cast<size_t>(sample)], sample % 10);
  }
}

// Every augmented image is one of the 9 x 9 x 2 crops of the image padded with black.
TEST_F(LoaderTest, AugmentationCropsAndMirrors) {
  const auto plain = slots.loader(dataset, {.batch = 50, .shuffle = false});
  const auto augmented = slots.loader(dataset, {.batch = 50, .shuffle = false, .augment = true});
  const Epoch original = run_epoch(*plain, 0), moved = run_epoch(*augmented, 0);
  const auto pixel = [](const Epoch& epoch, int sample, int y, int x, int c) {
    const bool inside = y >= 0 && y < 32 && x >= 0 && x < 32;
    return inside ? epoch.images[static_cast<size_t>(((sample * 32 + y) * 32 + x) * 3 + c)]
                  : -kChannelMean[c] / kChannelDeviation[c];
  };
  std::set<int> kinds;
  for (int sample = 0; sample < 50; ++sample) {
    int matches = -1;
    for (int kind = 0; kind < 9 * 9 * 2; ++kind) {
      bool same = true;
      for (int p = 0; p < 1024 && same; ++p) {
        const int y = p / 32, x = p % 32, from = kind % 2 == 1 ? 31 - x : x;
        same = std::abs(pixel(moved, sample, y, x, 1) -
                        pixel(original, sample, y + kind / 18 - 4, from + kind / 2 % 9 - 4, 1)) < 1e-5;
      }
      matches = same ? kind : matches;
    }
    ASSERT_GE(matches, 0) << "sample " << sample;
    kinds.insert(matches);
  }
  EXPECT_GT(kinds.size(), 20U);
}

TEST_F(LoaderTest, DestructionDoesNotWaitForSlowStorage) {
  const auto start = std::chrono::steady_clock::now();
  {
    const auto loader = slots.loader(dataset, {.batch = 8, .workers = 2, .io_latency_us = 60000000});
    loader->start_epoch(0);
  }
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(5));
}

TEST_F(LoaderTest, ANewEpochMayStartBeforeTheOldOneEnds) {
  const auto loader = slots.loader(dataset, {.batch = 8, .workers = 3});
  const Epoch expected = run_epoch(*loader, 1);
  loader->start_epoch(0);
  ASSERT_TRUE(loader->next().has_value());
  EXPECT_EQ(run_epoch(*loader, 1), expected);
}

}  // namespace
}  // namespace hpml::nn
