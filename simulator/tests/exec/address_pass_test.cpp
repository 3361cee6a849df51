// Do the short ways through the coalescer's and the banks' arithmetic count what sets of addresses count?
#include "simulator/exec/detail/address_pass.hpp"

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <map>
#include <random>
#include <set>

#include "simulator/exec/detail/access_shape.hpp"

namespace hpml::sim::exec {
namespace {

using isa::LaneMask;

struct Lanes {
  alignas(64) std::array<uint64_t, 32> base;
  LaneMask active = isa::kFullMask;
};

// Rows, strides, few or many distinct addresses, all lanes or some; aligned to `bytes`.
Lanes make(std::mt19937_64& random, uint32_t bytes) {
  Lanes out;
  const uint64_t start = random() % (uint64_t{1} << 40) / bytes * bytes;
  const uint64_t span = uint64_t{1} << random() % 34, stride = random() % 70, kind = random() % 4;
  for (uint64_t lane = 0; lane < 32; ++lane) {
    const uint64_t element = kind == 0 ? lane * stride : kind == 1 ? lane / 8 * 100 + lane % 8 : random() % span;
    out.base[lane] = start + element * bytes;
  }
  if (random() % 2 == 0) {
    out.active = static_cast<LaneMask>(random());
    out.active = out.active == 0 ? 1 : out.active;
  }
  return out;
}

TEST(AddressPass, CountsWhatSetsOfAddressesCount) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 20'000; ++i) {
    const uint32_t bytes = 1u << random() % 5;
    const Lanes lanes = make(random, bytes);
    const uint64_t offset = random() % 8 * bytes;
    std::set<uint64_t> elements, sectors, lines;
    for (uint32_t lane = 0; lane < 32; ++lane) {
      if ((lanes.active >> lane & 1u) != 0) {
        const uint64_t a = lanes.base[lane] + offset;
        elements.insert(a);
        sectors.insert(a / 32);
        lines.insert(a / 128);
      }
    }
    alignas(64) std::array<uint64_t, 32> address;
    const AddressPass pass = pass_addresses(lanes.base.data(), offset, lanes.active, bytes, address.data());
    EXPECT_EQ(pass.low, *elements.begin());
    EXPECT_EQ(pass.high, *elements.rbegin());
    const SectorCount count = count_sectors(pass, address.data(), lanes.active, bytes);
    ASSERT_EQ(count.sectors, static_cast<int>(sectors.size())) << i;
    ASSERT_EQ(count.lines, static_cast<int>(lines.size())) << i;
    ASSERT_EQ(count.bytes, elements.size() * bytes) << i;
  }
}

TEST(AddressPass, BankPassesAreTheMostWordsOfOneBank) {
  std::mt19937_64 random(2);
  for (int i = 0; i < 5'000; ++i) {
    Lanes lanes = make(random, 4);
    std::map<uint64_t, std::set<uint64_t>> banks;
    AddressRange range{UINT64_MAX, 0, 0};
    for (uint32_t lane = 0; lane < 32; ++lane) {
      if ((lanes.active >> lane & 1u) != 0) {
        banks[lanes.base[lane] / 4 % 32].insert(lanes.base[lane]);
        range.low = std::min(range.low, lanes.base[lane]);
        range.high = std::max(range.high, lanes.base[lane]);
        range.bits |= lanes.base[lane];
      }
    }
    size_t most = 0;
    for (const auto& [bank, words] : banks) {
      most = std::max(most, words.size());
    }
    ASSERT_EQ(count_banks(lanes.base.data(), lanes.active, 4, range).wavefronts, static_cast<int>(most)) << i;
  }
}

TEST(AddressPass, LocalOffsetsBecomeNeighboursOfTheirLanes) {
  alignas(64) std::array<uint64_t, 32> address, place;
  for (uint64_t lane = 0; lane < 32; ++lane) {
    address[lane] = lane % 3 * 8;
  }
  const AddressRange range = spread_local(address.data(), isa::kFullMask, 1000, 8, place.data());
  for (uint64_t lane = 0; lane < 32; ++lane) {
    EXPECT_EQ(place[lane], lane * 1000 + lane % 3 * 8);
    EXPECT_EQ(address[lane], lane % 3 * 256 + lane * 8);
  }
  EXPECT_EQ(range.low, 0u);
  EXPECT_EQ(range.high, 2u * 256 + 29 * 8);
}

TEST(AccessShape, MatchesAddressesThatMoveTogether) {
  std::mt19937_64 random(3);
  for (int i = 0; i < 2'000; ++i) {
    Lanes lanes = make(random, 4);
    alignas(64) std::array<uint64_t, 32> address;
    pass_addresses(lanes.base.data(), 0, lanes.active, 4, address.data());
    AccessShape shape;
    EXPECT_FALSE(shape.matches(lanes.base.data(), lanes.active));
    shape.learn(address.data(), lanes.active, 4);
    for (uint64_t& base : lanes.base) {
      base += 4096;
    }
    EXPECT_TRUE(shape.matches(lanes.base.data(), lanes.active));
    const auto moved = static_cast<size_t>(std::countr_zero(lanes.active & (lanes.active - 1)));
    if (moved < 32) {  // another than the first lane goes its own way
      lanes.base[moved] += 4;
      EXPECT_FALSE(shape.matches(lanes.base.data(), lanes.active));
    }
    EXPECT_FALSE(shape.matches(lanes.base.data(), lanes.active ^ 0x8000'0000u));
  }
}

TEST(AccessShape, FindsSegmentsThatCanBeCopiedAtOnce) {
  alignas(64) std::array<uint64_t, 32> address;
  const auto learned = [&](auto at) {
    for (uint64_t lane = 0; lane < 32; ++lane) {
      address[lane] = 1'000'000 + at(lane);
    }
    AccessShape shape;
    shape.learn(address.data(), isa::kFullMask, 4);
    return shape;
  };
  EXPECT_EQ(learned([](uint64_t lane) { return lane * 4; }).segment(), 32);
  EXPECT_EQ(learned([](uint64_t) { return 0; }).segment(), 32);
  const AccessShape rows = learned([](uint64_t lane) { return lane / 16 * 500 + lane % 16 * 4; });
  EXPECT_EQ(rows.segment(), 16);
  EXPECT_FALSE(rows.any_uniform());
  const AccessShape mixed = learned([](uint64_t lane) { return lane < 8 ? 0 : lane / 8 * 500 + lane % 8 * 4; });
  EXPECT_EQ(mixed.segment(), 8);
  EXPECT_TRUE(mixed.uniform(0));
  EXPECT_FALSE(mixed.uniform(1));
  EXPECT_EQ(learned([](uint64_t lane) { return lane * lane * 4; }).segment(), 0);
}

}  // namespace
}  // namespace hpml::sim::exec
