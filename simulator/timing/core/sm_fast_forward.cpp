// Warps that go on without time between two timed parts of a launch: what they do to memory, caches and barriers is
// done, what it would have taken is the engine's to estimate.
#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <utility>

#include "simulator/timing/core/sm.hpp"

namespace hpml::sim::timing {

namespace {

// Instructions of a warp before the next one gets its turn: accesses reach the caches in about the order in which warps
// that run side by side make them. Few warps may have more, up to so many of all together.
constexpr uint64_t kLongest = 256, kTogether = 16'384;

class Caches final : public exec::AccessSink {
 public:
  Caches(Lsu& lsu, WarmingPort& below) : lsu_(lsu), below_(below) {}
  void accessed(const exec::Effects& effects) override {
    const isa::Space space = effects.access.space;
    lsu_.warm(std::span(effects.ranges).first(static_cast<size_t>(effects.range_count)), below_);
    if (effects.has_access && (space == isa::Space::global || space == isa::Space::local)) {
      lsu_.warm(effects.access, below_);
    }
  }

 private:
  Lsu& lsu_;
  WarmingPort& below_;
};

}  // namespace

void Sm::pause(Cycle now) {
  settle(now);
  paused_ = true;
}

std::vector<size_t> Sm::blocks_by_age() const {
  std::vector<size_t> out;
  for (size_t at = 0; at < blocks_.size(); ++at) {
    if (blocks_[at].block != nullptr) {
      out.push_back(at);
    }
  }
  std::sort(out.begin(), out.end(), [this](size_t a, size_t b) { return blocks_[a].age < blocks_[b].age; });
  return out;
}

void Sm::take_pace(Pace& pace) {
  const std::vector<size_t> blocks = blocks_by_age();
  for (size_t older = 0; older < blocks.size(); ++older) {
    uint64_t issued = 0;
    for (WarpState& w : warps_) {
      issued += w.block == static_cast<int>(blocks[older]) ? std::exchange(w.issued, 0) : 0;
    }
    pace.add(older, static_cast<double>(issued) / blocks_[blocks[older]].block->warp_count());
  }
}

uint64_t Sm::fast_forward(uint64_t share, const Pace& pace, WarmingPort* below, Cycle now) {
  std::optional<Caches> caches;
  if (below != nullptr) {
    caches.emplace(lsu_, *below);
  }
  const uint64_t longest = std::max(kLongest, kTogether / static_cast<uint64_t>(std::max(resident_warps_, 1)));
  const std::vector<size_t> blocks = blocks_by_age();
  double parts = 0;
  for (size_t older = 0; older < blocks.size(); ++older) {
    parts += pace.of(older) * blocks_[blocks[older]].block->warp_count();
  }
  uint64_t done = 0;
  for (size_t older = 0; older < blocks.size() && done < share; ++older) {
    const auto slice = static_cast<uint64_t>(static_cast<double>(share) * pace.of(older) / parts) + 1;
    done += forward_block(*blocks_[blocks[older]].block, std::min(slice, longest), caches ? &*caches : nullptr);
    retire_finished(blocks[older], now);
  }
  return done;
}

// A slice of every warp, in as many turns as its barriers make of it.
uint64_t Sm::forward_block(exec::Block& block, uint64_t slice, exec::AccessSink* sink) {
  std::array<uint64_t, 64> left;
  left.fill(slice);
  uint64_t done = 0;
  for (bool ran = true; ran;) {
    ran = false;
    for (int i = 0; i < block.warp_count(); ++i) {
      exec::Warp& warp = block.warp(i);
      uint64_t& rest = left[static_cast<size_t>(i)];
      if (rest == 0 || !warp.ready()) {
        continue;
      }
      const uint64_t executed = warp.run(rest, sink);
      done += executed;
      ran = ran || executed > 0;
      rest = warp.ready() ? 0 : rest - executed;  // ready with some left: it waits in a loop
    }
  }
  return done;
}

void Sm::retire_finished(size_t at, Cycle now) {
  for (size_t slot = 0; slot < warps_.size(); ++slot) {
    const WarpState& w = warps_[slot];
    if (w.phase != WarpState::Phase::empty && w.block == static_cast<int>(at) && w.warp->finished()) {
      retire_warp(static_cast<int>(slot), now);
    }
  }
}

// Everything has arrived meanwhile: every warp may issue at once.
void Sm::resume(Cycle now) {
  paused_ = false;
  active_since_ = now;
  for (SubPartition& sub : subs_) {
    sub.evaluated = now;
    sub.occupied = false;
    sub.wake = now;
  }
  for (const Resident& block : blocks_) {
    if (block.block != nullptr) {
      block.block->take_released();
    }
  }
  for (size_t slot = 0; slot < warps_.size(); ++slot) {
    WarpState& w = warps_[slot];
    if (w.phase == WarpState::Phase::empty) {
      continue;
    }
    w.phase = w.warp->ready() ? WarpState::Phase::running : WarpState::Phase::barrier;
    w.hold_until = now;
    w.loads.clear();
    w.copies.clear();
    w.mbarrier = nullptr;
    std::fill(w.registers.begin(), w.registers.end(), 0);
    fetch(static_cast<int>(slot), now);
  }
}

}  // namespace hpml::sim::timing
