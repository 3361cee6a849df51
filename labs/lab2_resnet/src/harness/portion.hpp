#pragma once
// A part of an epoch as a Loader of its own, so that a network can be validated in the middle of an epoch.
#include "lab2.hpp"

namespace portion {

class Loader : public lab2::Loader {
 public:
  explicit Loader(lab2::Loader& whole) : whole_(whole) {}
  // Which batches of the epoch come next: [begin, end). The first portion of an epoch begins at 0.
  void choose(int begin, int end) {
    begin_ = begin;
    end_ = end;
  }
  int64_t samples() const { return samples_; }  // given since choose()

  int batches_per_epoch() const override { return end_ - begin_; }
  void start_epoch(int epoch) override {
    if (begin_ == 0) {
      whole_.start_epoch(epoch);
    }
    given_ = begin_;
    samples_ = 0;
  }
  bool next(lab2::Batch& batch) override {
    if (given_ == end_ || !whole_.next(batch)) {
      return false;
    }
    ++given_;
    samples_ += batch.count;
    return true;
  }

 private:
  lab2::Loader& whole_;
  int begin_ = 0, end_ = 0, given_ = 0;
  int64_t samples_ = 0;
};

// Times of two parts become those of both.
static inline lab2::EpochTimes joined(const lab2::EpochTimes& a, int64_t samples_a, const lab2::EpochTimes& b,
                                      int64_t samples_b) {
  const auto mean = [&](double x, double y) {
    const auto n = static_cast<double>(samples_a), m = static_cast<double>(samples_b);
    return samples_a == 0 ? y : (x * n + y * m) / (n + m);
  };
  return {a.load_s + b.load_s, a.train_s + b.train_s, a.total_s + b.total_s, mean(a.loss, b.loss), mean(a.top1, b.top1)};
}

}  // namespace portion
