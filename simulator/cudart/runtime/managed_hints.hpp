#pragma once
// What cudaMemAdvise and cudaMemPrefetchAsync said about managed memory, for cudaMemRangeGetAttribute.
#include <cstdint>
#include <map>
#include <optional>
#include <set>

namespace hpml::sim::cudart {

// One value per byte, kept as intervals; bytes without one have the default.
template <class T>
class RangeMap {
 public:
  void set(uint64_t begin, uint64_t end, const T& value) {
    split(begin);
    split(end);
    parts_.erase(parts_.lower_bound(begin), parts_.lower_bound(end));
    parts_[begin] = {end, value};
  }
  // The value that every byte of [begin, end) has; none when they differ.
  std::optional<T> common(uint64_t begin, uint64_t end) const {
    std::optional<T> value;
    for (uint64_t at = begin; at < end;) {
      const auto [here, until] = look(at);
      if (value && !(*value == here)) {
        return std::nullopt;
      }
      value = here;
      at = until;
    }
    return value;
  }
  T at(uint64_t address) const { return look(address).first; }

 private:
  struct Part {
    uint64_t end;
    T value;
  };
  void split(uint64_t at) {
    const auto after = parts_.lower_bound(at);
    if (after == parts_.begin()) {
      return;
    }
    auto& [begin, part] = *std::prev(after);
    if (part.end > at) {
      parts_.emplace(at, Part{part.end, part.value});
      part.end = at;
    }
  }
  std::pair<T, uint64_t> look(uint64_t at) const {
    const auto after = parts_.upper_bound(at);
    const uint64_t next = after == parts_.end() ? UINT64_MAX : after->first;
    if (after != parts_.begin() && std::prev(after)->second.end > at) {
      return {std::prev(after)->second.value, std::prev(after)->second.end};
    }
    return {T{}, next};
  }
  std::map<uint64_t, Part> parts_;
};

struct HintLocation {
  int ordinal = -2;  // cudaInvalidDeviceId; -1: the host
  bool operator==(const HintLocation&) const = default;
};

struct ManagedHints {
  RangeMap<bool> read_mostly;
  RangeMap<HintLocation> preferred, last_prefetch;
  RangeMap<std::set<int>> accessed_by;
};

}  // namespace hpml::sim::cudart
