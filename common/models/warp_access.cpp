#include "common/models/warp_access.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

namespace hpml::models {

int64_t sectors_touched(const std::vector<int64_t>& addresses, int64_t element_bytes) {
  constexpr int64_t kSector = 32;
  std::set<int64_t> sectors;
  for (const int64_t address : addresses) {
    for (int64_t sector = address / kSector; sector <= (address + element_bytes - 1) / kSector; ++sector) {
      sectors.insert(sector);
    }
  }
  return static_cast<int64_t>(sectors.size());
}

std::vector<int64_t> strided_addresses(int64_t lanes, int64_t element_bytes, int64_t stride, int64_t offset) {
  std::vector<int64_t> addresses;
  for (int64_t lane = 0; lane < lanes; ++lane) {
    addresses.push_back((offset + lane * stride) * element_bytes);
  }
  return addresses;
}

int64_t bank_conflict_ways(const std::vector<int64_t>& words) {
  constexpr size_t kBanks = 32;
  std::array<std::set<int64_t>, kBanks> banks;
  size_t ways = 1;
  for (const int64_t word : words) {
    std::set<int64_t>& bank = banks[static_cast<size_t>(word) % kBanks];
    bank.insert(word);
    ways = std::max(ways, bank.size());
  }
  return static_cast<int64_t>(ways);
}

double float_counter(int64_t count, int64_t step) {
  // Sums of whole steps are exact until they reach the first float whose neighbour is two steps away.
  int exponent = 0;
  const double odd = std::frexp(static_cast<double>(step), &exponent);
  const double stop = odd == 0.5 ? std::ldexp(static_cast<double>(step), 24) : HUGE_VAL;
  if (std::isfinite(stop)) {
    return std::min(stop, static_cast<double>(count) * static_cast<double>(step));
  }
  float sum = 0;
  for (int64_t i = 0; i < count; ++i) {
    const float next = sum + static_cast<float>(step);
    if (next == sum) {
      break;
    }
    sum = next;
  }
  return sum;
}

}  // namespace hpml::models
