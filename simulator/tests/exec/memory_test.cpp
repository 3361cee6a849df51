// Question: is every access checked, moved and counted by the rules of simulator_timing 4.1 and 4.2?
#include <random>

#include "simulator/exec/access_counts.hpp"
#include "simulator/exec/detail/lanes.hpp"
#include "simulator/tests/exec/ptx_rig.hpp"

namespace hpml::sim::exec {
namespace {

std::array<uint64_t, 32> strided(uint64_t base, uint64_t stride) {
  std::array<uint64_t, 32> out;
  for (uint64_t i = 0; i < 32; ++i) {
    out[i] = base + i * stride;
  }
  return out;
}

int passes(const std::array<uint64_t, 32>& offset, uint32_t bytes) {
  LaneAddresses lanes;
  lanes.set(offset.data(), 0, isa::kFullMask);
  return count_banks(offset.data(), isa::kFullMask, bytes, lanes.range(isa::kFullMask)).wavefronts;
}

// Range by the plainest loop.
AddressRange range_of(const LaneAddresses& lanes, isa::LaneMask mask) {
  AddressRange out{~uint64_t{0}, 0, 0};
  for (size_t lane = 0; lane < 32; ++lane) {
    if ((mask >> lane & 1) != 0) {
      out = {std::min(out.low, lanes[lane]), std::max(out.high, lanes[lane]), out.bits | lanes[lane]};
    }
  }
  return out;
}

TEST(LaneAddresses, HaveTheRangeOfTheLanesThatAreAskedFor) {
  std::array<uint64_t, 32> base;
  std::array<uint32_t, 32> narrow;
  uint64_t random = 1;
  for (size_t lane = 0; lane < 32; ++lane) {
    random = random * 6364136223846793005u + 1442695040888963407u;
    base[lane] = random;
    narrow[lane] = static_cast<uint32_t>(random >> 32);
  }
  const auto expect = [](LaneAddresses& lanes, isa::LaneMask mask) {
    const AddressRange got = lanes.range(mask), want = range_of(lanes, mask);
    EXPECT_EQ(got.low, want.low) << mask;
    EXPECT_EQ(got.high, want.high) << mask;
    EXPECT_EQ(got.bits, want.bits) << mask;
  };
  for (const isa::LaneMask mask : {isa::kFullMask, isa::LaneMask{1} << 31, isa::LaneMask{0x00f0'0a01}}) {
    LaneAddresses lanes;
    lanes.set(base.data(), 24, mask);
    for (size_t lane = 0; lane < 32; ++lane) {
      EXPECT_TRUE((mask >> lane & 1) == 0 || lanes[lane] == base[lane] + 24) << lane;
    }
    expect(lanes, mask);
    lanes.set(narrow.data(), 0xffff'fff0u, mask);  // minus 16
    for (size_t lane = 0; lane < 32; ++lane) {
      EXPECT_TRUE((mask >> lane & 1) == 0 || lanes[lane] == narrow[lane] - 16u) << lane;
    }
    expect(lanes, mask);
    lanes.set(static_cast<size_t>(std::countr_zero(mask)), 1);
    expect(lanes, mask);
    expect(lanes, mask & (~mask + 1));
  }
}

TEST(Sectors, FollowTheStride) {
  const struct {
    uint64_t base, stride;
    int sectors, lines;
    uint32_t bytes;
  } rows[] = {{4096, 4, 4, 1, 128}, {4096, 8, 8, 2, 128}, {4096, 32, 32, 8, 128}, {4096, 128, 32, 32, 128},
              {4096, 0, 1, 1, 4},   {4112, 4, 5, 2, 128}, {4100, 4, 5, 2, 128}};
  for (const auto& row : rows) {
    const SectorCount got = count_sectors(strided(row.base, row.stride).data(), isa::kFullMask, 4);
    EXPECT_EQ(got.sectors, row.sectors) << row.base << " stride " << row.stride;
    EXPECT_EQ(got.lines, row.lines) << row.base << " stride " << row.stride;
    EXPECT_EQ(got.bytes, row.bytes) << row.base << " stride " << row.stride;
  }
}

TEST(Sectors, DoNotDependOnTheOrderOfTheLanes) {
  auto address = strided(8192, 20);
  const SectorCount ascending = count_sectors(address.data(), isa::kFullMask, 4);
  std::reverse(address.begin(), address.end());
  std::swap(address[3], address[17]);
  const SectorCount shuffled = count_sectors(address.data(), isa::kFullMask, 4);
  EXPECT_EQ(ascending.sectors, shuffled.sectors);
  EXPECT_EQ(ascending.bytes, shuffled.bytes);
}

using Lines = std::vector<std::pair<uint64_t, uint32_t>>;  // line, mask of its sectors

Lines lines_of(const Access& access) {
  Lines out;
  for (int i = 0; i < access.line_count; ++i) {
    out.emplace_back(access.lines[static_cast<size_t>(i)].line, access.lines[static_cast<size_t>(i)].sectors);
  }
  return out;
}

Lines lines_touched(const std::array<uint64_t, 32>& address, isa::LaneMask active) {
  Lines out;
  for (size_t lane = 0; lane < 32; ++lane) {
    if ((active >> lane & 1) != 0) {
      const uint64_t line = address[lane] / 128;
      const auto known = std::find_if(out.begin(), out.end(), [&](const auto& l) { return l.first == line; });
      auto& of_line = known != out.end() ? *known : out.emplace_back(line, 0);
      of_line.second |= 1u << address[lane] / 32 % 4;
    }
  }
  return out;
}

// Strides, rows of half warps, repetitions, disorder and gaps: the counts by range are those of a walk over the lanes.
TEST(Sectors, TheRangeChangesNoCount) {
  std::mt19937_64 random(5);
  for (int round = 0; round < 20'000; ++round) {
    const uint32_t bytes = 1u << (random() % 6);
    const uint64_t stride = random() % 4 != 0 ? random() % 3 : random() % 70;
    const uint64_t row = random() % 3 != 0 ? random() % 5 * 16 : random() % 1000;
    const uint64_t from = random() % 64 * bytes;
    LaneAddresses address;
    for (size_t lane = 0; lane < 32; ++lane) {
      const uint64_t at = random() % 40 == 0 ? random() % 200 : lane % 16 * stride + lane / 16 * row;
      address.set(lane, 8192 + from + at * bytes);
    }
    const isa::LaneMask some = static_cast<isa::LaneMask>(random()) | 1u;
    const isa::LaneMask active = random() % 2 != 0 ? isa::kFullMask : some;
    const SectorCount walked = count_sectors(address.values().data(), active, bytes);
    const SectorCount got = count_sectors(address.values().data(), active, bytes, address.range(active));
    ASSERT_EQ(got.sectors, walked.sectors) << round;
    ASSERT_EQ(got.lines, walked.lines) << round;
    ASSERT_EQ(got.bytes, walked.bytes) << round;
    Access access;
    list_lines(address.values().data(), active, access);
    ASSERT_EQ(access.line_count, walked.lines) << round;
    ASSERT_EQ(access.sector_count, walked.sectors) << round;
    ASSERT_EQ(lines_of(access), lines_touched(address.values(), active)) << round;
  }
}

TEST(Banks, ConflictsAreTheMostWordsInOneBank) {
  for (uint64_t ways = 1; ways <= 32; ways *= 2) {
    EXPECT_EQ(passes(strided(0, 4 * ways), 4), static_cast<int>(ways));
  }
  EXPECT_EQ(passes(strided(64, 0), 4), 1) << "one word is a broadcast";
  EXPECT_EQ(passes(strided(0, 8), 8), 2) << "64-bit: two half-warps";
  EXPECT_EQ(passes(strided(0, 16), 16), 4) << "128-bit: four quarter-warps";
  EXPECT_EQ(passes(strided(0, 4 * 33), 4), 1) << "a padded column";
}

constexpr char kStore[] = R"(
.visible .entry k(.param .u64 out, .param .u64 stride) {
  .reg .b32 %r<4>;
  .reg .b64 %rd<8>;
  ld.param.u64 %rd1, [out];
  ld.param.u64 %rd2, [stride];
  mov.u32 %r1, %tid.x;
  cvt.u64.u32 %rd3, %r1;
  mul.lo.u64 %rd4, %rd3, %rd2;
  add.s64 %rd5, %rd1, %rd4;
  st.global.u32 [%rd5], %r1;
  ret;
})";

TEST(Memory, OutOfBoundsNamesKernelThreadAddressAndNeighbour) {
  PtxRig rig(kStore);
  const uint64_t out = rig.upload(std::vector<uint32_t>(16));
  const Grid& grid = rig.run("k", {1}, {32}, {out, 4});
  ASSERT_TRUE(grid.trap().has_value());
  EXPECT_EQ(grid.trap()->kind, TrapKind::illegal_address);
  const std::string& text = grid.trap()->message;
  EXPECT_NE(text.find("4-byte write out of bounds in kernel k at test.ptx:14"), std::string::npos) << text;
  EXPECT_NE(text.find("thread (16,0,0)"), std::string::npos) << text;
  EXPECT_NE(text.find("0 bytes behind the end of the device allocation of 64 bytes"), std::string::npos) << text;
}

TEST(Memory, MisalignedIsAFaultOfItsOwn) {
  PtxRig rig(kStore);
  const uint64_t out = rig.upload(std::vector<uint32_t>(64));
  const Grid& grid = rig.run("k", {1}, {32}, {out + 2, 4});
  ASSERT_TRUE(grid.trap().has_value());
  EXPECT_EQ(grid.trap()->kind, TrapKind::misaligned_address);
}

TEST(Memory, StridedStoresCountTheirSectors) {
  PtxRig rig(kStore);
  const uint64_t out = rig.upload(std::vector<uint32_t>(32 * 32));
  const Grid& grid = rig.run("k", {1}, {32}, {out, 128});
  EXPECT_EQ(grid.counters().global_st.requests, 1u);
  EXPECT_EQ(grid.counters().global_st.sectors, 32u);
  EXPECT_EQ(grid.counters().global_st.bytes, 128u);
}

TEST(Memory, SharedStaticAndDynamicDoNotOverlap) {
  PtxRig rig(R"(
.extern .shared .align 16 .b8 dyn[];
.visible .entry k(.param .u64 out) {
  .shared .align 4 .b8 fixed[20];
  .reg .b32 %r<8>;
  .reg .b64 %rd<2>;
  ld.param.u64 %rd1, [out];
  mov.u32 %r1, dyn;
  mov.u32 %r2, fixed;
  st.shared.u32 [fixed+16], 5;
  st.shared.u32 [%r1], 9;
  ld.shared.u32 %r3, [%r2+16];
  ld.shared.u32 %r4, [dyn];
  st.global.v4.u32 [%rd1], {%r3, %r4, %r1, %r2};
  ret;
})");
  const uint64_t out = rig.upload(std::vector<uint32_t>(4));
  const Grid& grid = rig.run("k", {1}, {1}, {out}, 64);
  ASSERT_FALSE(grid.trap().has_value()) << grid.trap()->message;
  EXPECT_EQ(rig.download<uint32_t>(out, 4), (std::vector<uint32_t>{5, 9, 32, 0}));
}

TEST(Memory, AtomicsOfAllLanesOnOneAddressAddUp) {
  PtxRig rig(R"(
.visible .entry k(.param .u64 out) {
  .reg .b32 %r<4>;
  .reg .b64 %rd<2>;
  ld.param.u64 %rd1, [out];
  mov.u32 %r1, %tid.x;
  atom.global.add.u32 %r2, [%rd1], %r1;
  red.global.max.u32 [%rd1+4], %r1;
  ret;
})");
  const uint64_t out = rig.upload(std::vector<uint32_t>(2));
  rig.run("k", {4}, {64}, {out});
  EXPECT_EQ(rig.download<uint32_t>(out, 2), (std::vector<uint32_t>{4 * 63 * 64 / 2, 63}));
}

// PTX ISA 9.0, atom: "atom.add.f32 on global memory flushes subnormal inputs and results", on shared memory it does
// not.
TEST(Memory, FloatAtomicsFlushSubnormalsInGlobalMemoryOnly) {
  PtxRig rig(R"(
.visible .entry k(.param .u64 out) {
  .shared .align 4 .f32 s;
  .reg .f32 %f<4>;
  .reg .b32 %r<4>;
  .reg .b64 %rd<2>;
  ld.param.u64 %rd1, [out];
  mov.u32 %r1, 1;
  st.shared.u32 [s], %r1;
  mov.b32 %f1, %r1;
  red.shared.add.f32 [s], %f1;
  red.global.add.f32 [%rd1], %f1;
  ld.shared.u32 %r2, [s];
  st.global.u32 [%rd1+4], %r2;
  ret;
})");
  const uint64_t out = rig.upload(std::vector<uint32_t>{1, 0});
  const Grid& grid = rig.run("k", {1}, {1}, {out});
  ASSERT_FALSE(grid.trap().has_value()) << grid.trap()->message;
  EXPECT_EQ(rig.download<uint32_t>(out, 2), (std::vector<uint32_t>{0, 2}));
}

TEST(Memory, NarrowLoadsExtendByTheTypeOfTheLoad) {
  PtxRig rig(R"(
.visible .entry k(.param .u64 out) {
  .reg .b16 %h<2>;
  .reg .b32 %r<4>;
  .reg .b64 %rd<3>;
  ld.param.u64 %rd1, [out];
  ld.global.s8 %r1, [%rd1];
  ld.global.u8 %r2, [%rd1];
  ld.global.s8 %rd2, [%rd1];
  st.global.u32 [%rd1+4], %r1;
  st.global.u32 [%rd1+8], %r2;
  st.global.u64 [%rd1+16], %rd2;
  ret;
})");
  const uint64_t out = rig.upload(std::vector<uint32_t>{0xfe, 0, 0, 0, 0, 0});
  rig.run("k", {1}, {1}, {out});
  EXPECT_EQ(rig.download<uint32_t>(out, 6), (std::vector<uint32_t>{0xfe, 0xfffffffe, 0xfe, 0, 0xfffffffe, 0xffffffff}));
}

}  // namespace
}  // namespace hpml::sim::exec
