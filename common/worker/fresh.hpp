#pragma once
// Inputs that change before every timed call: code that remembers results, by place, by size or by some of the
// elements, remembers wrong ones. Whole numbers that are small enough make every order of additions exact.
#include <cstdint>
#include <random>
#include <span>
#include <vector>

namespace hpml::worker {

using Random = std::mt19937_64;

// Seeded by the system. Make it after the worker has been started, so that the worker has no copy of it.
Random unpredictable();

template <class T>
T whole(Random& random, int64_t most) {
  return static_cast<T>(std::uniform_int_distribution<int64_t>(-most, most)(random));
}

template <class T>
class FreshInput {
 public:
  struct Change {
    size_t at;
    T before, after;
  };

  // Fills `shared`, an input of a worker, with numbers from -most to most.
  FreshInput(Random& random, std::span<T> shared, int64_t most) : shared_(shared), most_(most) {
    values_.reserve(shared.size());
    for (T& element : shared) {
      values_.push_back(element = whole<T>(random, most));
    }
  }

  // Draws one element again. A few changes per call leave the rest of the input in the caches.
  Change change_one(Random& random) {
    const size_t at = std::uniform_int_distribution<size_t>(0, values_.size() - 1)(random);
    const Change change{at, values_[at], whole<T>(random, most_)};
    shared_[at] = values_[at] = change.after;
    return change;
  }

  // Draws every element again, where a result could be brought up to date in less time than it takes to compute.
  void change_all(Random& random) {
    for (size_t at = 0; at < values_.size(); ++at) {
      shared_[at] = values_[at] = whole<T>(random, most_);
    }
  }

  const std::vector<T>& values() const { return values_; }  // of this process alone

 private:
  std::span<T> shared_;
  int64_t most_;
  std::vector<T> values_;
};

}  // namespace hpml::worker
