#pragma once
// A set of small numbers, visited in ascending order: which components have something to do. Most of a GPU sleeps most
// of the time; looking at every part of it in every cycle would cost more than simulating the part that moves.
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace hpml::sim::timing {

class ActiveSet {
 public:
  explicit ActiveSet(size_t size) : words_((size + 63) / 64, 0) {}

  void insert(size_t i) { words_[i / 64] |= uint64_t{1} << (i % 64); }
  void erase(size_t i) { words_[i / 64] &= ~(uint64_t{1} << (i % 64)); }
  bool contains(size_t i) const { return (words_[i / 64] >> (i % 64) & 1) != 0; }
  void clear() { words_.assign(words_.size(), 0); }

  // f(i) for every member, ascending; f may erase its own i.
  template <class F>
  void for_each(F f) const {
    for (size_t w = 0; w < words_.size(); ++w) {
      for (uint64_t rest = words_[w]; rest != 0; rest &= rest - 1) {
        f(w * 64 + static_cast<size_t>(std::countr_zero(rest)));
      }
    }
  }
  // The same, starting with the members from `start` on, then the others.
  template <class F>
  void for_each_from(size_t start, F f) const {
    for_each([&](size_t i) {
      if (i >= start) {
        f(i);
      }
    });
    for_each([&](size_t i) {
      if (i < start) {
        f(i);
      }
    });
  }

 private:
  std::vector<uint64_t> words_;
};

}  // namespace hpml::sim::timing
