#pragma once
// One bit for each byte of a range: was it written? The bits of memory that nobody touched cost nothing.
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>

namespace hpml::sim::sanitize {

class BitShadow {
 public:
  explicit BitShadow(uint64_t bytes)
      : words_(static_cast<uint64_t*>(std::calloc((bytes + 63) / 64 + 1, sizeof(uint64_t)))), bytes_(bytes) {}

  uint64_t bytes() const { return bytes_; }
  void set(uint64_t offset, uint64_t count) {
    for_words(offset, count, [this](uint64_t word, uint64_t mask) {
      words_.get()[word] |= mask;
      return true;
    });
  }
  bool all_set(uint64_t offset, uint64_t count) const {
    return for_words(offset, count,
                     [this](uint64_t word, uint64_t mask) { return (words_.get()[word] & mask) == mask; });
  }
  // Precondition: some byte from there on is not set.
  uint64_t first_clear(uint64_t offset) const {
    uint64_t clear = ~words_.get()[offset / 64] & (~uint64_t{0} << (offset % 64));
    uint64_t word = offset / 64;
    while (clear == 0) {
      clear = ~words_.get()[++word];
    }
    return word * 64 + static_cast<uint64_t>(std::countr_zero(clear));
  }
  uint64_t count_clear(uint64_t offset, uint64_t count) const {
    uint64_t clear = 0;
    for_words(offset, count, [&](uint64_t word, uint64_t mask) {
      clear += static_cast<uint64_t>(std::popcount(~words_.get()[word] & mask));
      return true;
    });
    return clear;
  }

 private:
  struct Free {
    void operator()(uint64_t* words) const { std::free(words); }
  };
  // Calls f(word, mask) for each word of the range until it returns false; whether it never did.
  template <class F>
  bool for_words(uint64_t offset, uint64_t count, F f) const {
    while (count != 0) {
      const uint64_t bit = offset % 64;
      const uint64_t here = count < 64 - bit ? count : 64 - bit;
      const uint64_t mask = (here == 64 ? ~uint64_t{0} : (uint64_t{1} << here) - 1) << bit;
      if (!f(offset / 64, mask)) {
        return false;
      }
      offset += here;
      count -= here;
    }
    return true;
  }

  std::unique_ptr<uint64_t, Free> words_;
  uint64_t bytes_;
};

}  // namespace hpml::sim::sanitize
