// Question: does every access count for the source line of its .loc, with the distance of its lanes?
#include "simulator/exec/source_lines.hpp"
#include "simulator/tests/exec/ptx_rig.hpp"

namespace hpml::sim::exec {
namespace {

constexpr char kTwoLines[] = R"(
.file 1 "/home/somebody/k.cu"
.visible .entry k(.param .u64 out, .param .u64 stride) {
  .reg .b32 %r<8>;
  .reg .b64 %rd<8>;
  .shared .align 4 .b8 tile[4096];
  ld.param.u64 %rd1, [out];
  ld.param.u64 %rd2, [stride];
  mov.u32 %r1, %tid.x;
  cvt.u64.u32 %rd3, %r1;
  mul.lo.u64 %rd4, %rd3, %rd2;
  add.s64 %rd5, %rd1, %rd4;
  .loc 1 7 3
  st.global.u32 [%rd5], %r1;
  ld.global.u32 %r2, [%rd5];
  .loc 1 8 3
  mov.u32 %r3, tile;
  shl.b32 %r4, %r1, 7;
  add.s32 %r5, %r3, %r4;
  st.shared.u32 [%r5], %r2;
  ret;
})";

TEST(SourceLines, HoldSectorsAndTheDistanceOfNeighbouringLanes) {
  for (const uint64_t stride : {4, 32, 2000}) {
    PtxRig rig(kTwoLines);
    const uint64_t out = rig.upload(std::vector<uint32_t>(32 * 500));
    const std::vector<LineAccess> lines = rig.run("k", {1}, {32}, {out, stride}).line_accesses();
    ASSERT_EQ(lines.size(), 3u);
    for (size_t i = 0; i < 2; ++i) {
      EXPECT_EQ(lines[i].file, "k.cu");
      EXPECT_EQ(lines[i].line, 7);
      EXPECT_EQ(lines[i].space, isa::Space::global);
      EXPECT_EQ(lines[i].kind, i == 0 ? AccessKind::load : AccessKind::store);
      EXPECT_EQ(lines[i].counters.requests, 1u);
      EXPECT_EQ(lines[i].counters.parts, stride == 4 ? 4u : 32u);
      EXPECT_EQ(lines[i].counters.ideal_parts, 4u);
      EXPECT_EQ(lines[i].counters.stride.bytes(), static_cast<int64_t>(stride));
    }
  }
}

TEST(SourceLines, HoldThePassesThroughTheBanks) {
  PtxRig rig(kTwoLines);
  const uint64_t out = rig.upload(std::vector<uint32_t>(32));
  const std::vector<LineAccess> lines = rig.run("k", {1}, {32}, {out, 4}).line_accesses();
  ASSERT_EQ(lines.size(), 3u);
  EXPECT_EQ(lines[2].line, 8);
  EXPECT_EQ(lines[2].space, isa::Space::shared);
  EXPECT_EQ(lines[2].kind, AccessKind::store);
  EXPECT_EQ(lines[2].counters.parts, 32u) << "words 32 apart lie in one bank";
  EXPECT_EQ(lines[2].counters.ideal_parts, 1u);
  EXPECT_EQ(lines[2].counters.stride.bytes(), 128);
}

TEST(SourceLines, ADistanceThatDiffersIsNone) {
  LaneStride stride;
  EXPECT_EQ(stride.bytes(), std::nullopt) << "no request of two lanes";
  stride.add(4);
  EXPECT_EQ(stride.bytes(), 4);
  stride.add(8);
  EXPECT_EQ(stride.bytes(), std::nullopt);
}

}  // namespace
}  // namespace hpml::sim::exec
