// loader batches SEED IMAGES BATCH WORKERS PREFETCH SHUFFLE DROP_LAST AUGMENT EPOCHS: labels, samples and images of
// every batch; the dataset has the bytes of `dataset` with which = 0. loader digest ...: the same, as one number per
// epoch. loader error SEED IMAGES BATCH WORKERS: one label is 10; says what next() threw. loader leave WORKERS
// LATENCY_US: leaves in the middle of an epoch; says so before the destructor runs, and then ends. loader epoch WORKERS
// LATENCY_US IMAGES BATCH SEED: one epoch in order against a slow storage; samples, the sum of labels times places, and for
// each of kHalves ways to halve the images the sum of each plane's pixels over one half less that over the other.
#include <unistd.h>

#include <array>
#include <cinttypes>
#include <stdexcept>
#include <string_view>

#include "harness/check.hpp"

namespace {

constexpr size_t kHalves = 6;  // the h-th takes 2^h images after each other into one half, then as many into the other

lab2::Dataset images(uint64_t seed, int count) {
  lab2::Dataset data;
  data.records.resize(static_cast<size_t>(count) * lab2::kRecordBytes);
  for (size_t i = 0; i < data.records.size(); ++i) {
    const uint64_t bits = lab2::random_bits(seed, 0, 1, i);
    data.records[i] = static_cast<uint8_t>(i % lab2::kRecordBytes == 0 ? bits % lab2::kClasses : bits & 255);
  }
  return data;
}

uint64_t digest(uint64_t state, const void* bytes, size_t size) {  // FNV-1a
  for (size_t i = 0; i < size; ++i) {
    state = (state ^ static_cast<const uint8_t*>(bytes)[i]) * 0x100000001B3U;
  }
  return state;
}

void batches(const std::vector<int64_t>& n, bool whole) {
  const lab2::Dataset data = images(static_cast<uint64_t>(n[0]), static_cast<int>(n[1]));
  const auto loader = lab2::make_loader(data, {.batch = static_cast<int>(n[2]),
                                               .workers = static_cast<int>(n[3]),
                                               .prefetch = static_cast<int>(n[4]),
                                               .seed = static_cast<uint64_t>(n[0]),
                                               .shuffle = n[5] != 0,
                                               .drop_last = n[6] != 0,
                                               .augment = n[7] != 0});
  check::Results results;
  std::printf("%d", loader->batches_per_epoch());
  for (int epoch = 0; epoch < n[8]; ++epoch) {
    lab2::Batch batch;
    uint64_t state = 0xCBF29CE484222325U;
    int64_t seen = 0;
    loader->start_epoch(epoch);
    while (loader->next(batch)) {
      const auto size = static_cast<size_t>(batch.count);
      seen += batch.count;
      state = digest(digest(state, batch.samples, 4 * size), batch.images, 4 * size * lab2::kPlanes * lab2::kPixels);
      if (whole) {
        results.write(std::vector(batch.labels, batch.labels + size));
        results.write(std::vector(batch.samples, batch.samples + size));
        results.write(std::vector(batch.images, batch.images + size * lab2::kPlanes * lab2::kPixels));
      }
    }
    std::printf(" %" PRId64 ":%016" PRIx64, seen, state);
  }
  std::printf("\n");
}

void error(const std::vector<int64_t>& n) {
  lab2::Dataset data = images(static_cast<uint64_t>(n[0]), static_cast<int>(n[1]));
  data.records[static_cast<size_t>(n[1] / 2) * lab2::kRecordBytes] = 10;
  const auto loader = lab2::make_loader(data, {.batch = static_cast<int>(n[2]), .workers = static_cast<int>(n[3])});
  loader->start_epoch(0);
  try {
    for (lab2::Batch batch; loader->next(batch);) {
    }
    std::printf("no error\n");
  } catch (const std::runtime_error& thrown) {
    std::printf("error: %s\n", thrown.what());
  }
}

void leave(const std::vector<int64_t>& n) {
  const lab2::Dataset data = images(1, 512);
  auto loader = lab2::make_loader(
      data, {.batch = 128, .workers = static_cast<int>(n[0]), .io_latency_us = static_cast<int>(n[1])});
  loader->start_epoch(0);
  lab2::Batch batch;
  loader->next(batch);
  // Not by way of stdio, whose buffer the loader could have changed: the grader's clock starts here.
  constexpr std::string_view leaves = "leaves\n";
  if (write(STDOUT_FILENO, leaves.data(), leaves.size()) != static_cast<ssize_t>(leaves.size())) {
    check::fail("cannot write to standard output");
  }
  loader.reset();
}

void epoch(const std::vector<int64_t>& n) {
  const lab2::Dataset data = images(static_cast<uint64_t>(n[4]), static_cast<int>(n[2]));
  const auto loader = lab2::make_loader(data, {.batch = static_cast<int>(n[3]),
                                               .workers = static_cast<int>(n[0]),
                                               .prefetch = 16,
                                               .shuffle = false,
                                               .io_latency_us = static_cast<int>(n[1])});
  loader->start_epoch(0);
  int64_t seen = 0, labels = 0;
  std::array<std::array<double, lab2::kPlanes>, kHalves> sums{};
  for (lab2::Batch batch; loader->next(batch);) {
    for (int i = 0; i < batch.count; ++i) {
      labels += ++seen * batch.labels[i];
      std::array<double, lab2::kPlanes> image{};
      const size_t values = size_t{lab2::kPlanes} * lab2::kPixels;
      for (size_t at = 0; at < values; ++at) {
        image[at % lab2::kPlanes] += batch.images[static_cast<size_t>(i) * values + at];
      }
      for (size_t half = 0; half < kHalves; ++half) {
        for (size_t plane = 0; plane < lab2::kPlanes; ++plane) {
          sums[half][plane] += (seen >> half) % 2 == 0 ? image[plane] : -image[plane];
        }
      }
    }
  }
  std::printf("%" PRId64 " %" PRId64, seen, labels);
  for (const auto& half : sums) {
    for (const double sum : half) {
      std::printf(" %.9g", sum);
    }
  }
  std::printf("\n");
}

}  // namespace

int main(int argc, char** argv) {
  const std::string_view what = argc > 1 ? argv[1] : "";
  const std::vector<int64_t> numbers = check::integers(argc, argv, 2);
  if ((what == "batches" || what == "digest") && numbers.size() == 9) {
    batches(numbers, what == "batches");
  } else if (what == "error" && numbers.size() == 4) {
    error(numbers);
  } else if (what == "leave" && numbers.size() == 2) {
    leave(numbers);
  } else if (what == "epoch" && numbers.size() == 5) {
    epoch(numbers);
  } else {
    check::fail("usage: loader batches|digest|error|leave|epoch NUMBER... (see the file)");
  }
  return 0;
}
