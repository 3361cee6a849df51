// C1, C3: batches, made by worker threads in a ring of buffers.
#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <numeric>
#include <stdexcept>
#include <thread>

#include "lab2.hpp"

namespace lab2 {

namespace {

constexpr int kCropPad = 4;
constexpr uint64_t kShuffle = 1, kAugment = 2;  // streams of random numbers
using Table = std::array<std::array<float, 256>, kPlanes>;

// There are only 256 values per plane, so normalising is a look-up.
Table normalised() {
  Table table{};
  for (size_t plane = 0; plane < kPlanes; ++plane) {
    for (size_t value = 0; value < 256; ++value) {
      table[plane][value] = (static_cast<float>(value) / 255.0F - kMean[plane]) / kDeviation[plane];
    }
  }
  return table;
}

std::vector<int> permutation(int n, uint64_t seed, int epoch) {
  std::vector<int> order(static_cast<size_t>(n));
  std::iota(order.begin(), order.end(), 0);
  for (int i = n - 1; i > 0; --i) {
    const uint64_t bits = random_bits(seed, kShuffle, static_cast<uint64_t>(epoch), static_cast<uint64_t>(i));
    std::swap(order[static_cast<size_t>(i)], order[static_cast<size_t>(random_below(bits, i + 1))]);
  }
  return order;
}

struct Crop {
  int dy = 0, dx = 0;  // row r of the result is row r + dy of the image
  bool mirrored = false;
};

Crop crop_of(uint64_t seed, int epoch, int sample) {
  const auto bits = [&](uint64_t i) {
    return random_bits(seed, kAugment + static_cast<uint64_t>(epoch), static_cast<uint64_t>(sample), i);
  };
  return {random_below(bits(0), 2 * kCropPad + 1) - kCropPad, random_below(bits(1), 2 * kCropPad + 1) - kCropPad,
          random_below(bits(2), 2) == 1};
}

void decode(const uint8_t* image, const Table& table, const Crop& crop, float* out) {
  for (int row = 0; row < kSide; ++row) {
    for (int column = 0; column < kSide; ++column) {
      const int y = row + crop.dy, x = (crop.mirrored ? kSide - 1 - column : column) + crop.dx;
      const bool inside = y >= 0 && y < kSide && x >= 0 && x < kSide;
      for (int plane = 0; plane < kPlanes; ++plane) {
        *out++ = table[static_cast<size_t>(plane)][inside ? image[plane * kPixels + y * kSide + x] : 0];
      }
    }
  }
}

struct Slot {
  std::vector<float> images;
  std::vector<int32_t> labels, samples;
  int batch = -1;  // the batch that it holds complete
  std::exception_ptr error;
};

class RingLoader : public Loader {
 public:
  RingLoader(const Dataset& data, const LoaderOptions& options) : data_(data), options_(options), table_(normalised()) {
    slots_.resize(static_cast<size_t>(options.prefetch));
    for (Slot& slot : slots_) {
      slot.images.resize(static_cast<size_t>(options.batch) * kPlanes * kPixels);
      slot.labels.resize(static_cast<size_t>(options.batch));
      slot.samples.resize(static_cast<size_t>(options.batch));
    }
    for (int i = 0; i < options.workers; ++i) {
      workers_.emplace_back([this] { work(); });
    }
  }

  ~RingLoader() override {
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
    const int images = count(data_);
    return options_.drop_last ? images / options_.batch : (images + options_.batch - 1) / options_.batch;
  }

  void start_epoch(int epoch) override {
    std::unique_lock lock(mutex_);
    next_to_make_ = batches_per_epoch();  // nothing new of the old epoch
    changed_.wait(lock, [&] { return making_ == 0; });
    epoch_ = epoch;
    order_ = options_.shuffle ? permutation(count(data_), options_.seed, epoch) : std::vector<int>();
    for (Slot& slot : slots_) {
      slot.batch = -1;
      slot.error = nullptr;
    }
    next_to_make_ = next_to_give_ = released_ = 0;
    lock.unlock();
    changed_.notify_all();
  }

  bool next(Batch& batch) override {
    std::unique_lock lock(mutex_);
    released_ = next_to_give_;  // the memory of the batch before this one is free again
    if (next_to_give_ >= batches_per_epoch()) {
      return false;
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
    batch = {size_of(number), slot.images.data(), slot.labels.data(), slot.samples.data()};
    return true;
  }

 private:
  Slot& slot_of(int batch) { return slots_[static_cast<size_t>(batch % options_.prefetch)]; }
  int size_of(int batch) const { return std::min(options_.batch, count(data_) - batch * options_.batch); }

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

  void make_batch(int number, Slot& slot) {
    const int images = size_of(number);
    for (int i = 0; i < images && !stopping_; ++i) {
      const int place = number * options_.batch + i;
      const int sample = options_.shuffle ? order_[static_cast<size_t>(place)] : place;
      const uint8_t* record = data_.records.data() + static_cast<size_t>(sample) * kRecordBytes;
      if (options_.io_latency_us > 0) {
        std::this_thread::sleep_for(std::chrono::microseconds(options_.io_latency_us));
      }
      if (record[0] >= kClasses) {
        throw std::runtime_error("sample " + std::to_string(sample) + ": label " + std::to_string(record[0]));
      }
      slot.labels[static_cast<size_t>(i)] = record[0];
      slot.samples[static_cast<size_t>(i)] = sample;
      decode(record + 1, table_, options_.augment ? crop_of(options_.seed, epoch_, sample) : Crop{},
             slot.images.data() + static_cast<size_t>(i) * kPlanes * kPixels);
    }
  }

  const Dataset& data_;
  const LoaderOptions options_;
  const Table table_;
  std::vector<Slot> slots_;
  std::vector<int> order_;  // of this epoch; fixed while batches are in the making
  int epoch_ = -1;

  std::mutex mutex_;
  std::condition_variable changed_;
  std::atomic<bool> stopping_ = false;
  int next_to_make_ = 1 << 30, next_to_give_ = 1 << 30;  // beyond the end until an epoch starts
  int released_ = 0;                                     // batches before this one are no longer read
  int making_ = 0;                                       // workers at work
  std::vector<std::thread> workers_;
};

}  // namespace

std::unique_ptr<Loader> make_loader(const Dataset& data, const LoaderOptions& options) {
  return std::make_unique<RingLoader>(data, options);
}

}  // namespace lab2

// HPML-CANARY-5e0c71f3b8a94d26
