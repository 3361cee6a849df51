#include "simulator/timing/cache/constant_caches.hpp"

#include <algorithm>

namespace hpml::sim::timing {

namespace {

uint64_t kib(uint32_t n) { return uint64_t{n} * 1024; }

}  // namespace

ConstantCaches::ConstantCaches(const GpuSpec& spec)
    : second_delay_(spec.constant.second_latency_cycles - spec.of(isa::Lat::ld_const).latency),
      l2_delay_(spec.constant.l2_latency_cycles - spec.of(isa::Lat::ld_const).latency),
      second_line_bytes_(spec.constant.second_line_bytes),
      first_(kib(spec.constant.first_kib), exec::kConstantLineBytes, spec.constant.first_ways),
      second_(kib(spec.constant.second_kib), spec.constant.second_line_bytes, spec.constant.second_ways) {}

void ConstantCaches::clear() {
  first_.clear();
  second_.clear();
}

uint64_t ConstantCaches::delay(const exec::Access& access, Cycle now) {
  uint64_t worst = 0;
  for (int i = 0; i < access.line_count; ++i) {
    worst = std::max(worst, look_up(access.lines[static_cast<size_t>(i)].line, now));
  }
  return worst;
}

uint64_t ConstantCaches::look_up(uint64_t line, Cycle now) {
  const auto left = [now](const SectorCache::Line& kept) { return kept.fill > now.value ? kept.fill - now.value : 0; };
  if (const SectorCache::Line* kept = first_.find(line); kept != nullptr) {
    return left(*kept);
  }
  SectorCache::Evicted unused;
  const uint64_t far_line = line * exec::kConstantLineBytes / second_line_bytes_;
  SectorCache::Line* far = second_.find(far_line);
  uint64_t wait = 0;
  if (far != nullptr) {
    wait = std::max(second_delay_, left(*far));
  } else {
    wait = l2_delay_;
    far = second_.insert(far_line, unused);
    far->fill = now.value + wait;
  }
  first_.insert(line, unused)->fill = now.value + wait;
  return wait;
}

}  // namespace hpml::sim::timing
