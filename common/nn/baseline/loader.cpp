#include "common/nn/baseline/loader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

#include "common/base/check.hpp"
#include "common/nn/random.hpp"

namespace hpml::nn::baseline {

namespace {

constexpr int kCropPad = 4;
constexpr int kPixels = kImageSide * kImageSide;
using Decoder = std::array<std::array<float, 256>, kImagePlanes>;

// (value / 255 - mean) / deviation of every byte.
Decoder make_decoder() {
  Decoder table{};
  for (size_t plane = 0; plane < kImagePlanes; ++plane) {
    for (size_t value = 0; value < 256; ++value) {
      table[plane][value] = (static_cast<float>(value) / 255.0F - kChannelMean[plane]) / kChannelDeviation[plane];
    }
  }
  return table;
}

// Where a sample is cropped and whether it is mirrored.
struct Augmentation {
  int dy = 0, dx = 0;  // -4 .. 4: row r of the result is row r + dy of the image, zero outside
  bool mirrored = false;
};

Augmentation augmentation_of(uint64_t seed, int epoch, int sample) {
  const Random random(seed, stream_id("augment", static_cast<uint64_t>(epoch), static_cast<uint64_t>(sample)));
  return {random.below(0, 2 * kCropPad + 1) - kCropPad, random.below(1, 2 * kCropPad + 1) - kCropPad,
          random.below(2, 2) == 1};
}

// `count` pixels from `at` on, `step` apart, with their planes side by side. Returns the end of `out`.
float* decode(const uint8_t* at, int count, int step, const Decoder& decoder, float* out) {
  for (int p = 0; p < count; ++p) {
    *out++ = decoder[0][at[p * step]];
    *out++ = decoder[1][at[p * step + kPixels]];
    *out++ = decoder[2][at[p * step + 2 * kPixels]];
  }
  return out;
}

float* black(int count, const Decoder& decoder, float* out) {
  for (int p = 0; p < count; ++p) {
    for (const auto& plane : decoder) {
      *out++ = plane[0];
    }
  }
  return out;
}

// The image is padded with black, cropped, mirrored and then normalised: the original lab's order. Columns
// [begin, end) of a row are of the image, those around them are black.
void decode_augmented(std::span<const uint8_t> image, const Decoder& decoder, const Augmentation& how, float* out) {
  const int step = how.mirrored ? -1 : 1, shift = step * how.dx;
  const int begin = std::max(0, -shift), end = std::min(kImageSide, kImageSide - shift);
  const int first = (how.mirrored ? kImageSide - 1 : 0) + how.dx + begin * step;
  for (int y = how.dy; y < kImageSide + how.dy; ++y) {
    if (y < 0 || y >= kImageSide) {
      out = black(kImageSide, decoder, out);
      continue;
    }
    out = black(begin, decoder, out);
    out = decode(image.data() + y * kImageSide + first, end - begin, step, decoder, out);
    out = black(kImageSide - end, decoder, out);
  }
}

// One batch in the making or ready. Slot i of the ring holds batches i, i + prefetch, ...
struct Slot {
  Tensor images;
  std::vector<int32_t> labels, samples;
  int batch = -1;  // the batch that it holds complete
  std::exception_ptr error;
};

class Loader : public DataLoader {
 public:
  Loader(const Dataset& dataset, const LoaderOptions& options)
      : dataset_(dataset), options_(options), decoder_(make_decoder()) {
    HPML_CHECK(options.batch >= 1 && options.workers >= 0 && options.prefetch >= 1 && options.io_latency_us >= 0,
               fmt::format("loader options: batch {}, workers {}, prefetch {}, latency {}", options.batch,
                           options.workers, options.prefetch, options.io_latency_us));
    slots_.resize(static_cast<size_t>(options.prefetch));
    for (Slot& slot : slots_) {
      slot.images = Tensor({options.batch, kImageSide, kImageSide, kImagePlanes});
      slot.labels.resize(static_cast<size_t>(options.batch));
      slot.samples.resize(static_cast<size_t>(options.batch));
    }
    order_.resize(static_cast<size_t>(dataset.count()));
    for (int i = 0; i < options.workers; ++i) {
      workers_.emplace_back([this] { work(); });
    }
  }

  ~Loader() override {
    {
      const std::lock_guard lock(mutex_);
      stopping_ = true;
    }
    changed_.notify_all();
    for (std::thread& worker : workers_) {
      worker.join();
    }
  }

  int batches_per_epoch() const override {
    const int count = dataset_.count();
    return options_.drop_last ? count / options_.batch : (count + options_.batch - 1) / options_.batch;
  }

