#pragma once
// Which registers are alive where: backward data flow over the CFG.
#include <bit>
#include <cstdint>
#include <vector>

#include "simulator/ir/detail/cfg.hpp"

namespace hpml::sim::ir {

class BitSet {
 public:
  explicit BitSet(size_t bits) : words_((bits + 63) / 64) {}
  void set(size_t i) { words_[i / 64] |= uint64_t{1} << (i % 64); }
  void clear(size_t i) { words_[i / 64] &= ~(uint64_t{1} << (i % 64)); }
  bool merge(const BitSet& other);  // true when it grew
  void subtract(const BitSet& other);
  template <class F>
  void each(F f) const {
    for (size_t w = 0; w < words_.size(); ++w) {
      for (uint64_t rest = words_[w]; rest != 0; rest &= rest - 1) {
        f(w * 64 + static_cast<size_t>(std::countr_zero(rest)));
      }
    }
  }

 private:
  std::vector<uint64_t> words_;
};

// What one instruction does to registers, by number.
struct Access {
  std::vector<uint32_t> reads, writes;
  bool keeps_old = false;  // guarded: other lanes keep the value that was there
};

class Liveness {
 public:
  // accesses: one for each instruction. registers: numbers are below it.
  Liveness(const Cfg& cfg, const std::vector<Access>& accesses, size_t registers);

  const BitSet& live_in(size_t block) const { return live_in_[block]; }
  BitSet live_out(size_t block) const;

  // f(pc, sum of the weights of what is alive while instruction pc runs), backwards in each block.
  template <class F>
  void each_pressure(const std::vector<int>& weights, F f) const {
    for (size_t b = 0; b < cfg_.blocks.size(); ++b) {
      std::vector<bool> alive(registers_, false);
      int now = 0;
      const auto change = [&](size_t r, bool on) {
        now += alive[r] == on ? 0 : on ? weights[r] : -weights[r];
        alive[r] = on;
      };
      live_out(b).each([&](size_t r) { change(r, true); });
      for (Pc pc = cfg_.blocks[b].end; pc-- > cfg_.blocks[b].begin;) {
        const Access& access = accesses_[pc];
        for (const uint32_t r : access.writes) {
          change(r, true);
        }
        const int after = now;
        for (const uint32_t r : access.writes) {
          change(r, access.keeps_old);
        }
        for (const uint32_t r : access.reads) {
          change(r, true);
        }
        f(pc, std::max(after, now));
      }
    }
  }

 private:
  void solve();

  const Cfg& cfg_;
  const std::vector<Access>& accesses_;
  size_t registers_;
  std::vector<BitSet> live_in_;
};

}  // namespace hpml::sim::ir
