#include "simulator/exec/detail/lanes.hpp"

#include <algorithm>

namespace hpml::sim::exec {

HPML_VECTOR_CLONES bool consecutive(const uint64_t* base, uint64_t bytes) {
  uint64_t difference = 0;
  for (uint64_t lane = 0; lane < 32; ++lane) {
    difference |= base[lane] ^ (base[0] + lane * bytes);
  }
  return difference == 0;
}

HPML_VECTOR_CLONES bool consecutive(const std::byte* const* place, uint64_t bytes) {
  uint64_t difference = 0;
  for (uint64_t lane = 0; lane < 32; ++lane) {
    difference |= static_cast<uint64_t>(place[lane] - place[0]) ^ (lane * bytes);
  }
  return difference == 0;
}

namespace {

// One pass that writes and measures: what is written by narrow stores and read again by wide loads at once would wait
// for the stores. Lanes that are not asked for repeat the first that is, so that they change no range.
HPML_VECTOR_CLONES AddressRange offset_wide(const uint64_t* base, uint64_t offset, isa::LaneMask lanes, uint64_t* out) {
  const uint64_t first = base[std::countr_zero(lanes)] + offset;
  AddressRange range{first, first, 0};
  for (uint32_t lane = 0; lane < 32; ++lane) {
    const uint64_t address = (lanes >> lane & 1) != 0 ? base[lane] + offset : first;
    out[lane] = address;
    range.low = std::min(range.low, address);
    range.high = std::max(range.high, address);
    range.bits |= address;
  }
  return range;
}

HPML_VECTOR_CLONES AddressRange offset_narrow(const uint32_t* base, uint32_t offset, isa::LaneMask lanes,
                                              uint64_t* out) {
  const uint32_t first = base[std::countr_zero(lanes)] + offset;
  uint32_t low = first, high = first, bits = 0;
  for (uint32_t lane = 0; lane < 32; ++lane) {
    const uint32_t address = (lanes >> lane & 1) != 0 ? base[lane] + offset : first;
    out[lane] = address;
    low = std::min(low, address);
    high = std::max(high, address);
    bits |= address;
  }
  return {low, high, bits};
}

HPML_VECTOR_CLONES AddressRange range_of(const uint64_t* value, isa::LaneMask lanes) {
  const uint64_t first = value[std::countr_zero(lanes)];
  AddressRange range{first, first, 0};
  for (uint32_t lane = 0; lane < 32; ++lane) {
    const uint64_t address = (lanes >> lane & 1) != 0 ? value[lane] : first;
    range.low = std::min(range.low, address);
    range.high = std::max(range.high, address);
    range.bits |= address;
  }
  return range;
}

}  // namespace

void LaneAddresses::set(const uint64_t* base, uint64_t offset, isa::LaneMask lanes) {
  if (single_lane(lanes)) {
    const auto lane = static_cast<size_t>(std::countr_zero(lanes));
    const uint64_t address = value_[lane] = base[lane] + offset;
    range_ = {address, address, address};
  } else {
    range_ = offset_wide(base, offset, lanes, value_.data());
  }
  measured_ = lanes;
}

void LaneAddresses::set(const uint32_t* base, uint32_t offset, isa::LaneMask lanes) {
  range_ = offset_narrow(base, offset, lanes, value_.data());
  measured_ = lanes;
}

const AddressRange& LaneAddresses::range(isa::LaneMask lanes) {
  if (lanes != measured_) {
    range_ = range_of(value_.data(), lanes);
    measured_ = lanes;
  }
  return range_;
}

}  // namespace hpml::sim::exec
