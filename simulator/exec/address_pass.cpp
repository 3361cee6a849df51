#include "simulator/exec/detail/address_pass.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

#include "simulator/exec/detail/lanes.hpp"

namespace hpml::sim::exec {

namespace {

constexpr uint64_t kSectorShift = 5, kLineShift = 7;

template <class T>
[[gnu::always_inline]] inline AddressPass all_lanes(const T* base, T offset, uint64_t bytes, uint64_t* out) {
  const T first = static_cast<T>(base[0] + offset), step = static_cast<T>(bytes);
  T low = first, high = first, bits = 0, off_row = 0;
  for (uint32_t lane = 0; lane < 32; ++lane) {
    const T a = static_cast<T>(base[lane] + offset);
    out[lane] = a;
    low = std::min(low, a);
    high = std::max(high, a);
    bits |= a;
    off_row |= a ^ static_cast<T>(first + lane * step);
  }
  return {.low = low, .high = high, .bits = bits, .off_row = off_row};
}

template <class T>
[[gnu::always_inline]] inline AddressPass some_lanes(const T* base, T offset, isa::LaneMask lanes, uint64_t* out) {
  const T first = static_cast<T>(base[std::countr_zero(lanes)] + offset);
  T low = first, high = first, bits = 0;
  for (uint32_t lane = 0; lane < 32; ++lane) {
    const T own = static_cast<T>(base[lane] + offset);
    const T a = (lanes >> lane & 1u) != 0 ? own : first;
    out[lane] = a;
    low = std::min(low, a);
    high = std::max(high, a);
    bits |= a;
  }
  return {.low = low, .high = high, .bits = bits, .off_row = 1};
}

HPML_VECTOR_CLONES AddressPass all_wide(const uint64_t* base, uint64_t offset, uint64_t bytes, uint64_t* out) {
  return all_lanes(base, offset, bytes, out);
}
HPML_VECTOR_CLONES AddressPass all_narrow(const uint32_t* base, uint32_t offset, uint64_t bytes, uint64_t* out) {
  return all_lanes(base, offset, bytes, out);
}
HPML_VECTOR_CLONES AddressPass some_wide(const uint64_t* base, uint64_t offset, isa::LaneMask lanes, uint64_t* out) {
  return some_lanes(base, offset, lanes, out);
}
HPML_VECTOR_CLONES AddressPass some_narrow(const uint32_t* base, uint32_t offset, isa::LaneMask lanes, uint64_t* out) {
  return some_lanes(base, offset, lanes, out);
}

// Eight 32-bit values, which compilers keep in one register where there is AVX2.
using Octet = uint32_t __attribute__((vector_size(32)));
using OctetMask = int32_t __attribute__((vector_size(32)));

// A bitonic sorting network over 32 values, value i in v[i / 8][i % 8]: `size` is the length of the runs that a stage
// makes, `step` the distance of the values it compares.
struct Sorter {
  Octet v[4];

  template <int size, int step>
  [[gnu::always_inline]] inline void across() {
    for (int i = 0; i < 4; ++i) {
      const int j = i ^ (step / 8);
      if (i < j) {
        const bool up = (i * 8 & size) == 0;
        const OctetMask smaller = v[i] < v[j];
        const Octet low = smaller ? v[i] : v[j], high = smaller ? v[j] : v[i];
        v[i] = up ? low : high;
        v[j] = up ? high : low;
      }
    }
  }

  template <int size, int step>
  [[gnu::always_inline]] inline void within() {
    for (int i = 0; i < 4; ++i) {
      const auto keeps_low = [i](int at) {
        const int value = i * 8 + at;
        return ((value & size) == 0) == ((value & step) == 0) ? -1 : 0;
      };
      const OctetMask lows = {keeps_low(0), keeps_low(1), keeps_low(2), keeps_low(3),
                              keeps_low(4), keeps_low(5), keeps_low(6), keeps_low(7)};
      const Octet own = v[i];
      const Octet other = __builtin_shufflevector(own, own, 0 ^ step, 1 ^ step, 2 ^ step, 3 ^ step, 4 ^ step, 5 ^ step,
                                                  6 ^ step, 7 ^ step);
      const OctetMask smaller = own < other;
      v[i] = (lows == smaller) ? own : other;
    }
  }