  void start_epoch(int epoch) override {
    std::unique_lock lock(mutex_);
    next_to_make_ = batches_per_epoch();  // nothing new of the old epoch
    changed_.wait(lock, [&] { return making_ == 0; });
    epoch_ = epoch;
    const auto count = dataset_.count();
    if (options_.shuffle) {
      order_ = permutation(count, options_.seed, stream_id("shuffle", static_cast<uint64_t>(epoch)));
    } else {
      for (int i = 0; i < count; ++i) {
        order_[static_cast<size_t>(i)] = i;
      }
    }
    for (Slot& slot : slots_) {
      slot.batch = -1;
      slot.error = nullptr;
    }
    next_to_make_ = 0;
    next_to_give_ = 0;
    released_ = 0;
    lock.unlock();
    changed_.notify_all();
  }

  std::optional<Batch> next() override {
    std::unique_lock lock(mutex_);
    released_ = next_to_give_;  // the memory of the batch before this one is free again
    if (next_to_give_ >= batches_per_epoch()) {
      return std::nullopt;
    }
    const int number = next_to_give_++;
    Slot& slot = slot_of(number);
    if (options_.workers == 0) {
      make_batch(number, slot);
    } else {
      changed_.notify_all();
      changed_.wait(lock, [&] { return slot.batch == number; });
    }
    if (slot.error) {
      std::rethrow_exception(slot.error);
    }
    const int images = size_of(number);
    return Batch{View<const float>(slot.images.view()).images(0, images),
                 std::span<const int32_t>(slot.labels).first(static_cast<size_t>(images)),
                 std::span<const int32_t>(slot.samples).first(static_cast<size_t>(images))};
  }

 private:
  Slot& slot_of(int batch) { return slots_[static_cast<size_t>(batch % options_.prefetch)]; }
  int size_of(int batch) const { return std::min(options_.batch, dataset_.count() - batch * options_.batch); }

  void work() {
    std::unique_lock lock(mutex_);
    while (true) {
      changed_.wait(lock, [&] {
        return stopping_ || (next_to_make_ < batches_per_epoch() && next_to_make_ < released_ + options_.prefetch);
      });
      if (stopping_) {
        return;
      }
      const int number = next_to_make_++;
      Slot& slot = slot_of(number);
      ++making_;
      lock.unlock();
      try {
        make_batch(number, slot);
      } catch (...) {
        slot.error = std::current_exception();
      }
      lock.lock();
      slot.batch = number;
      --making_;
      changed_.notify_all();
    }
  }

  // Sleeps in pieces, so that a loader can be destroyed meanwhile.
  void wait_for_storage() const {
    constexpr int kPieceUs = 20000;
    for (int left = options_.io_latency_us; left > 0 && !stopping_; left -= kPieceUs) {
      std::this_thread::sleep_for(std::chrono::microseconds(std::min(left, kPieceUs)));
    }
  }

  // Stops between samples when the loader is destroyed.
  void make_batch(int number, Slot& slot) {
    const int images = size_of(number);
    for (int i = 0; i < images && !stopping_; ++i) {
      const int sample = order_[static_cast<size_t>(number * options_.batch + i)];
      wait_for_storage();
      slot.labels[static_cast<size_t>(i)] = dataset_.label(sample);
      slot.samples[static_cast<size_t>(i)] = sample;
      float* out = slot.images.data() + int64_t{i} * kImageBytes;
      if (options_.augment) {
        decode_augmented(dataset_.image(sample), decoder_, augmentation_of(options_.seed, epoch_, sample), out);
      } else {
        decode(dataset_.image(sample).data(), kPixels, 1, decoder_, out);
      }
    }
  }

  const Dataset& dataset_;
  const LoaderOptions options_;
  const Decoder decoder_;
  std::vector<Slot> slots_;
  std::vector<int> order_;  // of this epoch; fixed while batches are in the making
  int epoch_ = -1;

  std::mutex mutex_;
  std::condition_variable changed_;
  std::atomic<bool> stopping_ = false;
  int next_to_make_ = 1 << 30, next_to_give_ = 1 << 30;  // batch numbers; beyond the end until an epoch starts
  int released_ = 0;                                     // batches before this one are no longer read
  int making_ = 0;                                       // workers at work
  std::vector<std::thread> workers_;
};

}  // namespace

std::unique_ptr<DataLoader> make_loader(const Dataset& dataset, const LoaderOptions& options) {
  return std::make_unique<Loader>(dataset, options);
}

}  // namespace hpml::nn::baseline
