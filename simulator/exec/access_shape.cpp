#include "simulator/exec/detail/access_shape.hpp"

#include <algorithm>
#include <bit>

#include "simulator/exec/detail/lanes.hpp"

namespace hpml::sim::exec {

namespace {

template <class T>
[[gnu::always_inline]] inline bool same_distances(const T* base, const T* distance, isa::LaneMask lanes) {
  const T first = base[std::countr_zero(lanes)];
  T difference = 0;
  if (lanes == isa::kFullMask) {
    for (size_t lane = 0; lane < 32; ++lane) {
      difference |= static_cast<T>(base[lane] - first) ^ distance[lane];
    }
  } else {
    for (uint32_t lane = 0; lane < 32; ++lane) {
      const T own = static_cast<T>(base[lane] - first) ^ distance[lane];
      difference |= (lanes >> lane & 1u) != 0 ? own : T{0};
    }
  }
  return difference == 0;
}

HPML_VECTOR_CLONES bool same_wide(const uint64_t* base, const uint64_t* distance, isa::LaneMask lanes) {
  return same_distances(base, distance, lanes);
}
HPML_VECTOR_CLONES bool same_narrow(const uint32_t* base, const uint32_t* distance, isa::LaneMask lanes) {
  return same_distances(base, distance, lanes);
}

}  // namespace

bool AccessShape::matches(const uint64_t* base, isa::LaneMask lanes) const {
  return lanes == lanes_ && same_wide(base, distance_.data(), lanes);
}

bool AccessShape::matches(const uint32_t* base, isa::LaneMask lanes) const {
  return lanes == lanes_ && same_narrow(base, narrow_.data(), lanes);
}

void AccessShape::learn(const uint64_t* address, isa::LaneMask lanes, uint32_t bytes) {
  lanes_ = lanes;
  parts_.fill({});
  distinct_bytes = 0;
  counted_conflict = UINT64_MAX;
  const uint64_t first = address[std::countr_zero(lanes)];
  int64_t low = 0, high = 0;
  bits_ = 0;
  for (size_t lane = 0; lane < 32; ++lane) {
    const uint64_t distance = address[lane] - first;
    distance_[lane] = distance;
    narrow_[lane] = static_cast<uint32_t>(distance);
    low = std::min(low, static_cast<int64_t>(distance));
    high = std::max(high, static_cast<int64_t>(distance));
    bits_ |= distance;
  }
  low_ = static_cast<uint64_t>(low);
  high_ = static_cast<uint64_t>(high);
  segment_ = 0;
  if (lanes != isa::kFullMask) {
    return;
  }
  const auto fits = [&](int length) {
    uniform_ = 0;
    for (int begin = 0; begin < 32; begin += length) {
      bool row = true, same = true;
      for (int lane = begin; lane < begin + length; ++lane) {
        const uint64_t step = distance_[static_cast<size_t>(lane)] - distance_[static_cast<size_t>(begin)];
        row = row && step == static_cast<uint64_t>(lane - begin) * bytes;
        same = same && step == 0;
      }
      if (!row && !same) {
        return false;
      }
      uniform_ |= same ? 1u << (begin / length) : 0u;
    }
    return true;
  };
  for (const int length : {32, 16, 8}) {
    if (fits(length)) {
      segment_ = length;
      return;
    }
  }
}

}  // namespace hpml::sim::exec