  [[gnu::always_inline]] inline void sort() {
    within<2, 1>();
    within<4, 2>();
    within<4, 1>();
    within<8, 4>();
    within<8, 2>();
    within<8, 1>();
    across<16, 8>();
    within<16, 4>();
    within<16, 2>();
    within<16, 1>();
    across<32, 16>();
    across<32, 8>();
    within<32, 4>();
    within<32, 2>();
    within<32, 1>();
  }
};

}  // namespace

AddressPass pass_addresses(const uint64_t* base, uint64_t offset, isa::LaneMask lanes, uint64_t bytes, uint64_t* out) {
  return lanes == isa::kFullMask ? all_wide(base, offset, bytes, out) : some_wide(base, offset, lanes, out);
}

AddressPass pass_addresses(const uint32_t* base, uint32_t offset, isa::LaneMask lanes, uint64_t bytes, uint64_t* out) {
  return lanes == isa::kFullMask ? all_narrow(base, offset, bytes, out) : some_narrow(base, offset, lanes, out);
}

HPML_VECTOR_CLONES DistinctCount count_distinct(const uint64_t* address, isa::LaneMask lanes, uint64_t low) {
  const uint64_t origin = low >> kLineShift << kLineShift;  // sectors and lines keep their borders
  alignas(32) std::array<uint32_t, 32> values;
  const auto first = static_cast<uint32_t>(address[std::countr_zero(lanes)] - origin);
  for (uint32_t lane = 0; lane < 32; ++lane) {
    values[lane] = (lanes >> lane & 1u) != 0 ? static_cast<uint32_t>(address[lane] - origin) : first;
  }
  Sorter sorter;
  std::memcpy(sorter.v, values.data(), sizeof values);
  sorter.sort();
  std::memcpy(values.data(), sorter.v, sizeof values);
  uint32_t elements = 1, sectors = 1, lines = 1;
  for (size_t i = 1; i < 32; ++i) {
    const uint32_t a = values[i], before = values[i - 1];
    elements += a != before ? 1u : 0u;
    sectors += a >> kSectorShift != before >> kSectorShift ? 1u : 0u;
    lines += a >> kLineShift != before >> kLineShift ? 1u : 0u;
  }
  return {static_cast<int>(elements), static_cast<int>(sectors), static_cast<int>(lines)};
}

HPML_VECTOR_CLONES AddressRange spread_local(uint64_t* address, isa::LaneMask lanes, uint64_t thread_bytes,
                                             uint64_t bytes, uint64_t* place) {
  const auto leader = static_cast<uint32_t>(std::countr_zero(lanes));
  const uint64_t first = address[leader] * isa::kWarpSize + leader * bytes;
  AddressRange range{first, first, 0};
  for (uint32_t lane = 0; lane < isa::kWarpSize; ++lane) {
    place[lane] = address[lane] + lane * thread_bytes;
    const uint64_t own = address[lane] * isa::kWarpSize + lane * bytes;
    const uint64_t a = (lanes >> lane & 1u) != 0 ? own : first;
    address[lane] = a;
    range.low = std::min(range.low, a);
    range.high = std::max(range.high, a);
    range.bits |= a;
  }
  return range;
}

SectorCount count_sectors(const AddressPass& pass, const uint64_t* address, isa::LaneMask lanes, uint32_t bytes) {
  if (pass.uniform()) {
    return {1, 1, bytes};
  }
  if (pass.consecutive()) {
    const uint64_t last = pass.high + bytes - 1;
    return {static_cast<int>((last >> kSectorShift) - (pass.low >> kSectorShift) + 1),
            static_cast<int>((last >> kLineShift) - (pass.low >> kLineShift) + 1), bytes * isa::kWarpSize};
  }
  return count_sectors(address, lanes, bytes, pass.range());
}

}  // namespace hpml::sim::exec
