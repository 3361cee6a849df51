#include "simulator/sanitize/block_order.hpp"

#include <algorithm>
#include <bit>

namespace hpml::sim::sanitize {
namespace {

uint32_t thread_of(int warp, int lane) { return static_cast<uint32_t>(warp * isa::kWarpSize + lane); }

using Known = std::map<uint32_t, BlockOrder::Moment>;

void raise(Known& to, const Known& by) {
  for (const auto& [thread, then] : by) {
    BlockOrder::Moment& known = to[thread];
    known = std::max(known, then);
  }
}

}  // namespace

void BlockOrder::start(int warps) {
  warps_ = static_cast<size_t>(warps);
  now_.assign(warps_, 1);
  floor_.assign(warps_, 0);
  seen_.assign(warps_ * warps_, 0);
  lanes_.clear();
  lanes_.resize(warps_);
  for (auto& passed : passed_) {
    passed.clear();
  }
  locks_.clear();
  threads_.clear();
}

bool BlockOrder::ordered_lanes(int warp, int lane, isa::LaneMask others, Moment then) const {
  const auto& known = lanes_[static_cast<size_t>(warp)];
  for (isa::LaneMask rest = others; rest != 0; rest &= rest - 1) {
    const int other = std::countr_zero(rest);
    const bool by_sync = known != nullptr && then <= (*known)[static_cast<size_t>(lane)][static_cast<size_t>(other)];
    if (!by_sync && (locks_.empty() || !known_through_locks(warp, lane, warp, 1u << other, then))) {
      return false;
    }
  }
  return true;
}

bool BlockOrder::known_through_locks(int self, int lane, int warp, isa::LaneMask lanes, Moment then) const {
  const auto known = threads_.find(thread_of(self, lane));
  if (known == threads_.end()) {
    return false;
  }
  for (isa::LaneMask rest = lanes; rest != 0; rest &= rest - 1) {
    const auto of = known->second.find(thread_of(warp, std::countr_zero(rest)));
    if (of == known->second.end() || of->second < then) {
      return false;
    }
  }
  return true;
}

void BlockOrder::barrier_passed_by(int warp, int barrier) {
  Moment& now = now_[static_cast<size_t>(warp)];
  passed_[static_cast<size_t>(barrier)].push_back({warp, now});
  ++now;
}

void BlockOrder::barrier_opens(int barrier, uint64_t waited, bool everybody) {
  std::vector<Passed> who;
  std::swap(who, passed_[static_cast<size_t>(barrier)]);
  for (size_t w = 0; w < warps_; ++w) {
    if ((waited >> w & 1) != 0 || everybody) {
      who.push_back({static_cast<int>(w), now_[w]});
    }
  }
  std::vector<Moment> known(warps_, 0);
  for (const Passed& one : who) {
    const auto w = static_cast<size_t>(one.warp);
    for (size_t of = 0; of < warps_; ++of) {
      known[of] = std::max(known[of], seen_[w * warps_ + of]);
    }
    known[w] = std::max(known[w], one.then);
  }
  for (size_t w = 0; w < warps_; ++w) {
    if ((waited >> w & 1) == 0) {
      continue;
    }
    std::copy(known.begin(), known.end(), seen_.begin() + static_cast<std::ptrdiff_t>(w * warps_));
    floor_[w] = now_[w];
    ++now_[w];
  }
}

void BlockOrder::warp_synced(int warp, isa::LaneMask lanes, isa::LaneMask live) {
  const auto w = static_cast<size_t>(warp);
  const Moment then = now_[w]++;
  if (!threads_.empty()) {
    share_through_locks(warp, lanes);
  }
  if ((live & ~lanes) == 0) {
    floor_[w] = then;
    return;
  }
  if (lanes_[w] == nullptr) {
    lanes_[w] = std::make_unique<Lanes>();
  }
  std::array<Moment, 32> known = {};
  for (isa::LaneMask rest = lanes; rest != 0; rest &= rest - 1) {
    const auto& row = (*lanes_[w])[static_cast<size_t>(std::countr_zero(rest))];
    for (size_t of = 0; of < known.size(); ++of) {
      known[of] = std::max(known[of], row[of]);
    }
  }
  for (isa::LaneMask rest = lanes; rest != 0; rest &= rest - 1) {
    known[static_cast<size_t>(std::countr_zero(rest))] = then;
  }
  for (isa::LaneMask rest = lanes; rest != 0; rest &= rest - 1) {
    (*lanes_[w])[static_cast<size_t>(std::countr_zero(rest))] = known;
  }
}

// What one lane knows through locks, all do that synchronise with it.
void BlockOrder::share_through_locks(int warp, isa::LaneMask lanes) {
  Known known;
  for (isa::LaneMask rest = lanes; rest != 0; rest &= rest - 1) {
    if (const auto one = threads_.find(thread_of(warp, std::countr_zero(rest))); one != threads_.end()) {
      raise(known, one->second);
    }
  }
  for (isa::LaneMask rest = known.empty() ? 0 : lanes; rest != 0; rest &= rest - 1) {
    threads_[thread_of(warp, std::countr_zero(rest))] = known;
  }
}

void BlockOrder::lock(int warp, int lane, uint64_t address) {
  Moment& now = now_[static_cast<size_t>(warp)];
  const uint32_t self = thread_of(warp, lane);
  Known& at = locks_[address];
  Known& mine = threads_[self];
  const auto w = static_cast<size_t>(warp);
  for (int other = 0; other < isa::kWarpSize; ++other) {  // it speaks for the lanes it has synchronised with, too
    const auto of = static_cast<size_t>(other);
    const Moment by_sync = lanes_[w] != nullptr ? (*lanes_[w])[static_cast<size_t>(lane)][of] : 0;
    Moment& known = mine[thread_of(warp, other)];
    known = std::max({known, floor_[w], by_sync});
  }
  mine[self] = now++;
  raise(mine, at);
  at = mine;
}

}  // namespace hpml::sim::sanitize
