#include "simulator/device/launch_history.hpp"

#include <algorithm>
#include <cmath>

#include "simulator/device/launch_key.hpp"

namespace hpml::sim::device {
namespace {

// Up to this much effort, a few seconds of ours, every launch is timed. After it those of kernels that have become
// steady are not: so many in a row within this of each other, looked at again now and then, ...
constexpr uint64_t kTimeAll = 4'000'000;
constexpr size_t kInARow = 4;
constexpr double kSpread = 1.01;
constexpr int kShortestInterval = 16, kLongestInterval = 256;
constexpr double kOtherWork = 0.03;  // more or fewer instructions, as a part
// ... after this much one more of every launch is timed, ...
constexpr uint64_t kTimeUnsteady = 16'000'000;
constexpr int kTimesSame = 2;
// ... and after this much only the first launch of every kernel.
constexpr uint64_t kTimeOthers = 48'000'000;

std::string shape_key(LaunchRequest request) {
  request.params = {};
  return launch_key(request);
}

}  // namespace

bool LaunchHistory::Alike::steady() const {
  const auto [least, most] = std::minmax_element(ratios.begin(), ratios.end());
  return ratios.size() == kInARow && *most <= kSpread * *least;
}

const TimedLaunch* LaunchHistory::stand_in(const LaunchRequest& request) {
  if (effort_ < kTimeAll) {
    return nullptr;
  }
  if (const auto last = last_.find(request.kernel); effort_ >= kTimeOthers && last != last_.end()) {
    const auto same = same_.find(launch_key(request));
    return same != same_.end() ? &same->second.last : &last->second;
  }
  const auto same = same_.find(launch_key(request));
  if (effort_ >= kTimeUnsteady && same != same_.end() && same->second.times >= kTimesSame) {
    return &same->second.last;
  }
  const auto alike = alike_.find(shape_key(request));
  if (alike == alike_.end() || !alike->second.steady()) {
    return nullptr;
  }
  if (alike->second.left == 0) {
    return nullptr;
  }
  --alike->second.left;
  return &alike->second.last;
}

void LaunchHistory::took(const LaunchRequest& request, double warp_instructions) {
  const auto alike = alike_.find(shape_key(request));
  if (alike == alike_.end()) {
    return;
  }
  Alike& known = alike->second;
  if (std::abs(warp_instructions - known.last.warp_instructions) > kOtherWork * known.last.warp_instructions) {
    known.interval = known.left = 0;
  }
}

void LaunchHistory::add(const LaunchRequest& request, uint64_t effort, const TimedLaunch& timed) {
  effort_ += effort;
  Same& same = same_[launch_key(request)];
  ++same.times;
  same.last = timed;
  Alike& alike = alike_[shape_key(request)];
  alike.last = timed;
  alike.ratios.push_back(timed.estimate > 0 ? timed.cycles / timed.estimate : 0);
  if (alike.ratios.size() > kInARow) {
    alike.ratios.pop_front();
  }
  if (!alike.steady()) {
    alike.interval = 0;
  } else if (alike.left == 0) {
    alike.interval = std::clamp(2 * alike.interval, kShortestInterval, kLongestInterval);
  }
  alike.left = alike.interval;
  last_[request.kernel] = timed;
}

}  // namespace hpml::sim::device
